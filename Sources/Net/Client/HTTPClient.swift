import Foundation
public import OrielModel

/// What a server answered.
public struct HTTPClientResponse: Sendable {
  public let status: Int
  public let headers: HTTPHeaders
  public let body: [UInt8]

  /// The body as JSON.
  /// - Throws: `OrielError` 730003 when it is not what is asked for.
  public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
      throw OrielError(.platformAnswer, "status \(status), not the JSON that was expected")
    }
  }
}

/// A client of one server. Connections are kept and used again.
public struct HTTPClient: Sendable {
  public let address: ServerAddress
  private let connections: Connections

  /// Closes the kept connections with the last copy of the client.
  private final class Connections: Sendable {
    let core: ClientCore

    init(_ core: ClientCore) { self.core = core }

    deinit {
      let core = core
      core.loop.run { core.release() }
    }
  }

  public init(address: ServerAddress, loop: EventLoop) {
    self.address = address
    connections = Connections(ClientCore(loop: loop, address: address))
  }

  /// Sends a request and waits for the whole answer. Redirects are not followed. Cancelling the task ends it.
  /// - Parameters:
  ///   - path: decoded; it is percent-encoded here.
  ///   - maximumBody: bytes that the answer's body may have.
  /// - Throws: `OrielError` 730001 when the server cannot be reached or does not answer within `timeout`, 730002
  ///   when its key is not the pinned one or its certificate not trusted, 730003 when the answer is malformed or
  ///   too large, 760001 when cancelled.
  public func send(
    method: String = "GET", path: String, query: [(name: String, value: String)] = [],
    headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil, timeout: Duration = .seconds(15),
    maximumBody: Int = 16 << 20
  ) async throws -> HTTPClientResponse {
    let request = Transfer.Request(
      method: method, url: address.origin + Self.target(path, query), headers: headers, body: body,
      timeout: timeout, maximumBody: maximumBody, pin: address.pin)
    return try await connections.core.send(request)
  }

  /// Opens a WebSocket.
  /// - Throws: as `send`; 730003 too when the server does not speak WebSocket there.
  public func openWebSocket(
    path: String, query: [(name: String, value: String)] = [], headers: HTTPHeaders = HTTPHeaders(),
    maxMessage: Int = 1 << 20, timeout: Duration = .seconds(15)
  ) async throws -> WebSocket {
    let addresses = await ResolvedAddress.lookUp(address.host, port: address.port)
    let connection = try await connections.core.open(
      addresses: addresses, path: Self.target(path, query), headers: headers, maxMessage: maxMessage,
      timeout: timeout)
    return WebSocket(connection)
  }

  /// Closes the connections that are kept, and WebSockets with 1001. Requests under way fail with 760001; the
  /// client is of no use after it.
  public func close() async {
    let core = connections.core
    await core.loop.callOut { core.close() }
  }

  private static func target(_ path: String, _ query: [(name: String, value: String)]) -> String {
    let encoded = PercentEncoding.encode(path, also: "/:@!$&'()*+,;=")
    return (encoded.hasPrefix("/") ? encoded : "/" + encoded)
      + (query.isEmpty ? "" : "?" + FormURLEncoded.encode(query))
  }
}
