public import Foundation

/// What a sign-in gives: the right to act for an account until it expires.
public struct AccessToken: Sendable, Equatable, Codable {
  /// The secret itself; it stays out of logs.
  public var accessToken: String
  /// When it ends, UTC milliseconds.
  public var expireTime: Int64
  public var account: String

  public init(accessToken: String, expireTime: Int64, account: String) {
    self.accessToken = accessToken
    self.expireTime = expireTime
    self.account = account
  }

  /// When it ends.
  public var expiry: Date { Date(timeIntervalSince1970: Double(expireTime) / 1000) }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
  public var description: String { "access token of \(account)" }
  public var customMirror: Mirror { Mirror(self, children: ["account": account, "expireTime": expireTime]) }
}
