/// An address that a server listens on.
public struct HTTPListener: Sendable {
  /// A numeric address or a name of this machine, such as "127.0.0.1", "::" or "localhost".
  public var host: String
  /// 0 = any free port.
  public var port: UInt16
  /// nil = plain HTTP, which is refused on addresses other than loopback.
  public var tls: TLSIdentity?

  public init(host: String, port: UInt16, tls: TLSIdentity? = nil) {
    self.host = host
    self.port = port
    self.tls = tls
  }
}

/// Where a server listens and what it allows a peer.
public struct HTTPServerConfiguration: Sendable {
  public var listeners: [HTTPListener]
  public var limits = HTTPLimits()

  public init(listeners: [HTTPListener], limits: HTTPLimits = HTTPLimits()) {
    self.listeners = listeners
    self.limits = limits
  }
}

/// What a server allows a peer. Deadlines are looked at every half second.
public struct HTTPLimits: Sendable {
  /// From the first byte of a connection (TLS handshake included) or of a later request to the end of its head.
  public var headerDeadline: Duration = .seconds(10)
  /// Bytes of a request's head; more is answered 431.
  public var headerBytes = 16_384
  /// Header fields of a request; more is answered 431.
  public var headerFields = 100
  /// Bytes of a request's body; more is answered 413.
  public var bodyBytes = 64 << 20
  /// How long a body may bring nothing while it is waited for.
  public var bodyStall: Duration = .seconds(20)
  /// How long a connection may wait for its next request.
  public var idle: Duration = .seconds(60)
  /// How long a peer may take nothing of what is to be sent to it.
  public var writeStall: Duration = .seconds(20)
  /// Connections of one address (of one /64 with IPv6) at a time.
  public var connectionsPerAddress = 1024
  /// Connections at a time.
  public var connections = 20_000
  /// Silence after which a WebSocket is pinged.
  public var webSocketPing: Duration = .seconds(20)
  /// Silence after a ping until a WebSocket counts as dead.
  public var webSocketDead: Duration = .seconds(10)

  public init() {}
}

/// An address that a server listens on or a peer has.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// Numeric, without brackets.
  public let host: String
  public let port: UInt16

  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
