import OrielModel

/// An HTTP/1.1 server with WebSockets.
///
/// Heads are read strictly (`RequestHead`), every peer is bounded in time and bytes (`HTTPLimits`), and bodies go
/// both ways only as fast as they are taken.
public final class HTTPServer: Sendable {
  private let configuration: HTTPServerConfiguration
  private let core: ServerCore

  public init(configuration: HTTPServerConfiguration, loop: EventLoop, handler: @escaping HTTPHandler) {
    self.configuration = configuration
    core = ServerCore(loop: loop, limits: configuration.limits, handler: handler)
  }

  deinit {
    let core = core
    core.loop.perform {
      core.startDrain()
      core.cutAll()
    }
  }

  /// Listens.
  /// - Returns: the addresses, in the order of the configuration's listeners, with their real ports.
  /// - Throws: `OrielError` 730009 when an address is in use or not this machine's; 400002 when plain HTTP is
  ///   asked for beyond loopback.
  public func start() async throws -> [SocketAddress] {
    try await core.loop.call { [core, configuration] in try core.listen(configuration.listeners) }
  }

  /// Stops: listens no more, closes idle connections, closes WebSockets with 1001, lets running requests
  /// finish, and cuts what is left after `limit`.
  public func drain(within limit: Duration = .seconds(5)) async {
    let core = core
    let cut = Task {
      try await Task.sleep(for: limit)
      core.loop.run { core.cutAll() }
    }
    await withCheckedContinuation { continuation in
      core.loop.run {
        core.startDrain()
        core.awaitDrained(continuation)
      }
    }
    cut.cancel()
  }

  /// Connections at the moment.
  public var connectionCount: Int {
    get async { (try? await core.loop.call { [core] in core.connectionCount }) ?? 0 }
  }
}
