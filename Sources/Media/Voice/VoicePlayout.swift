/// From Opus packets as the network brings them to even frames for a loudspeaker: jitter buffer, decoder with FEC and
/// concealment, and a resampler that follows the loudspeaker's clock. It has no clock and no device of its own and
/// never blocks; its owner keeps it to one thread, or behind a lock.
public final class VoicePlayout {
  private var buffer: PlayoutBuffer
  private var compensator = DriftCompensator()
  private let decoder: OpusVoiceDecoder
  private let resampler: DriftResampler
  /// Decoded and not yet resampled: `start ..< end`.
  private let decoded: UnsafeMutableBufferPointer<Int16>
  private var start = 0
  private var end = 0
  private var isSilence = true

  /// - Throws: ``MediaFailure/unsupported(_:)`` when the libraries refuse, which means that memory is out.
  public init(buffer: PlayoutBuffer = PlayoutBuffer()) throws(MediaFailure) {
    guard let decoder = OpusVoiceDecoder(), let resampler = DriftResampler() else {
      throw .unsupported("voice play-out")
    }
    self.buffer = buffer
    self.decoder = decoder
    self.resampler = resampler
    decoded = .allocate(capacity: OpusVoiceDecoder.samplesLimit)
    decoded.initialize(repeating: 0)
  }

  deinit { decoded.deallocate() }

  public var statistics: PlayoutStatistics { buffer.statistics }
  /// What the buffer wants to hold back now.
  public var target: Duration { buffer.target }
  /// What is held back; nil while nothing is being said.
  public func delay(at now: Duration) -> Duration? { buffer.delay(at: now, pending: pending) }
  /// The drift found between the sender's clock and the loudspeaker's, in ppm.
  public var drift: Double { compensator.drift }

  private var pending: Duration { .microseconds((end - start) * 125 / 6) }

  /// Takes a packet; see ``PlayoutBuffer/insert(_:timestamp:at:)``.
  public func insert(_ payload: [UInt8], timestamp: UInt32, at now: Duration) {
    buffer.insert(payload, timestamp: timestamp, at: now)
  }

  /// Fills the whole frame with the sound that is due; 10 or 20 ms a call. Returns false when it is silence.
  @discardableResult
  public func render(into frame: UnsafeMutableBufferPointer<Int16>, at now: Duration) -> Bool {
    resampler.setRate(
      compensator.update(
        delay: buffer.delay(at: now, pending: pending), target: buffer.target, at: now))
    var filled = 0
    var isSpeech = false
    while filled < frame.count {
      if start == end { take(at: now, ahead: filled) }
      isSpeech = isSpeech || !isSilence
      let (used, made) = resampler.process(
        UnsafeBufferPointer(rebasing: decoded[start..<end]),
        into: UnsafeMutableBufferPointer(rebasing: frame[filled...]))
      start += used
      filled += made
      guard used > 0 || made > 0 else {
        // The library took nothing: silence rather than a thread that turns for ever.
        frame[filled...].update(repeating: 0)
        break
      }
    }
    return isSpeech
  }

  /// Decodes the next stretch.
  private func take(at now: Duration, ahead: Int) {
    start = 0
    // The stretch begins behind what this frame holds already.
    switch buffer.next(at: now, pending: .microseconds(ahead * 125 / 6)) {
    case .decode(let packet): end = decoder.decode(packet, into: decoded)
    case .fec(let packet, let samples):
      end = decoder.recover(from: packet, samples: samples, into: decoded)
    case .conceal(let samples): end = decoder.conceal(samples: samples, into: decoded)
    case .silence: end = 0
    }
    isSilence = end == 0
    guard isSilence else { return }
    // Short, so that speech begins when it is due.
    end = VoiceForm.frame / 4
    decoded[..<end].update(repeating: 0)
  }
}
