import Foundation
import OrielCrypto
import OrielNet

/// Signs a request (AWS Signature Version 4, "Authenticating Requests: Using the Authorization Header"). Pure.
struct S3Signature: Sendable {
  let credentials: S3Credentials
  let region: String

  /// What is signed. Path and query hold only what is sent as it is, or is encoded as RFC 3986 says.
  struct Request: Sendable {
    var method: String
    /// As it goes into the `Host` field.
    var host: String
    var path: String
    var query: [(name: String, value: String)] = []
    /// Further fields to sign, such as `range`; lower case.
    var headers: [(name: String, value: String)] = []
    var bodyDigest: [UInt8]
  }

  /// The fields to send with it.
  /// - Parameter time: seconds since 1970; a server allows a quarter of an hour of difference.
  func headers(for request: Request, at time: Int64) -> HTTPHeaders {
    let stamp = Self.stamp(time)
    let digest = Self.hexadecimal(request.bodyDigest)
    let fields =
      (request.headers + [
        (name: "host", value: request.host), (name: "x-amz-content-sha256", value: digest),
        (name: "x-amz-date", value: stamp),
      ]).sorted { $0.name < $1.name }
    let names = fields.map(\.name).joined(separator: ";")
    let query = request.query.map { (Self.encode($0.name), Self.encode($0.value)) }
      .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    let canonical = """
      \(request.method)
      \(request.path)
      \(query)
      \(fields.map { "\($0.name):\($0.value)" }.joined(separator: "\n"))

      \(names)
      \(digest)
      """
    let day = String(stamp.prefix(8))
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = """
      AWS4-HMAC-SHA256
      \(stamp)
      \(scope)
      \(Self.hexadecimal(Digest.sha256(Array(canonical.utf8))))
      """
    let key = ["AWS4" + credentials.secret, day, region, "s3", "aws4_request"].map { Array($0.utf8) }
    let signing = key.dropFirst().reduce(key[0]) { Digest.hmacSHA256($1, key: $0) }
    let signature = Self.hexadecimal(Digest.hmacSHA256(Array(text.utf8), key: signing))
    var headers = HTTPHeaders()
    for field in fields where field.name != "host" { headers.add(field.name, field.value) }
    headers.add(
      "Authorization",
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    )
    return headers
  }

  /// `20130524T000000Z`.
  static func stamp(_ time: Int64) -> String {
    var seconds = time_t(time)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))T"
      + "\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func encode(_ text: String) -> String {
    var allowed = CharacterSet()
    allowed.insert(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
  }
}
