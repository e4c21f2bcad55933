import OrielModel
import OrielNet

/// The client mode of the first manual: authorization code with PKCE (RFC 6749, RFC 7636), for programs of one's own.
struct AuthorizationAPI: Sendable {
  static let prefix = "/oauth/"

  let authorizations: Authorizations

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    do {
      switch (request.method, request.path) {
      case ("GET", "/oauth/authorize"): return try await page(request)
      case ("POST", "/oauth/authorize"): return try await signIn(request)
      case ("POST", "/oauth/token"): return try await token(request)
      default: throw OrielError(.parameterError, "there is no such address")
      }
    } catch {
      let error = error as? OrielError ?? OrielError(.serverError)
      return request.path == "/oauth/token" ? V1API.failure(error) : AuthorizationPage.refusal(error)
    }
  }

  private func page(_ request: HTTPRequest) async throws -> HTTPResponse {
    let asked = try AuthorizationRequest(try await FormFields(request))
    try await authorizations.check(asked)
    return AuthorizationPage.answer(asked)
  }

  private func signIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    // A form of another page would sign its own account in here.
    if let site = request.headers["Sec-Fetch-Site"], !["same-origin", "none"].contains(site) {
      throw OrielError(.noPermission, "the form is another page's")
    }
    let fields = try await FormFields(request)
    let asked = try AuthorizationRequest(fields)
    try await authorizations.check(asked)
    let account = fields["account"] ?? ""
    do {
      let code = try await authorizations.authorize(
        asked, account: account, password: fields["password"] ?? "", address: request.remoteAddress)
      let target = asked.redirect([("code", code)] + (asked.state.isEmpty ? [] : [("state", asked.state)]))
      return HTTPResponse(status: 303, headers: ["Location": target, "Cache-Control": "no-store"])
    } catch let error as OrielError {
      return AuthorizationPage.answer(asked, account: account, failure: error)
    }
  }

  private struct Token: Encodable {
    let accessToken: String
    /// UTC milliseconds.
    let expireTime: Int64
    let account: String
    /// Good once, for the next token.
    let refreshToken: String
  }

  private func token(_ request: HTTPRequest) async throws -> HTTPResponse {
    let fields = try await FormFields(request)
    let appKey = try fields.required("client_id")
    let issue: Authorizations.Issue
    switch fields["grant_type"] {
    case "authorization_code":
      issue = try await authorizations.redeem(
        code: try fields.required("code"), verifier: try fields.required("code_verifier"), appKey: appKey,
        redirect: try fields.required("redirect_uri"))
    case "refresh_token":
      issue = try await authorizations.renew(try fields.required("refresh_token"), appKey: appKey)
    default: throw OrielError(.parameterError, "grant_type is authorization_code or refresh_token")
    }
    var answer = HTTPResponse.json(
      Token(
        accessToken: issue.token.token.text, expireTime: issue.token.expires, account: issue.token.account,
        refreshToken: issue.renewal))
    answer.headers["Cache-Control"] = "no-store"
    return answer
  }
}
