/// The life of a peer connection.
public enum PeerState: Sendable, Equatable {
  case new
  /// ICE checks or the DTLS handshake are under way.
  case connecting
  /// Media and data flow.
  case connected
  /// The path was lost (no consent, RFC 7675): an ICE restart may bring it back.
  case interrupted
  case failed(RTCFailure)
  case closed
}

/// Every way in which this library fails.
public enum RTCFailure: Error, Sendable, Equatable, CaseIterable {
  /// A description that is not SDP, or over a limit.
  case malformedDescription
  /// A description that breaks the order of offer and answer, or does not fit the one before.
  case unexpectedDescription
  /// A description without ICE credentials, fingerprint or anything in common.
  case unacceptableDescription
  case malformedCandidate
  /// No pair of candidates works.
  case noPath
  /// The path was lost and did not come back.
  case pathLost
  /// The DTLS handshake did not come to an end in time.
  case handshakeTimeout
  /// The DTLS handshake broke.
  case handshakeFailed
  /// The peer's certificate is not the one its description named.
  case fingerprintMismatch
  /// The peer ended the connection.
  case closedByPeer
  /// A message larger than the peer or this library takes.
  case messageTooLarge
  /// The data channel or the connection is not open.
  case notOpen
  /// More is waiting to be sent than this library keeps.
  case bufferFull
  /// A library or the system refused what should have worked.
  case system
}
