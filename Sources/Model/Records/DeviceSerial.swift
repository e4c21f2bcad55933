/// The serial of a device: nine characters as printed on its label.
///
/// Letters are upper case. Two forms are accepted, as in the first manual's platform: nine digits,
/// or one to two letters followed by digits. Oriel's own agents make `O` followed by eight digits.
public struct DeviceSerial: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The nine characters, upper case.
  public let value: String

  /// Takes a serial as a person typed it: surrounding blanks and lower case are forgiven.
  /// - Throws: `OrielError` 120014 (illegal device serial) for anything else.
  public init(_ text: String) throws {
    let cleaned = text.filter { !$0.isWhitespace }.uppercased()
    let bytes = Array(cleaned.utf8)
    let letters = bytes.prefix { (65...90).contains($0) }.count
    guard bytes.count == 9, letters <= 2,
      bytes.dropFirst(letters).allSatisfy({ (48...57).contains($0) })
    else { throw OrielError(.illegalDeviceSerial) }
    value = cleaned
  }

  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  public var description: String { value }

  /// A new serial: `O` and eight random digits.
  public static func random(using generator: inout some RandomNumberGenerator) -> DeviceSerial {
    let digits = (0..<8).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
    return DeviceSerial(unchecked: "O" + digits)
  }

  private init(unchecked value: String) { self.value = value }
}
