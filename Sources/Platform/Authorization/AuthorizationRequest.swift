import Foundation
import OrielModel

/// What a program asks of the sign-in page (RFC 6749 section 4.1.1 with RFC 7636 and RFC 8252).
struct AuthorizationRequest: Sendable, Equatable {
  let appKey: String
  /// Where the browser goes afterwards: a port of this machine, or a scheme of the program's own.
  let redirect: String
  /// SHA-256 of the program's secret, Base64 URL without padding: 43 letters.
  let challenge: String
  /// Given back as it came.
  let state: String

  /// - Throws: `OrielError` 110001. Nothing is redirected then: the address is not to be trusted.
  init(_ fields: FormFields) throws {
    guard fields["response_type"] == "code", fields["code_challenge_method"] == "S256" else {
      throw OrielError(.parameterError, "response_type is code, code_challenge_method is S256")
    }
    appKey = try fields.required("client_id")
    redirect = try fields.required("redirect_uri")
    challenge = try fields.required("code_challenge")
    state = fields["state"] ?? ""
    guard appKey.utf8.count <= 64, state.utf8.count <= 256, Self.isChallenge(challenge) else {
      throw OrielError(.parameterError, "client_id, state or code_challenge is malformed")
    }
    guard Self.isOwn(redirect) else {
      throw OrielError(
        .parameterError, "redirect_uri is http://127.0.0.1:PORT/… or a scheme of the program's own")
    }
  }

  static func isChallenge(_ text: String) -> Bool {
    text.utf8.count == 43
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
      }
  }

  /// Loopback (RFC 8252 section 7.3), or a private-use scheme, which has a dot in it (section 7.1).
  static func isOwn(_ text: String) -> Bool {
    guard text.utf8.count <= 512, text.utf8.allSatisfy({ (33...126).contains($0) }),
      let parts = URLComponents(string: text), let scheme = parts.scheme, parts.fragment == nil,
      parts.user == nil, parts.password == nil
    else { return false }
    if scheme.contains(".") { return true }
    return scheme == "http" && ["127.0.0.1", "[::1]", "::1", "localhost"].contains(parts.host)
      && parts.port != nil
  }

  /// Where the page may send the browser: for `form-action` of its Content-Security-Policy.
  var origin: String {
    guard let parts = URLComponents(string: redirect), let scheme = parts.scheme else { return "'none'" }
    guard scheme == "http", let host = parts.host, let port = parts.port else { return "\(scheme):" }
    return "http://\(host):\(port)"
  }

  func redirect(_ items: [(String, String)]) -> String {
    guard var parts = URLComponents(string: redirect) else { return redirect }
    let own = parts.queryItems ?? []
    parts.queryItems = own + items.map { URLQueryItem(name: $0.0, value: $0.1) }
    // A plus would be read as a blank.
    let query = parts.percentEncodedQuery?.replacing("+", with: "%2B")
    parts.percentEncodedQuery = query
    return parts.string ?? redirect
  }
}
