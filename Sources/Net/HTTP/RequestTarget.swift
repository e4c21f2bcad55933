/// The target of a request: its path decoded and normalised, its query taken apart (RFC 3986).
struct RequestTarget: Equatable {
  let raw: String
  let path: String
  let query: [(name: String, value: String)]

  static func == (one: RequestTarget, other: RequestTarget) -> Bool { one.raw == other.raw }

  init(_ raw: String, method: String) throws(HTTPRefusal) {
    self.raw = raw
    if raw == "*", method == "OPTIONS" {
      path = "*"
      query = []
      return
    }
    var rest = Substring(raw)
    for scheme in ["http://", "https://"] where raw.lowercased().hasPrefix(scheme) {
      // The absolute form, which every server must take (RFC 9112 section 3.2.2).
      rest = rest.dropFirst(scheme.count)
      rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    }
    guard rest.utf8.first == UInt8(ascii: "/"), !rest.utf8.contains(UInt8(ascii: "#")) else {
      throw .malformed("the target is no path")
    }
    let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
    path = try Self.normalised(rest[..<(mark ?? rest.endIndex)])
    query =
      try mark.map { (mark) throws(HTTPRefusal) in try Self.pairs(rest[rest.utf8.index(after: mark)...]) }
      ?? []
  }

  private static func normalised(_ text: Substring) throws(HTTPRefusal) -> String {
    let isPlain = text.utf8.allSatisfy { $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: ".") }
    if isPlain, !text.contains("//"), !text.utf8.contains(UInt8(ascii: "\\")) { return String(text) }
    var segments: [String] = []
    let parts = text.split(separator: "/", omittingEmptySubsequences: true)
    for part in parts {
      guard let segment = decoded(part, plusIsSpace: false),
        segment.utf8.allSatisfy({
          $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\")
        })
      else { throw .malformed("the path is malformed") }
      switch segment {
      case ".": break
      case "..":
        guard segments.popLast() != nil else { throw .malformed("the path leaves the root") }
      default: segments.append(segment)
      }
    }
    let isFolder = text.hasSuffix("/") || parts.last == "." || parts.last == ".."
    return "/" + segments.joined(separator: "/") + (isFolder && !segments.isEmpty ? "/" : "")
  }

  static func pairs(_ text: Substring) throws(HTTPRefusal) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for part in text.split(separator: "&") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(sides[0], plusIsSpace: true),
        let value = sides.count > 1 ? decoded(sides[1], plusIsSpace: true) : ""
      else { throw .malformed("the query is malformed") }
      pairs.append((name: name, value: value))
    }
    return pairs
  }

  /// Undoes percent encoding; nil when it is malformed or gives no UTF-8.
  private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var iterator = text.utf8.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(HexDigit.value),
          let low = iterator.next().flatMap(HexDigit.value)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

enum HexDigit {
  static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}

/// Decodes `application/x-www-form-urlencoded`, as the lapp API's bodies are.
public enum FormURLEncoded {
  /// The pairs in order; nil when the text is malformed or not UTF-8.
  public static func decode(_ bytes: [UInt8]) -> [(name: String, value: String)]? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return try? RequestTarget.pairs(Substring(text))
  }

  /// Encodes pairs.
  public static func encode(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(
      separator: "&")
  }
}

enum PercentEncoding {
  /// Leaves the unreserved characters (RFC 3986 section 2.3) and `also` as they are.
  static func encode(_ text: String, also: String = "") -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      case _ where also.utf8.contains(byte): bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
