internal import Synchronization

/// The way of the far end's voice: Opus packets to the frames that a loudspeaker asks for.
final class VoiceHearing: Sendable {
  // @unchecked: touched with the lock held only.
  private struct Guarded: @unchecked Sendable { let playout: VoicePlayout }

  private let guarded: Mutex<Guarded>
  private let processor: VoiceProcessor?
  private let latency: SharedLatency
  private let isPlaying = Atomic(true)
  private let received = Atomic(0)

  /// - Parameters:
  ///   - processor: is told what is played.
  ///   - latency: takes what the loudspeaker tells of itself.
  init(_ processor: VoiceProcessor?, latency: SharedLatency) throws(MediaFailure) {
    self.processor = processor
    self.latency = latency
    guarded = Mutex(Guarded(playout: try VoicePlayout()))
  }

  func setPlaying(_ on: Bool) { isPlaying.store(on, ordering: .relaxed) }

  func insert(_ opus: [UInt8], timestamp: UInt32) {
    guard isPlaying.load(ordering: .relaxed) else { return }
    received.wrappingAdd(1, ordering: .relaxed)
    let now = Self.now
    guarded.withLock { $0.playout.insert(opus, timestamp: timestamp, at: now) }
  }

  /// Fills a frame of 10 ms that will be heard so much later.
  func fill(_ frame: UnsafeMutableBufferPointer<Int16>, heardAfter: Duration) {
    latency.value = heardAfter
    let now = Self.now
    guarded.withLock { _ = $0.playout.render(into: frame, at: now) }
    // Rendered all the same, so that nothing old is left when it goes on.
    if !isPlaying.load(ordering: .relaxed) { frame.update(repeating: 0) }
    processor?.played(UnsafeBufferPointer(frame))
  }

  func describe(in statistics: inout VoiceTerminalStatistics) {
    let now = Self.now
    statistics.received = received.load(ordering: .relaxed)
    (statistics.playout, statistics.playoutDelay, statistics.playoutTarget, statistics.drift) =
      guarded.withLock {
        ($0.playout.statistics, $0.playout.delay(at: now), $0.playout.target, $0.playout.drift)
      }
  }

  private static var now: Duration { .nanoseconds(Runtime.now) }
}
