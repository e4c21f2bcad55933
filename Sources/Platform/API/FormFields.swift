import Foundation
import OrielModel
import OrielNet

/// The parameters of a lapp call: query and body in one, since clients put them in either.
struct FormFields: Sendable {
  static let bodyLimit = 64 * 1024
  static let fieldLimit = 200

  private var values: [String: String] = [:]

  /// - Throws: `OrielError` 110001 when the body is no form.
  init(_ request: HTTPRequest) async throws {
    for (name, value) in request.query { add(name, value) }
    let body = try await request.body.collect(upTo: Self.bodyLimit)
    guard !body.isEmpty else { return }
    let type = request.headers["Content-Type"] ?? "application/x-www-form-urlencoded"
    switch type.prefix(while: { $0 != ";" }).trimmingCharacters(in: .whitespaces).lowercased() {
    case "application/x-www-form-urlencoded":
      for (name, value) in try Self.urlEncoded(body) { add(name, value) }
    case "multipart/form-data":
      for (name, value) in try Self.multipart(body, type: type) { add(name, value) }
    default: throw OrielError(.parameterError, "the body is no form")
    }
  }

  /// The body wins over the query.
  private mutating func add(_ name: String, _ value: String) { values[name] = value }

  /// A value without the blanks around it; nil when it is absent or empty.
  subscript(name: String) -> String? {
    guard let value = values[name]?.trimmingCharacters(in: .whitespacesAndNewlines), !value.isEmpty else {
      return nil
    }
    return value
  }

  /// - Throws: `OrielError` 110001 when it is absent or empty.
  func required(_ name: String) throws -> String {
    guard let value = self[name] else { throw OrielError(.parameterError, "\(name) is missing") }
    return value
  }

  /// - Throws: `OrielError` 110001 when it is no number of the range.
  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw OrielError(.parameterError, "\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  // MARK: Reading

  /// `application/x-www-form-urlencoded` (WHATWG URL, section 5.1).
  static func urlEncoded(_ body: [UInt8]) throws -> [(String, String)] {
    let pairs = body.split(separator: UInt8(ascii: "&"))
    guard pairs.count <= fieldLimit else { throw OrielError(.parameterError, "too many fields") }
    return try pairs.map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (try decoded(parts[0]), parts.count > 1 ? try decoded(parts[1]) : "")
    }
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) throws -> String {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "+"): plain.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]),
          let low = digit(bytes[index + 2])
        else { throw OrielError(.parameterError, "a form field is malformed") }
        plain.append(high << 4 | low)
        index += 2
      case let byte: plain.append(byte)
      }
      index += 1
    }
    guard let text = String(validating: plain, as: UTF8.self) else {
      throw OrielError(.parameterError, "a form field is not UTF-8")
    }
    return text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }

  /// `multipart/form-data` (RFC 7578), text fields only.
  static func multipart(_ body: [UInt8], type: String) throws -> [(String, String)] {
    let malformed = OrielError(.parameterError, "the form is malformed")
    guard let boundary = parameter("boundary", of: type), (1...70).contains(boundary.utf8.count) else {
      throw malformed
    }
    // Parts are found in text with single line ends: RFC 7578 fields are text here.
    guard let text = String(validating: body, as: UTF8.self) else { throw malformed }
    let lineEnd = "\r\n"
    var fields: [(String, String)] = []
    let pieces = (lineEnd + text).components(separatedBy: lineEnd + "--" + boundary)
    guard pieces.count >= 2, pieces.count <= fieldLimit + 2,
      pieces.last?.hasPrefix("--") == true
    else { throw malformed }
    for piece in pieces.dropFirst().dropLast() {
      guard piece.hasPrefix(lineEnd) else { throw malformed }
      let parts = piece.dropFirst().split(
        separator: lineEnd + lineEnd, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw malformed }
      let disposition = parts[0].split(separator: lineEnd).first {
        $0.lowercased().hasPrefix("content-disposition:")
      }
      guard let disposition, let name = parameter("name", of: String(disposition)) else { throw malformed }
      fields.append((name, String(parts[1])))
    }
    return fields
  }

  /// A parameter of a header field's value, quoted or not.
  private static func parameter(_ name: String, of value: String) -> String? {
    for part in value.split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces).lowercased() == name else {
        continue
      }
      return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
    return nil
  }
}
