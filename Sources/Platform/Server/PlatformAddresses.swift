import Foundation

/// What a platform that has started tells whoever started it.
public struct PlatformAddresses: Sendable {
  /// One a listener, in the configuration's order and with real ports, as agents, CLI and SDK take them:
  /// `http://127.0.0.1:7080` or `https://host:7443#sha256//…`. A browser takes what stands before the `#`.
  public let addresses: [String]
  /// "sha256//" and base64, the key that TLS clients pin; nil without a TLS listener.
  public let fingerprint: String?
  /// Set when this start made the administrator; its password is told this once.
  public let firstStart: FirstStart?
}

/// The administrator and the application that a first start makes.
public struct FirstStart: Sendable {
  /// "admin".
  public let account: String
  /// Secret: show it on a terminal once and `removePasswordFile()`, or tell where the file is.
  public let password: String
  public let appKey: String
  /// Where appKey and appSecret stand as JSON, 0600.
  public let applicationFile: String
  /// Where account and password stand, a line each, 0600, from before the account was made.
  public let passwordFile: String

  /// The password has been shown: nobody needs the file any more.
  public func removePasswordFile() { unlink(passwordFile) }
}

extension FirstStart: CustomStringConvertible, CustomReflectable {
  public var description: String { "first start of \(account)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
