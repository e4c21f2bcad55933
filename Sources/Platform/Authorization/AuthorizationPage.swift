import OrielModel
import OrielNet

/// The sign-in page for programs: a form without a script, in the console's look.
enum AuthorizationPage {
  static func answer(
    _ request: AuthorizationRequest, account: String = "", failure: OrielError? = nil
  ) -> HTTPResponse {
    let hidden = [
      ("response_type", "code"), ("client_id", request.appKey), ("redirect_uri", request.redirect),
      ("code_challenge", request.challenge), ("code_challenge_method", "S256"), ("state", request.state),
    ].map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\(escaped($0.1))\">" }.joined()
    var answer = page(
      """
      <form class="card sign-in" method="post" action="/oauth/authorize">\(hidden)
      <h1>Oriel</h1>
      <p class="muted">Sign in to let this program use your cameras.</p>
      <label for="account">Account</label>
      <input id="account" name="account" autocomplete="username" autocapitalize="none" spellcheck="false"
        maxlength="64" required value="\(escaped(account))"\(account.isEmpty ? " autofocus" : "")>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" maxlength="256"
        required\(account.isEmpty ? "" : " autofocus")>
      <p class="failure" role="alert">\(failure.map { escaped($0.code.entry.meaning + ".") } ?? "")</p>
      <button class="primary wide">Sign in</button></form>
      """, status: failure.map { V1Failure.status(of: $0.code) } ?? 200)
    // The browser follows the form's answer to the program.
    answer.headers["Content-Security-Policy"] =
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' \(request.origin); "
      + "base-uri 'none'; frame-ancestors 'none'"
    return answer
  }

  /// A request that cannot be answered: the browser is sent nowhere.
  static func refusal(_ error: OrielError) -> HTTPResponse {
    page(
      """
      <div class="card sign-in"><h1>Oriel</h1>
      <p class="failure" role="alert">\(escaped("\(error)"))</p>
      <p class="muted">The program that opened this page asked for something that cannot be.</p></div>
      """, status: V1Failure.status(of: error.code))
  }

  private static func page(_ body: String, status: Int) -> HTTPResponse {
    let styles = ["tokens", "base", "controls", "frame"]
      .map { "<link rel=\"stylesheet\" href=\"/styles/\($0).css\">" }.joined()
    var response = HTTPResponse.text(
      """
      <!doctype html><html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark"><title>Sign in - Oriel</title>
      <link rel="icon" href="/favicon.svg" type="image/svg+xml">\(styles)</head>
      <body><main class="sign-in-page">\(body)</main></body></html>
      """, status: status)
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.headers["Cache-Control"] = "no-store"
    return response
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { all, letter in
      switch letter {
      case "&": all += "&amp;"
      case "<": all += "&lt;"
      case ">": all += "&gt;"
      case "\"": all += "&quot;"
      case "'": all += "&#39;"
      default: all.append(letter)
      }
    }
  }
}
