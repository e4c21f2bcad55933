/// Takes the loudspeaker's echo and noise out of what a microphone heard, and evens its loudness: 48 kHz, one
/// channel, frames of 10 ms, no device, no allocation per frame.
///
/// First a linear filter (speexdsp) takes away the echo that can be predicted, then webrtc-audio-processing mutes
/// what is left of it; docs/design/talk.md has the figures that led to the pair. The captured sound leaves about
/// 15 ms later than it came.
///
/// One thread may call ``played(_:)-(UnsafeBufferPointer<Int16>)`` while another calls `process`; neither waits for
/// the other.
// @unchecked: `queue` is made for one writer and one reader, and all else belongs to the thread that captures.
public final class VoiceProcessor: @unchecked Sendable {
  /// Played sound is given to the filter so much earlier than its echo is expected: room for a delay that was told
  /// too large.
  private static let margin = 40
  /// Milliseconds of echo that the linear filter covers, from the margin on.
  private static let tail = 250
  /// The suppressor is told so much less than the echo's way: it must never look for an echo that came before.
  private static let caution = 20
  /// Frames between two looks at what the filter has found.
  private static let lookEvery = 50

  private let queue = FarEndQueue()
  private let filter: LinearEchoCanceller?
  private let suppressor: VoiceSuppressor
  private let far: UnsafeMutablePointer<Int16>
  private let filtered: UnsafeMutablePointer<Int16>
  private var path = EchoPath()
  private var jumps = 0
  private var untilLook = VoiceProcessor.lookEvery

  /// - Throws: ``MediaFailure/unsupported(_:)`` when the libraries refuse, which means that memory is out.
  public init(echo: Bool = true, noise: Bool = true, gain: Bool = true) throws(MediaFailure) {
    let filter = echo ? LinearEchoCanceller(tail: Self.tail * VoiceForm.rate / 1000) : nil
    guard echo == (filter != nil), let suppressor = VoiceSuppressor(echo: echo, noise: noise, gain: gain)
    else {
      throw .unsupported("voice processing")
    }
    self.filter = filter
    self.suppressor = suppressor
    far = .allocate(capacity: VoiceForm.frame)
    far.initialize(repeating: 0, count: VoiceForm.frame)
    filtered = .allocate(capacity: VoiceForm.frame)
    filtered.initialize(repeating: 0, count: VoiceForm.frame)
  }

  deinit {
    far.deallocate()
    filtered.deallocate()
  }

  /// Tells what goes to the loudspeaker now: 480 samples. Another count is ignored. While nothing is played nothing
  /// need be told.
  public func played(_ frame: UnsafeBufferPointer<Int16>) {
    guard filter != nil, frame.count == VoiceForm.frame else { return }
    queue.write(frame)
  }

  /// As above.
  public func played(_ frame: [Int16]) { frame.withUnsafeBufferPointer { played($0) } }

  /// Cleans 480 captured samples in place. Another count is left as it is.
  /// - Parameter delay: from `played` being told of a sound to `process` being given its echo by the direct path:
  ///   the loudspeaker's latency and the microphone's. It may be wrong by -30...+100 ms.
  public func process(_ captured: UnsafeMutableBufferPointer<Int16>, delay: Duration) {
    guard captured.count == VoiceForm.frame, let samples = captured.baseAddress else { return }
    if let filter {
      // A device's answer is outside input: what no device has is taken as the limit.
      let milliseconds = Int(min(max(delay, .zero), .milliseconds(600)) / .milliseconds(1))
      let held = max(milliseconds - Self.margin, 0) / 10
      queue.next(delay: held, into: far)
      if queue.jumps != jumps { (jumps, path) = (queue.jumps, EchoPath()) }
      filter.cancel(samples, played: far, into: filtered)
      samples.update(from: filtered, count: VoiceForm.frame)
      untilLook -= 1
      if untilLook == 0 {
        untilLook = Self.lookEvery
        path.look(filter.directPath().map { $0 / (VoiceForm.rate / 1000) })
      }
      let way = path.found ?? milliseconds - held * 10
      suppressor.analyze(far)
      suppressor.process(samples, milliseconds: max(way - Self.caution, 0))
    } else {
      suppressor.process(samples, milliseconds: 0)
    }
  }

  /// As above.
  public func process(_ captured: inout [Int16], delay: Duration) {
    captured.withUnsafeMutableBufferPointer { process($0, delay: delay) }
  }
}
