/// One address of a STUN or TURN server (RFC 7064, RFC 7065).
struct ICEServerAddress: Sendable, Equatable {
  enum Scheme: Sendable { case stun, turnUDP, turnTCP, turnTLS }

  var scheme: Scheme
  var host: String
  var port: UInt16

  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// nil: a scheme or a form that is not supported; such an address is left out.
  init?(_ url: String) {
    guard url.utf8.count <= 512, let colon = url.firstIndex(of: ":") else { return nil }
    var rest = url[url.index(after: colon)...]
    var isTCP = false
    if let question = rest.firstIndex(of: "?") {
      switch rest[rest.index(after: question)...] {
      case "transport=udp": break
      case "transport=tcp": isTCP = true
      default: return nil
      }
      rest = rest[..<question]
    }
    switch url[..<colon].lowercased() {
    case "stun": scheme = .stun
    case "turn": scheme = isTCP ? .turnTCP : .turnUDP
    case "turns": scheme = .turnTLS
    default: return nil
    }
    var portText: Substring?
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      let after = rest[rest.index(after: end)...]
      if after.hasPrefix(":") { portText = after.dropFirst() } else if !after.isEmpty { return nil }
    } else if let colon = rest.firstIndex(of: ":") {
      host = String(rest[..<colon])
      portText = rest[rest.index(after: colon)...]
    } else {
      host = String(rest)
    }
    let allowed = { (byte: UInt8) in
      byte.isHexDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
    }
    guard !host.isEmpty, host.utf8.allSatisfy(allowed) else { return nil }
    if let portText {
      guard let number = UInt16(portText), number > 0 else { return nil }
      port = number
    } else {
      port = scheme == .turnTLS ? 5349 : 3478
    }
  }
}
