/// Reads header lines, strictly (RFC 9112 section 5, RFC 9110 section 5.5).
enum FieldParser {
  /// Reads the lines between `start` and the empty line that ends the head.
  static func parse(_ bytes: UnsafeRawBufferPointer, from start: Int, maximum: Int) throws(HTTPRefusal)
    -> HTTPHeaders
  {
    var fields: [(name: String, value: String)] = []
    var position = start
    while position + 2 < bytes.count {
      guard fields.count < maximum else { throw HTTPRefusal(431, "too many header fields") }
      let nameStart = position
      while position < bytes.count, isToken(bytes[position]) { position += 1 }
      // A space before the colon and a folded line end up here too.
      guard position > nameStart, position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
        throw .malformed("a header name is malformed")
      }
      let name = String(decoding: bytes[nameStart..<position], as: UTF8.self)
      position += 1
      var valueStart = position
      while position < bytes.count, isValue(bytes[position]) { position += 1 }
      guard position + 1 < bytes.count, bytes[position] == 0x0d, bytes[position + 1] == 0x0a else {
        throw .malformed("a header value holds a control character")
      }
      var valueEnd = position
      while valueStart < valueEnd, isBlank(bytes[valueStart]) { valueStart += 1 }
      while valueEnd > valueStart, isBlank(bytes[valueEnd - 1]) { valueEnd -= 1 }
      guard let value = String(validating: bytes[valueStart..<valueEnd], as: UTF8.self) else {
        throw .malformed("a header value is not UTF-8")
      }
      fields.append((name: name, value: value))
      position += 2
    }
    guard position + 2 == bytes.count, bytes[position] == 0x0d, bytes[position + 1] == 0x0a else {
      throw .malformed("the head does not end with an empty line")
    }
    return HTTPHeaders(fields)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isValue(_ byte: UInt8) -> Bool { byte >= 0x20 ? byte != 0x7f : byte == 0x09 }

  /// RFC 9110 section 5.6.2.
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e, 0x5f, 0x60, 0x7c, 0x7e: true
    default: false
    }
  }
}
