import Foundation
import OrielModel
import OrielNet

extension Session {
  /// Signs in as an application's server does: appKey and appSecret give a token of seven days
  /// (`token/get` of the platform's public interface).
  /// - Throws: `OrielError` 110017 for an unknown appKey, 110030 when the secret is another's, 730001...730003.
  @discardableResult
  public func signIn(appKey: String, appSecret: String) async throws -> AccessToken {
    struct Answer: Decodable {
      struct Token: Decodable {
        var accessToken: String
        var expireTime: Int64
      }
      var code: String
      var data: Token?
    }
    var form = URLComponents()
    form.queryItems = [
      URLQueryItem(name: "appKey", value: appKey), URLQueryItem(name: "appSecret", value: appSecret),
    ]
    var headers = HTTPHeaders()
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    // A plus sign means a blank in a form, yet stands for itself in a URL's query.
    let body = (form.percentEncodedQuery ?? "").replacingOccurrences(of: "+", with: "%2B")
    let response = try await client.http.send(
      method: "POST", path: "/api/lapp/token/get", query: [], headers: headers, body: Array(body.utf8),
      timeout: .seconds(15))
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body)) else {
      throw OrielError(.platformAnswer)
    }
    guard let token = answer.data else {
      throw OrielError(Int(answer.code).flatMap { ErrorCode(apiNumber: $0) } ?? .platformAnswer)
    }
    setAccessToken(token.accessToken)
    return AccessToken(
      accessToken: token.accessToken, expireTime: token.expireTime, account: try await account())
  }
}
