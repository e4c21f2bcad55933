import OrielModel

extension Session {
  /// Signs in as an application's server does: appKey and appSecret give a token of seven days
  /// (`token/get` of the platform's public interface).
  /// - Throws: `OrielError` 110017 for an unknown appKey, 110030 when the secret is another's, 730001...730003.
  @discardableResult
  public func signIn(appKey: String, appSecret: String) async throws -> AccessToken {
    struct Token: Decodable {
      var accessToken: String
      var expireTime: Int64
    }
    let token = try await client.lapp(
      "token/get", [("appKey", appKey), ("appSecret", appSecret)], as: Token.self)
    setAccessToken(token.accessToken)
    return AccessToken(
      accessToken: token.accessToken, expireTime: token.expireTime, account: try await account())
  }
}
