import CEvent
import CNetShims
import Foundation
import OrielModel

/// The listeners and connections of a server.
///
/// `@unchecked Sendable`: only the loop's thread touches it; others reach it through `EventLoop.run`.
final class ServerCore: @unchecked Sendable {
  let loop: EventLoop
  let limits: HTTPLimits
  let handler: HTTPHandler
  let ticker: Ticker
  private var listeners: [Listener] = []
  private var perAddress: [String: Int] = [:]
  private(set) var isDraining = false
  private var drained: [CheckedContinuation<Void, Never>] = []
  private var date = (seconds: 0, text: "")

  init(loop: EventLoop, limits: HTTPLimits, handler: @escaping HTTPHandler) {
    self.loop = loop
    self.limits = limits
    self.handler = handler
    ticker = Ticker(loop: loop)
  }

  var connectionCount: Int { ticker.count }

  // MARK: Listening

  func listen(_ configured: [HTTPListener]) throws -> [SocketAddress] {
    guard listeners.isEmpty, !isDraining else {
      throw OrielError(.argumentError, "the server has been started before")
    }
    raiseDescriptorLimit()
    do {
      for one in configured {
        listeners.append(
          try Listener(loop: loop, one) { [weak self] descriptor, address in
            self?.accept(descriptor, address, one.tls)
          })
      }
    } catch {
      listeners = []
      throw error
    }
    return listeners.map(\.address)
  }

  /// A server with many sockets needs more than the customary 1024 descriptors.
  private func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private func accept(_ descriptor: Int32, _ address: ResolvedAddress, _ tls: TLSIdentity?) {
    let host = address.socketAddress.host
    let key = Self.key(of: host)
    guard !isDraining, connectionCount < limits.connections,
      perAddress[key, default: 0] < limits.connectionsPerAddress,
      let stream = makeStream(descriptor, tls)
    else {
      close(descriptor)
      return
    }
    perAddress[key, default: 0] += 1
    ticker.add(HTTPConnection(core: self, stream: stream, remoteAddress: host))
  }

  private func makeStream(_ descriptor: Int32, _ tls: TLSIdentity?) -> SocketStream? {
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
    guard let tls else { return SocketStream(loop: loop, accepted: descriptor, tls: nil) }
    return tls.context.makeConnection().flatMap { SocketStream(loop: loop, accepted: descriptor, tls: $0) }
  }

  /// Whoever has one IPv6 address has its /64.
  static func key(of host: String) -> String {
    var address = in6_addr()
    guard host.contains(":"), inet_pton(AF_INET6, host, &address) == 1 else { return host }
    return withUnsafeBytes(of: &address) { bytes in
      let isMapped = bytes[0..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
      return isMapped ? host : bytes[0..<8].map { String($0, radix: 16) }.joined(separator: ":")
    }
  }

  // MARK: Connections

  /// A connection is over, or has become a WebSocket that counts on.
  func remove(_ connection: any Ticking, remoteAddress: String) {
    ticker.remove(connection)
    let key = Self.key(of: remoteAddress)
    let left = perAddress[key, default: 1] - 1
    perAddress[key] = left > 0 ? left : nil
    if isDraining, connectionCount == 0 { finishDrain() }
  }

  /// The WebSocket that a connection becomes.
  func upgrade(_ connection: HTTPConnection, maxMessage: Int) -> WebSocketConnection? {
    let settings = WebSocketConnection.Settings(
      maxMessage: maxMessage, ping: limits.webSocketPing.ticks, dead: limits.webSocketDead.ticks,
      writeStall: limits.writeStall.ticks)
    let socket = WebSocketConnection(
      stream: connection.stream, loop: loop, ticker: ticker, remoteAddress: connection.remoteAddress,
      settings: settings, isServer: true
    ) { [weak self] socket in self?.remove(socket, remoteAddress: socket.remoteAddress) }
    if socket != nil { ticker.remove(connection) }
    return socket
  }

  /// The time for `Date`, written once a second.
  var dateText: String {
    let now = time(nil)
    if now != date.seconds { date = (now, HTTPDate.format(now)) }
    return date.text
  }

  // MARK: Draining

  func startDrain() {
    guard !isDraining else { return }
    isDraining = true
    listeners = []
    for member in ticker.all {
      if let connection = member as? HTTPConnection { connection.drain() }
      if let socket = member as? WebSocketConnection { socket.close(code: 1001, reason: []) }
    }
  }

  func awaitDrained(_ continuation: CheckedContinuation<Void, Never>) {
    if connectionCount == 0 { continuation.resume() } else { drained.append(continuation) }
  }

  func cutAll() {
    for member in ticker.all {
      if let connection = member as? HTTPConnection { connection.end() }
      if let socket = member as? WebSocketConnection { socket.end() }
    }
  }

  private func finishDrain() { for continuation in exchange(&drained, with: []) { continuation.resume() } }
}
