import Foundation
import OrielCrypto
import OrielModel
import OrielNet

/// Codes that a sign-in page gave, and what programs get for them: an access token, and one more that renews it.
actor Authorizations {
  /// A program fetches its token within this.
  static let codeLimit = Duration.seconds(60)
  /// Codes that wait; the oldest go first.
  static let codeCount = 10_000
  /// A program that was not used for so long must sign in again, milliseconds.
  static let renewalLifetime: Int64 = 60 * 24 * 3_600_000

  private struct Grant {
    let account: Int64
    let request: AuthorizationRequest
    /// On the clock of uptime.
    let end: Duration
  }

  private let gatekeeper: Gatekeeper
  private let store: any Store
  private let time: PlatformTime
  private let loop: EventLoop
  private var grants: [String: Grant] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(gatekeeper: Gatekeeper, store: any Store, time: PlatformTime, loop: EventLoop) {
    self.gatekeeper = gatekeeper
    self.store = store
    self.time = time
    self.loop = loop
  }

  /// - Throws: `OrielError` 110017 when there is no such application.
  func check(_ request: AuthorizationRequest) async throws {
    guard try await store.application(request.appKey) != nil else { throw OrielError(.appKeyNull) }
  }

  /// Signs a person in for a program.
  /// - Returns: a code, good once and for a minute.
  /// - Throws: as ``Gatekeeper/verify(account:password:address:)``.
  func authorize(
    _ request: AuthorizationRequest, account: String, password: String, address: String
  ) async throws -> String {
    let account = try await gatekeeper.verify(account: account, password: password, address: address)
    let now = time.uptime()
    if grants.count >= Self.codeCount { grants = grants.filter { $0.value.end > now } }
    if grants.count >= Self.codeCount, let oldest = grants.min(by: { $0.value.end < $1.value.end }) {
      grants[oldest.key] = nil
    }
    let code = try RandomText.make(43)
    grants[code] = Grant(account: account.id, request: request, end: now + Self.codeLimit)
    return code
  }

  /// What a code is worth. It is worth nothing the second time, whoever asks.
  /// - Throws: `OrielError` 110031 when code, secret, application or address is not the one.
  func redeem(code: String, verifier: String, appKey: String, redirect: String) async throws -> Issue {
    guard let grant = grants.removeValue(forKey: code), grant.end > time.uptime(),
      (43...128).contains(verifier.utf8.count), grant.request.appKey == appKey,
      grant.request.redirect == redirect,
      Digest.isEqual(
        Array(Self.challenge(of: verifier).utf8), Array(grant.request.challenge.utf8))
    else { throw OrielError(.noPermission, "the code is not valid, or was used") }
    return try await issue(account: grant.account, appKey: appKey)
  }

  /// A new token before the old one ends. The renewal itself is replaced, too.
  /// - Throws: `OrielError` 110002 when it is none, was used, or is too old.
  func renew(_ text: String, appKey: String) async throws -> Issue {
    guard text.utf8.count == 64,
      let renewal = try await store.takeRenewal(Digest.sha256(Array(text.utf8))), renewal.appKey == appKey,
      renewal.expires > time.wall()
    else { throw OrielError(.accessTokenInvalid) }
    return try await issue(account: renewal.account, appKey: appKey)
  }

  /// S256 of RFC 7636 section 4.2.
  static func challenge(of verifier: String) -> String {
    Data(Digest.sha256(Array(verifier.utf8))).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  struct Issue: Sendable {
    let token: IssuedToken
    /// Secret; good once.
    let renewal: String
  }

  private func issue(account id: Int64, appKey: String) async throws -> Issue {
    guard let account = try await store.account(id) else { throw OrielError(.accessTokenInvalid) }
    let token = try await gatekeeper.issue(for: account, appKey: appKey)
    let renewal = "rt." + (try RandomText.make(61))
    let now = time.wall()
    try await store.addRenewal(
      StoredToken(
        hash: Digest.sha256(Array(renewal.utf8)), account: id, appKey: appKey,
        expires: now + Self.renewalLifetime), at: now)
    return Issue(token: token, renewal: renewal)
  }
}
