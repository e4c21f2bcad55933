/// The user fragment and password of one side of an ICE session (RFC 8839 section 5.4).
struct ICECredentials: Sendable, Equatable {
  var fragment: String
  var password: String

  /// The characters and lengths that RFC 8839 allows.
  var isValid: Bool {
    let allowed = { (byte: UInt8) in
      byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "=")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    return (4...256).contains(fragment.utf8.count) && (22...256).contains(password.utf8.count)
      && fragment.utf8.allSatisfy(allowed) && password.utf8.allSatisfy(allowed)
  }
}

/// The pair of candidates that carries the datagrams.
struct ICESelectedPair: Sendable, Equatable {
  var local: ICECandidate.Kind
  var remote: ICECandidate.Kind
}

enum ICEState: Sendable, Equatable { case new, checking, connected, failed }

/// One ICE session: gathers, checks, and carries datagrams. Behind it may be an agent with sockets of its
/// own, or (for a relay with very many viewers) a lite responder on one shared port.
@RTCActor
protocol ICEAgent: DatagramPath {
  /// What the local description says.
  var localCredentials: ICECredentials { get }
  /// Local candidates so far, as SDP values (`candidate:…`).
  var localCandidates: [String] { get }
  var hasGathered: Bool { get }
  var state: ICEState { get }
  var selectedPair: ICESelectedPair? { get }

  var onCandidate: ((String) -> Void)? { get set }
  var onGathered: (() -> Void)? { get set }
  var onState: ((ICEState) -> Void)? { get set }
  /// The pair on which to send has changed; the first one makes the agent writable.
  var onSelectedPair: (() -> Void)? { get set }
  /// A datagram that is not STUN; valid during the call.
  var onDatagram: ((UnsafeRawBufferPointer) -> Void)? { get set }

  func gather()
  func setControlling(_ isControlling: Bool)
  func setRemoteCredentials(_ credentials: ICECredentials)
  func addRemoteCandidate(_ candidate: ICECandidate)
  func endRemoteCandidates()
  /// No callback comes after.
  func close()
}
