/// The SCTP association of a peer connection over DTLS (RFC 8261) and its data channels.
@RTCActor
final class SCTPAssociation {
  /// A channel that the peer opened.
  var onDataChannel: ((DataChannel) -> Void)?
  /// The association is lost or was ended by the peer; all channels are closed.
  var onClose: (() -> Void)?

  /// - Parameter send: Takes one SCTP packet, valid during the call, to be sent over DTLS.
  init(send: @escaping (UnsafeRawBufferPointer) -> Void) {}

  /// Begins the handshake; DTLS is up.
  /// - Parameter isClient: Whether this side is the DTLS client, which uses even stream numbers. Who opens
  ///   a channel before there is an answer cannot know it, so it is said here and not before.
  func start(isClient: Bool) throws {}

  /// An SCTP packet that came over DTLS.
  func receive(_ packet: UnsafeRawBufferPointer) {}

  /// Opens a channel; may be called before `start`.
  func openChannel(label: String, ordered: Bool) -> DataChannel {
    DataChannel(label: label, isOrdered: ordered)
  }

  /// Ends the association; no callback follows.
  func close() {}
}
