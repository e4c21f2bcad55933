import OrielModel

/// An HTTP/1.1 server with WebSockets.
public final class HTTPServer: Sendable {
  private let loop: EventLoop

  public init(configuration: HTTPServerConfiguration, loop: EventLoop, handler: @escaping HTTPHandler) {
    self.loop = loop
  }

  /// Listens.
  /// - Returns: the addresses, in the order of the configuration's listeners, with their real ports.
  /// - Throws: `OrielError` 730009 when an address is in use or not this machine's; 400002 when plain HTTP is
  ///   asked for beyond loopback.
  public func start() async throws -> [SocketAddress] { throw OrielError(.serverError) }

  /// Stops: listens no more, closes idle connections, closes WebSockets with 1001, lets running requests
  /// finish, and cuts what is left after `limit`.
  public func drain(within limit: Duration = .seconds(5)) async {}

  /// Connections at the moment.
  public var connectionCount: Int { get async { 0 } }
}
