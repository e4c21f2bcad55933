/// The RTP and RTCP of one peer connection: protects and opens packets, finds the receiver a packet is
/// for, reports. Lives from the first description on; media flows once it has keys.
@RTCActor
final class MediaSession {
  private let path: any DatagramPath

  init(path: any DatagramPath) { self.path = path }

  /// The keys of the DTLS handshake. May be called again after a new handshake.
  func setKeys(_ material: SRTPKeyingMaterial) throws {}

  /// Connects a media section's sender and receiver with what was agreed on; again after renegotiation.
  func bind(_ media: NegotiatedMedia, sender: MediaSender, receiver: MediaReceiver) {}

  /// A datagram whose first byte is 128...191 (RFC 7983).
  func receive(_ datagram: UnsafeRawBufferPointer) {}

  /// Says BYE and lets go of feeds, timers and callbacks.
  func close() {}
}
