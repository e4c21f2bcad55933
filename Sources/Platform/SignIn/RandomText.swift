import OrielCrypto

/// Random text for keys, tokens and passwords.
enum RandomText {
  /// Letters and digits, about 5.2 bits each.
  static let alphanumeric = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
  /// Without those that a person confuses, 5 bits each.
  static let readable = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
  static let hexadecimal = Array("0123456789abcdef".utf8)

  static func make(_ count: Int, of alphabet: [UInt8] = alphanumeric) throws -> String {
    // Bytes beyond the last whole multiple are thrown away, so that every character is as likely.
    let limit = 256 - 256 % alphabet.count
    var characters: [UInt8] = []
    while characters.count < count {
      for byte in try RandomBytes.make(count: count) where Int(byte) < limit && characters.count < count {
        characters.append(alphabet[Int(byte) % alphabet.count])
      }
    }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Four groups of five, 100 bits: for a person to read once.
  static func password() throws -> String {
    try (0..<4).map { _ in try make(5, of: readable) }.joined(separator: "-")
  }
}
