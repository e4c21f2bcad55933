import OrielCrypto
import OrielModel
import OrielNet

/// Who may come in: passwords, applications and tokens.
actor Gatekeeper {
  /// Tokens that are known without asking the store.
  static let cacheLimit = 10_000
  /// Longer ones are refused unread: hashing them would cost.
  static let passwordLimit = 256

  private let loop: EventLoop
  private let store: any Store
  private let time: PlatformTime
  private let passwords: PasswordPool
  private let attempts: AttemptLedger
  /// Matched when there is no such account, so that its answer takes as long. Nobody knows its password.
  static let decoy =
    "$argon2id$v=19$m=65536,t=2,p=1$3HrH+MazfKIIbuUPSA/GrA$sNr4s5c3jBLKNpjGn+G0yRqeqPKT95P7XUqBeIzphIE"
  private var callers: [[UInt8]: Caller] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(store: any Store, passwords: PasswordPool, time: PlatformTime, loop: EventLoop) {
    self.loop = loop
    self.store = store
    self.time = time
    self.passwords = passwords
    attempts = AttemptLedger(policy: .signIn, time: time, loop: loop)
  }

  /// Signs a person in.
  /// - Throws: `OrielError` 110019 for a wrong name or password alike, 110006 when it must wait, 110029.
  func signIn(account name: String, password: String, address: String) async throws -> IssuedToken {
    try await issue(for: try await verify(account: name, password: password, address: address), appKey: nil)
  }

  /// Whose name and password these are.
  /// - Throws: as above.
  func verify(account name: String, password: String, address: String) async throws -> Account {
    guard (1...64).contains(name.utf8.count), (1...Self.passwordLimit).contains(password.utf8.count) else {
      throw OrielError(.wrongPassword)
    }
    let ticket = try await attempts.begin(
      subject: "account " + name.lowercased(), parties: [AttemptAddress.key(address)])
    let account: Account?
    let isRight: Bool
    do {
      account = try await store.account(named: name)
      isRight = try await passwords.matches(password, hash: account?.passwordHash ?? Self.decoy)
    } catch {
      await attempts.withdrawn(ticket)
      throw error
    }
    guard let account, isRight else { throw OrielError(.wrongPassword) }
    await attempts.succeeded(ticket)
    return account
  }

  /// Signs a program in.
  /// - Throws: `OrielError` 110017 for an unknown appKey, 110030 for a wrong secret, 110006 when it must wait.
  func token(appKey: String, appSecret: String, address: String) async throws -> IssuedToken {
    guard !appKey.isEmpty, !appSecret.isEmpty else { throw OrielError(.parameterError) }
    guard appKey.utf8.count <= 64, appSecret.utf8.count <= 64 else { throw OrielError(.appKeyNull) }
    let ticket = try await attempts.begin(
      subject: "application " + appKey, parties: [AttemptAddress.key(address)])
    let found: (Application, Account)?
    do {
      if let application = try await store.application(appKey),
        let account = try await store.account(application.account)
      {
        found = (application, account)
      } else {
        found = nil
      }
    } catch {
      await attempts.withdrawn(ticket)
      throw error
    }
    guard let (application, account) = found else { throw OrielError(.appKeyNull) }
    guard Digest.isEqual(Digest.sha256(Array(appSecret.utf8)), application.secretHash) else {
      throw OrielError(.appSecretMismatch)
    }
    await attempts.succeeded(ticket)
    return try await issue(for: account, appKey: appKey)
  }

  /// Who holds a token.
  /// - Throws: `OrielError` 110002 when it is none of ours, 110003 when its week is over.
  func caller(token text: String) async throws -> Caller {
    let hash = try AccessToken(text).hash
    if let caller = callers[hash] {
      guard caller.expires > time.wall() else {
        callers[hash] = nil
        throw OrielError(.accessTokenExpired)
      }
      return caller
    }
    guard let token = try await store.token(hash) else { throw OrielError(.accessTokenInvalid) }
    guard token.expires > time.wall() else { throw OrielError(.accessTokenExpired) }
    guard let account = try await store.account(token.account) else { throw OrielError(.accessTokenInvalid) }
    let caller = Caller(
      account: account.id, name: account.name, isAdministrator: account.isAdministrator, tokenHash: hash,
      expires: token.expires)
    // A sign-out may have come while the store answered.
    guard try await store.token(hash) != nil else { throw OrielError(.accessTokenInvalid) }
    if callers.count >= Self.cacheLimit { callers.removeAll() }
    callers[hash] = caller
    return caller
  }

  /// Ends a token at once.
  func signOut(_ caller: Caller) async throws {
    try await store.removeToken(caller.tokenHash)
    callers[caller.tokenHash] = nil
  }

  func issue(for account: Account, appKey: String?) async throws -> IssuedToken {
    let token = try AccessToken.make()
    let now = time.wall()
    let expires = now + AccessToken.lifetime
    try await store.addToken(
      StoredToken(hash: token.hash, account: account.id, appKey: appKey, expires: expires), at: now)
    return IssuedToken(token: token, expires: expires, account: account.name)
  }
}
