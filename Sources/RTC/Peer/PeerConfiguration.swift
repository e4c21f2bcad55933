/// A STUN or TURN server (RFC 8445, RFC 8656).
public struct ICEServer: Sendable, Equatable {
  /// `stun:host[:port]`, `turn:host[:port][?transport=udp|tcp]`. Other forms are left out,
  /// `turns:` among them.
  public var urls: [String]
  public var username: String
  public var credential: String

  public init(urls: [String], username: String = "", credential: String = "") {
    self.urls = urls
    self.username = username
    self.credential = credential
  }
}

/// How a peer connection is to be made.
public struct PeerConfiguration: Sendable {
  public var iceServers: [ICEServer]
  /// Only relayed candidates are offered and used.
  public var relayOnly: Bool
  /// Loopback addresses are candidates too; nil: when the machine has no other address, or a server is
  /// reached over loopback.
  public var includeLoopback: Bool?

  public init(iceServers: [ICEServer] = [], relayOnly: Bool = false, includeLoopback: Bool? = nil) {
    self.iceServers = iceServers
    self.relayOnly = relayOnly
    self.includeLoopback = includeLoopback
  }
}
