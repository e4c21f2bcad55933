import Foundation

/// Base64 without padding, with the alphabet for addresses (RFC 4648 section 5).
enum Base64URL {
  static func text(_ bytes: [UInt8]) -> String {
    String(
      Data(bytes).base64EncodedString().compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }
}
