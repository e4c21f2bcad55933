import OrielModel
import OrielRTC

extension RTCFailure {
  /// The number of a failure of a connection, as a session ends with it.
  var errorCode: ErrorCode {
    switch self {
    case .malformedDescription, .unexpectedDescription, .unacceptableDescription: .descriptionMalformed
    case .malformedCandidate: .messageMalformed
    case .noPath: .connectionFailed
    case .pathLost: .connectionLost
    case .handshakeTimeout, .handshakeFailed, .fingerprintMismatch: .handshakeFailed
    case .closedByPeer: .connectionLost
    case .messageTooLarge: .messageMalformed
    case .notOpen: .sessionUnknown
    case .bufferFull: .tooFrequent
    case .system: .streamInnerError
    }
  }

  /// Whether it is ICE that failed, which a restart may mend.
  var isPath: Bool { self == .noPath || self == .pathLost }
}
