import Foundation

/// What a handler answers.
public struct HTTPResponse: Sendable {
  public enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A file of this machine: `Range`, `If-None-Match`, `ETag` and `Last-Modified` are seen to; 404 when it
    /// cannot be read. The path is the handler's to check.
    case file(path: String, contentType: String)
    /// Pieces, taken only as fast as the peer reads them. Make the stream with `unfolding:` when it should
    /// produce no faster either. Sent chunked unless the headers hold a Content-Length. A stream that throws
    /// cuts the connection, so that the peer sees that the answer is not whole.
    case stream(AsyncThrowingStream<[UInt8], any Error>)
    /// Turns the connection into a WebSocket; see `webSocket(maxMessage:_:)`.
    case webSocket(maxMessage: Int, @Sendable (WebSocket) async -> Void)
  }

  public var status: Int
  public var headers: HTTPHeaders
  public var body: Body

  public init(status: Int = 200, headers: HTTPHeaders = HTTPHeaders(), body: Body = .none) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A JSON answer; 500 when the value cannot be encoded.
  public static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return HTTPResponse(status: 500) }
    return HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"], body: .bytes([UInt8](data)))
  }

  /// A text answer.
  public static func text(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .bytes([UInt8](text.utf8))
    )
  }

  /// A file; see `Body.file`.
  public static func file(path: String, contentType: String) -> HTTPResponse {
    HTTPResponse(body: .file(path: path, contentType: contentType))
  }

  /// Turns the connection into a WebSocket (RFC 6455); 400 or 426 when the request does not ask for one.
  ///
  /// `body` runs as a task on the server's loop; when it returns, the socket is closed with 1000.
  /// - Parameter maxMessage: bytes that a message of the peer may have; more closes with 1009.
  public static func webSocket(
    maxMessage: Int = 65_536, _ body: @escaping @Sendable (WebSocket) async -> Void
  )
    -> HTTPResponse
  {
    HTTPResponse(status: 101, body: .webSocket(maxMessage: maxMessage, body))
  }
}

/// Answers a request. It runs as a task on the server's loop: what it does before it first suspends costs no
/// change of thread, and what takes long must not be done there. It is cancelled when the peer goes away.
public typealias HTTPHandler = @Sendable (HTTPRequest) async -> HTTPResponse
