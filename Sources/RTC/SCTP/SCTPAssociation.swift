/// The SCTP association of a peer connection over DTLS (RFC 8261) and its data channels.
@RTCActor
final class SCTPAssociation {
  /// A channel that the peer opened.
  var onDataChannel: ((DataChannel) -> Void)?
  /// The association is lost or was ended by the peer; all channels are closed.
  var onClose: (() -> Void)?

  /// - Parameters:
  ///   - isClient: Whether this side is the DTLS client, which uses even stream numbers.
  ///   - send: Takes one SCTP packet, valid during the call, to be sent over DTLS.
  init(isClient: Bool, send: @escaping (UnsafeRawBufferPointer) -> Void) {}

  /// Begins the handshake; DTLS is up.
  func start() throws {}

  /// An SCTP packet that came over DTLS.
  func receive(_ packet: UnsafeRawBufferPointer) {}

  /// Opens a channel; may be called before `start`.
  func openChannel(label: String, ordered: Bool) -> DataChannel {
    DataChannel(label: label, isOrdered: ordered)
  }

  /// Ends the association; no callback follows.
  func close() {}
}
