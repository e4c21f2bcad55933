internal import Synchronization

/// The way of a terminal's voice: frames, cleaned, to Opus packets.
// @unchecked: all but the atomics belongs to the capturing thread.
final class VoiceSending: @unchecked Sendable {
  /// What a microphone and its server hold: a guess, which the processor need not have exact.
  private static let microphoneLatency = Duration.milliseconds(15)

  private let processor: VoiceProcessor?
  private let latency: SharedLatency
  private let encoder: VoiceEncoder
  private let onPacket: @Sendable (AudioPacket) -> Void
  private let packet: UnsafeMutableBufferPointer<Int16>
  private var clock = CaptureClock()
  /// Media time of the packet being filled, in samples.
  private var start = 0
  /// Whether a frame of the packet is to be heard.
  private var isSpoken = false
  private var filled = 0
  private var loss: Int
  private let isSpeaking = Atomic(false)
  private let count = Atomic(0)
  private let expectedLoss: Atomic<Int>

  init(
    _ options: VoiceTerminalOptions, processor: VoiceProcessor?, latency: SharedLatency,
    onPacket: @escaping @Sendable (AudioPacket) -> Void
  ) throws(MediaFailure) {
    encoder = try VoiceEncoder(bitrate: options.bitrate, expectedLoss: options.expectedLoss)
    self.processor = processor
    self.latency = latency
    self.onPacket = onPacket
    loss = options.expectedLoss
    expectedLoss = Atomic(options.expectedLoss)
    packet = .allocate(capacity: VoiceForm.packet)
    packet.initialize(repeating: 0)
  }

  deinit { packet.deallocate() }

  var sent: Int { count.load(ordering: .relaxed) }

  func setSpeaking(_ on: Bool) { isSpeaking.store(on, ordering: .relaxed) }
  func expect(loss: Int) { expectedLoss.store(loss, ordering: .relaxed) }

  /// Takes a frame of 10 ms.
  func take(_ frame: UnsafeMutableBufferPointer<Int16>) {
    let time = clock.next(arrival: Int(Runtime.now / 1000))
    // The filter learns from what is not given out, too.
    processor?.process(frame, delay: latency.value + Self.microphoneLatency)
    let part = UnsafeMutableBufferPointer(rebasing: packet[filled..<filled + VoiceForm.frame])
    if isSpeaking.load(ordering: .relaxed), let source = frame.baseAddress {
      part.baseAddress?.update(from: source, count: VoiceForm.frame)
      isSpoken = true
    } else {
      part.update(repeating: 0)
    }
    if filled == 0 { start = time }
    filled += VoiceForm.frame
    if filled == VoiceForm.packet { give() }
  }

  /// Gives half a packet, at the end.
  func finish() {
    guard filled > 0 else { return }
    packet[filled...].update(repeating: 0)
    give()
  }

  private func give() {
    filled = 0
    guard isSpoken else { return }
    isSpoken = false
    let expected = expectedLoss.load(ordering: .relaxed)
    if expected != loss {
      loss = expected
      encoder.expect(loss: expected)
    }
    guard let bytes = encoder.encode(UnsafeBufferPointer(packet)) else { return }
    count.wrappingAdd(1, ordering: .relaxed)
    onPacket(AudioPacket(timestamp: .nanoseconds(start * 62_500 / 3), bytes: bytes))
  }
}

/// How long the loudspeaker holds its sound, told by its thread to others.
final class SharedLatency: Sendable {
  private let microseconds = Atomic(0)

  var value: Duration {
    get { .microseconds(microseconds.load(ordering: .relaxed)) }
    set { microseconds.store(newValue.wholeMicroseconds, ordering: .relaxed) }
  }
}
