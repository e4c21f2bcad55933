/// The six letters printed on a device's label, which prove that one holds the device.
///
/// It is a secret: it has no description, so that it cannot slip into a log.
public struct VerificationCode: Sendable, Equatable {
  /// The six upper-case letters. Never log, store or put this in an argument list.
  public let letters: String

  /// - Throws: `OrielError` 120010 (wrong verification code) when the text is not six letters.
  public init(_ text: String) throws {
    let cleaned = text.filter { !$0.isWhitespace }.uppercased()
    guard cleaned.utf8.count == 6, cleaned.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw OrielError(.wrongVerificationCode)
    }
    letters = cleaned
  }

  /// A new code. Pass the system's generator outside tests.
  public static func random(using generator: inout some RandomNumberGenerator) -> VerificationCode {
    let scalars = (0..<6).map { _ in Character(UnicodeScalar(UInt8.random(in: 65...90, using: &generator))) }
    return VerificationCode(unchecked: String(scalars))
  }

  /// Compares in constant time.
  public static func == (one: VerificationCode, other: VerificationCode) -> Bool {
    zip(one.letters.utf8, other.letters.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private init(unchecked letters: String) { self.letters = letters }
}

extension VerificationCode: CustomStringConvertible, CustomReflectable {
  public var description: String { "******" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
