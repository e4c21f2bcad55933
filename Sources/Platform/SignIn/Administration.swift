import OrielCrypto
import OrielModel

/// What only an administrator may do, and what a first start does in one's place.
struct Administration: Sendable {
  let store: any Store
  let passwords: PasswordPool
  let time: PlatformTime

  // MARK: First start

  struct FirstAccount: Sendable {
    let name: String
    let password: String
    let appKey: String
    let appSecret: String
  }

  /// Makes the administrator and an application, unless there are accounts already.
  /// - Parameter keep: puts the account's name and password where they outlive the program, before the account is
  ///   made: whoever is killed in between can still be signed in to.
  func makeFirstAccount(keep: (_ account: String, _ password: String) throws -> Void) async throws
    -> FirstAccount?
  {
    guard try await store.accounts().isEmpty else { return nil }
    let password = try RandomText.password()
    try keep("admin", password)
    let account = try await store.addAccount(
      name: "admin", passwordHash: try await passwords.hash(password), isAdministrator: true, at: time.wall())
    let application = try await makeApplication(name: "first", account: account.id)
    return FirstAccount(
      name: account.name, password: password, appKey: application.appKey,
      appSecret: application.appSecret ?? "")
  }

  // MARK: Accounts

  func accounts(for caller: Caller) async throws -> V1Accounts {
    try Self.check(caller)
    return V1Accounts(
      accounts: try await store.accounts().map {
        V1Account(account: $0.name, isAdministrator: $0.isAdministrator)
      })
  }

  /// Makes an account; its password is made too when none is given.
  func addAccount(_ wish: V1NewAccount, by caller: Caller) async throws -> V1Account {
    try Self.check(caller)
    let isName = wish.account.utf8.allSatisfy {
      switch $0 {
      case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "@"):
        true
      default: false
      }
    }
    guard isName, (1...64).contains(wish.account.utf8.count) else {
      throw OrielError(.parameterError, "an account's name has up to 64 letters, digits and . - _ @")
    }
    if let password = wish.password {
      guard (10...Gatekeeper.passwordLimit).contains(password.utf8.count) else {
        throw OrielError(.parameterError, "a password has at least ten characters")
      }
    }
    let password = try wish.password ?? RandomText.password()
    _ = try await store.addAccount(
      name: wish.account, passwordHash: try await passwords.hash(password), isAdministrator: false,
      at: time.wall())
    return V1Account(
      account: wish.account, isAdministrator: false, password: wish.password == nil ? password : nil)
  }

  // MARK: Applications

  func applications(for caller: Caller) async throws -> V1Applications {
    try Self.check(caller)
    return V1Applications(
      applications: try await store.applications().map {
        V1Application(appKey: $0.appKey, name: $0.name, createTime: $0.created)
      })
  }

  /// Makes an application that acts for the administrator who makes it.
  func addApplication(_ wish: V1NewApplication, by caller: Caller) async throws -> V1Application {
    try Self.check(caller)
    return try await makeApplication(
      name: try DeviceRegistry.checked(name: wish.name ?? "application"), account: caller.account)
  }

  private func makeApplication(name: String, account: Int64) async throws -> V1Application {
    let secret = try RandomText.make(32, of: RandomText.hexadecimal)
    let application = Application(
      appKey: try RandomText.make(32, of: RandomText.hexadecimal),
      secretHash: Digest.sha256(Array(secret.utf8)), name: name, account: account, created: time.wall())
    try await store.addApplication(application)
    return V1Application(
      appKey: application.appKey, appSecret: secret, name: name, createTime: application.created)
  }

  private static func check(_ caller: Caller) throws {
    guard caller.isAdministrator else { throw OrielError(.noPermission) }
  }
}
