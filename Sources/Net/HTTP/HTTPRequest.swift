/// A request whose head has been read and found sound (RFC 9112).
public struct HTTPRequest: Sendable {
  public var method: String
  /// Percent-decoded, without `.` and `..`, starting with a slash.
  public var path: String
  /// The target as it was sent, query and all.
  public var rawTarget: String
  /// The query's pairs, decoded as `application/x-www-form-urlencoded`.
  public var query: [(name: String, value: String)]
  public var headers: HTTPHeaders
  /// The peer's address without its port.
  public var remoteAddress: String
  public var isTLS: Bool
  public var body: HTTPBody

  public init(
    method: String, path: String, rawTarget: String? = nil, query: [(name: String, value: String)] = [],
    headers: HTTPHeaders = HTTPHeaders(), remoteAddress: String = "127.0.0.1", isTLS: Bool = false,
    body: HTTPBody = HTTPBody()
  ) {
    self.method = method
    self.path = path
    self.rawTarget = rawTarget ?? path
    self.query = query
    self.headers = headers
    self.remoteAddress = remoteAddress
    self.isTLS = isTLS
    self.body = body
  }

  /// The first value of a query parameter.
  public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
