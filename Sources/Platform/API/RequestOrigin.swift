import Foundation
import OrielNet

/// Where a request says it comes from and goes to.
enum RequestOrigin {
  /// A host, with a port or not, and nothing that could end the address it is put into.
  static func isAuthority(_ text: String) -> Bool {
    (1...260).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case 48...57, 65...90, 97...122: true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Whether a WebSocket may be opened: a browser names the page's origin, which must be this platform's own
  /// console; other programs name none. On the plain listener, which stands on loopback, the name must be
  /// loopback's or one that was configured, so that no page can point its own name at it.
  static func mayOpenWebSocket(_ request: HTTPRequest, publicNames: [String]) -> Bool {
    let origins = request.headers.values(of: "Origin")
    guard let origin = origins.first else { return true }
    guard origins.count == 1, let host = request.headers["Host"]?.lowercased(), isAuthority(host) else {
      return false
    }
    let schemes = request.isTLS ? ["https://"] : ["http://", "https://"]
    guard schemes.contains(where: { origin.lowercased() == $0 + host }) else { return false }
    return request.isTLS || isLoopback(host) || publicNames.contains { name(of: host) == $0.lowercased() }
  }

  /// Who asks: the peer, or whom a proxy on this machine names last. Only a platform that was told of a proxy
  /// (`publicNames`) believes one, since anybody can send the header.
  static func clientAddress(_ request: HTTPRequest, publicNames: [String]) -> String {
    guard !publicNames.isEmpty, !request.isTLS,
      let named = request.headers.values(of: "X-Forwarded-For").last?.split(separator: ",").last
    else { return request.remoteAddress }
    let address = named.trimmingCharacters(in: .whitespaces)
    var bytes = in6_addr()
    let isAddress = inet_pton(AF_INET, address, &bytes) == 1 || inet_pton(AF_INET6, address, &bytes) == 1
    return isAddress ? address : request.remoteAddress
  }

  private static func name(of authority: String) -> String {
    if authority.hasPrefix("[") {
      return String(authority.dropFirst().prefix { $0 != "]" })
    }
    return String(authority.prefix { $0 != ":" })
  }

  private static func isLoopback(_ authority: String) -> Bool {
    let name = name(of: authority)
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return name == "localhost" || name == "::1"
      || (parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil })
  }
}
