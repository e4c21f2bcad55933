/// The head of a request, read strictly: what two readers could understand differently is refused
/// (RFC 9112, and the request smuggling forms known from servers that are laxer).
struct RequestHead {
  enum BodyLength: Equatable {
    case none
    case fixed(Int)
    case chunked
  }

  /// Bytes of a method, an own limit.
  static let maximumMethod = 32

  let method: String
  let target: RequestTarget
  let headers: HTTPHeaders
  let bodyLength: BodyLength
  let keepsAlive: Bool
  let isVersion10: Bool
  let expectsContinue: Bool

  /// - Parameter bytes: a whole head with its empty line, as `HeadScanner` finds it.
  init(_ bytes: UnsafeRawBufferPointer, maximumFields: Int) throws(HTTPRefusal) {
    var position = 0
    while position < bytes.count, FieldParser.isToken(bytes[position]) { position += 1 }
    guard (1...Self.maximumMethod).contains(position), position < bytes.count, bytes[position] == 0x20 else {
      throw .malformed("the method is malformed")
    }
    method = String(decoding: bytes[0..<position], as: UTF8.self)
    let targetStart = position + 1
    position = targetStart
    while position < bytes.count, bytes[position] > 0x20, bytes[position] < 0x7f { position += 1 }
    guard position > targetStart, position + 11 <= bytes.count, bytes[position] == 0x20 else {
      throw .malformed("the target is malformed")
    }
    let rawTarget = String(decoding: bytes[targetStart..<position], as: UTF8.self)
    let version = bytes[(position + 1)..<(position + 9)]
    guard version.starts(with: "HTTP/".utf8), bytes[position + 9] == 0x0d, bytes[position + 10] == 0x0a else {
      throw .malformed("the version is malformed")
    }
    isVersion10 = version.elementsEqual("HTTP/1.0".utf8)
    guard isVersion10 || version.elementsEqual("HTTP/1.1".utf8) else {
      throw HTTPRefusal(505, "HTTP/1.1 is spoken")
    }
    headers = try FieldParser.parse(bytes, from: position + 11, maximum: maximumFields)
    try Self.checkHost(headers, isRequired: !isVersion10)
    bodyLength = try Self.bodyLength(headers, method: method, isVersion10: isVersion10)
    keepsAlive =
      isVersion10
      ? headers.contains("keep-alive", in: "Connection") : !headers.contains("close", in: "Connection")
    let expectation = headers.values(of: "Expect")
    expectsContinue = !expectation.isEmpty && bodyLength != .none
    guard expectation.allSatisfy({ HTTPHeaders.isSame($0, "100-continue") }) else {
      throw HTTPRefusal(417, "only 100-continue can be expected")
    }
    guard method != "CONNECT", method != "TRACE" else { throw HTTPRefusal(405, "\(method) is not served") }
    target = try RequestTarget(rawTarget, method: method)
  }

  private static func checkHost(_ headers: HTTPHeaders, isRequired: Bool) throws(HTTPRefusal) {
    let hosts = headers.values(of: "Host")
    guard hosts.count == 1 || (hosts.isEmpty && !isRequired) else { throw .malformed("Host must stand once") }
    let isSound = hosts.allSatisfy { host in
      host.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["),
          UInt8(ascii: "]"), UInt8(ascii: "%"), UInt8(ascii: "~"):
          true
        default: false
        }
      }
    }
    guard isSound else { throw .malformed("Host is malformed") }
  }

  private static func bodyLength(_ headers: HTTPHeaders, method: String, isVersion10: Bool)
    throws(HTTPRefusal)
    -> BodyLength
  {
    let lengths = headers.values(of: "Content-Length")
    let codings = headers.values(of: "Transfer-Encoding")
    guard lengths.count <= 1 else { throw .malformed("Content-Length stands twice") }
    var result = BodyLength.none
    if let text = lengths.first {
      let digits = text.utf8
      guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
        let length = Int(text)
      else { throw .malformed("Content-Length is malformed") }
      if length > 0 { result = .fixed(length) }
    }
    if !codings.isEmpty {
      guard lengths.isEmpty else { throw .malformed("Content-Length and Transfer-Encoding stand together") }
      guard !isVersion10, codings.count == 1, HTTPHeaders.isSame(codings[0], "chunked") else {
        throw .malformed("the one transfer coding is chunked")
      }
      result = .chunked
    }
    guard result == .none || (method != "GET" && method != "HEAD") else {
      throw .malformed("\(method) has no body")
    }
    return result
  }
}
