import OrielCrypto
import OrielModel

/// A developer's access token, in the form of the manual's platform: `at.`, 32 lower-case letters and digits,
/// and groups of 10, 7 and 9.
///
/// It has no description: only its hash is kept or compared.
struct AccessToken: Sendable {
  static let lifetime: Int64 = 7 * 24 * 3_600_000
  private static let groups = [32, 10, 7, 9]

  let text: String

  static func make() throws -> AccessToken {
    AccessToken(text: "at." + (try groups.map { try RandomText.make($0) }).joined(separator: "-"))
  }

  private init(text: String) { self.text = text }

  /// - Throws: `OrielError` 110002 when the text has not a token's form.
  init(_ text: String) throws {
    let groups = text.dropFirst(3).utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard text.utf8.count == 64, text.hasPrefix("at."), groups.map(\.count) == Self.groups,
      groups.joined().allSatisfy({ (97...122).contains($0) || (48...57).contains($0) })
    else { throw OrielError(.accessTokenInvalid) }
    self.text = text
  }

  var hash: [UInt8] { Digest.sha256(Array(text.utf8)) }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
  var description: String { "******" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// A token as its owner is told it.
struct IssuedToken: Sendable {
  let token: AccessToken
  /// UTC milliseconds.
  let expires: Int64
  let account: String
}

/// On whose behalf a request comes.
struct Caller: Sendable, Equatable {
  let account: Int64
  let name: String
  let isAdministrator: Bool
  let tokenHash: [UInt8]
  /// UTC milliseconds.
  let expires: Int64
}
