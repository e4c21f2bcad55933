public import Foundation
import OrielModel
import OrielNet

extension Session {
  /// Signs a person in by the platform's own page, which this program never sees the password of; from then on the token
  /// is renewed by itself, also while views run.
  ///
  /// - Parameters:
  ///   - appKey: of an application of the platform.
  ///   - limit: how long the person may take.
  ///   - open: shows an address in a browser; called once.
  /// - Throws: `OrielError` 120008 when nobody signed in within the limit, 110031 when the page refused, 110017 for an
  ///   unknown appKey, 730001...730003, 760001; whatever `open` throws.
  @discardableResult
  public func signIn(
    appKey: String, within limit: Duration = .seconds(300), open: @Sendable (URL) throws -> Void
  ) async throws -> AccessToken {
    let signIn = try BrowserSignIn()
    let (code, redirect) = try await signIn.code(at: server, appKey: appKey, within: limit, open: open)
    let issued = try await client.token([
      ("grant_type", "authorization_code"), ("client_id", appKey), ("code", code),
      ("code_verifier", signIn.verifier), ("redirect_uri", redirect),
    ])
    setAccessToken(issued.accessToken)
    renewal.keep(issued, appKey: appKey, of: self)
    return AccessToken(
      accessToken: issued.accessToken, expireTime: issued.expireTime, account: issued.account)
  }
}

/// What `/oauth/token` gives.
struct RenewableToken: Sendable, Decodable {
  var accessToken: String
  /// UTC milliseconds.
  var expireTime: Int64
  var account: String
  /// Good once.
  var refreshToken: String
}

extension PlatformClient {
  /// - Throws: the platform's number; 730001...730003.
  func token(_ form: [(name: String, value: String)]) async throws -> RenewableToken {
    var fields = URLComponents()
    fields.queryItems = form.map { URLQueryItem(name: $0.name, value: $0.value) }
    let body = (fields.percentEncodedQuery ?? "").replacing("+", with: "%2B")
    let answer = try await http.send(
      method: "POST", path: "/oauth/token", headers: ["Content-Type": "application/x-www-form-urlencoded"],
      body: Array(body.utf8))
    guard answer.status == 200 else { throw Self.error(status: answer.status, body: answer.body) }
    do { return try JSONDecoder().decode(RenewableToken.self, from: Data(answer.body)) } catch {
      throw OrielError(.platformAnswer, "POST /oauth/token")
    }
  }
}
