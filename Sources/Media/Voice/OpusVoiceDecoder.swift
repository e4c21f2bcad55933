internal import COpus

/// The C edge to libopus's decoder, 48 kHz and one channel: here rather than GStreamer's, since the play-out asks for
/// each stretch of sound when it is due, and says whether the packet, its repetition or nothing is there.
final class OpusVoiceDecoder {
  /// RFC 6716 section 2.1.4: a packet holds 120 ms at most.
  static let samplesLimit = 5_760

  private let state: OpaquePointer

  init?() {
    var error: Int32 = 0
    guard let state = opus_decoder_create(Int32(VoiceForm.rate), 1, &error) else { return nil }
    self.state = state
  }

  deinit { opus_decoder_destroy(state) }

  /// Samples of 48 kHz that the packet holds; nil when it is none.
  static func samples(in packet: [UInt8]) -> Int? {
    let count = packet.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map {
        opus_packet_get_nb_samples($0, Int32(clamping: bytes.count), Int32(VoiceForm.rate))
      }
    }
    guard let count, !packet.isEmpty, count > 0, count <= samplesLimit else { return nil }
    return Int(count)
  }

  /// Returns the samples made; 0 for a packet that cannot be read.
  func decode(_ packet: [UInt8], into output: UnsafeMutableBufferPointer<Int16>) -> Int {
    run(packet, output, output.count, repetition: false)
  }

  /// What the packet repeats of the one before it, or a made-up stretch where it repeats nothing.
  func recover(from packet: [UInt8], samples: Int, into output: UnsafeMutableBufferPointer<Int16>) -> Int {
    run(packet, output, samples, repetition: true)
  }

  /// A made-up stretch that goes on as the sound before it and fades.
  func conceal(samples: Int, into output: UnsafeMutableBufferPointer<Int16>) -> Int {
    run([], output, samples, repetition: false)
  }

  private func run(
    _ packet: [UInt8], _ output: UnsafeMutableBufferPointer<Int16>, _ samples: Int, repetition: Bool
  ) -> Int {
    guard let target = output.baseAddress else { return 0 }
    // libopus conceals in steps of 2.5 ms.
    let count = min(samples, output.count) / 120 * 120
    let made = packet.withUnsafeBufferPointer {
      opus_decode(
        state, $0.isEmpty ? nil : $0.baseAddress, Int32(clamping: $0.count), target, Int32(clamping: count),
        repetition ? 1 : 0)
    }
    return max(Int(made), 0)
  }
}
