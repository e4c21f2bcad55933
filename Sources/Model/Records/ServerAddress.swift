import Foundation

/// Where a platform is and which key it must show.
///
/// `http://127.0.0.1:7080` (loopback only), `https://host:7443` (trusted by the system's authorities), or
/// `https://host:7443#sha256//BASE64`, whose fragment pins the server's public key.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
  /// Numeric without brackets, or a name.
  public let host: String
  public let port: UInt16
  public let isTLS: Bool
  /// "sha256//" and the base64 of the SHA-256 of the server's SubjectPublicKeyInfo.
  public let pin: String?

  /// - Throws: `OrielError` 400002 when the text is no such address.
  public init(_ text: String) throws {
    let bad = OrielError(
      .argumentError, "an address is http://127.0.0.1:7080 or https://host:7443#sha256//…")
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      var host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.query == nil,
      parts.path.isEmpty || parts.path == "/", parts.port.map({ (1...65_535).contains($0) }) ?? true
    else { throw bad }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), scheme == "http" || scheme == "https" else {
      throw bad
    }
    self.host = host
    isTLS = scheme == "https"
    port = UInt16(parts.port ?? (isTLS ? 443 : 80))
    pin = parts.fragment
    if let pin {
      guard isTLS, pin.hasPrefix("sha256//"), Data(base64Encoded: String(pin.dropFirst(8)))?.count == 32
      else {
        throw OrielError(.argumentError, "a fingerprint is sha256// and 44 characters of base64")
      }
    }
    guard isTLS || Self.isLoopback(host) else {
      throw OrielError(.argumentError, "plain http is for this machine only; use https")
    }
  }

  /// The address without its pin, as in a URL.
  public var origin: String {
    "\(isTLS ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  public var description: String { pin.map { "\(origin)#\($0)" } ?? origin }

  /// Whether a numeric address or a name means this machine.
  public static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension ServerAddress: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
