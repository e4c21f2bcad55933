internal import COpus
internal import CVoiceProcessing

/// Voice to Opus, 20 ms a packet, with in-band FEC: each packet repeats the one before it in a coarser form
/// (RFC 6716 section 2.1.7). Its owner keeps it to one thread, or behind a lock.
public final class VoiceEncoder {
  private let state: OpaquePointer
  private let bitrate: Int32
  private let packet: UnsafeMutableBufferPointer<UInt8>

  /// - Parameters:
  ///   - bitrate: bits a second, 6,000...128,000.
  ///   - expectedLoss: percent, 0...100; the more, the more the packets repeat. 0 leaves FEC out.
  /// - Throws: ``MediaFailure/unsupported(_:)`` when the library refuses.
  public init(bitrate: Int = 32_000, expectedLoss: Int = 10) throws(MediaFailure) {
    var error: Int32 = 0
    guard let state = opus_encoder_create(Int32(VoiceForm.rate), 1, OPUS_APPLICATION_VOIP, &error) else {
      throw .unsupported("voice encoding")
    }
    self.state = state
    self.bitrate = Int32(min(max(bitrate, 6_000), 128_000))
    packet = .allocate(capacity: 1_500)
    packet.initialize(repeating: 0)
    expect(loss: expectedLoss)
  }

  deinit {
    opus_encoder_destroy(state)
    packet.deallocate()
  }

  /// Follows the loss that the receiver reports, in percent.
  public func expect(loss: Int) {
    _ = oriel_opus_settings(UnsafeMutableRawPointer(state), bitrate, Int32(min(max(loss, 0), 100)))
  }

  /// Encodes 960 samples; nil for another count.
  public func encode(_ samples: UnsafeBufferPointer<Int16>) -> [UInt8]? {
    guard samples.count == VoiceForm.packet, let source = samples.baseAddress, let target = packet.baseAddress
    else { return nil }
    let size = opus_encode(state, source, Int32(VoiceForm.packet), target, Int32(packet.count))
    return size > 0 ? [UInt8](packet[..<Int(size)]) : nil
  }

  /// As above.
  public func encode(_ samples: [Int16]) -> [UInt8]? {
    samples.withUnsafeBufferPointer { encode($0) }
  }
}
