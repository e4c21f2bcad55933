import Glibc
import OrielModel
import OrielNet

/// Every request comes in here: it is sent to its part of the platform, hardened, and written to the log.
struct FrontDoor: Sendable {
  let lapp: LappAPI
  let v1: V1API
  let authorization: AuthorizationAPI
  let console: ConsoleFiles
  let switchboard: Switchboard
  let publicNames: [String]
  /// Must be there for the platform to be ready.
  let dataFolder: String
  let time: PlatformTime
  let log = Log("http")

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let start = time.uptime()
    var request = request
    request.remoteAddress = RequestOrigin.clientAddress(request, publicNames: publicNames)
    var response = await route(request)
    for (name, value) in Self.headers where response.headers[name] == nil {
      response.headers.add(name, value)
    }
    if request.path.hasPrefix("/v1/") || request.path.hasPrefix(LappAPI.prefix),
      response.headers["Cache-Control"] == nil
    {
      response.headers.add("Cache-Control", "no-store")
    }
    record(request, response.status, time.uptime() - start)
    return response
  }

  private func route(_ request: HTTPRequest) async -> HTTPResponse {
    let path = request.path
    if path.hasPrefix(LappAPI.prefix) { return await lapp.answer(request) }
    if path.hasPrefix(AuthorizationAPI.prefix) { return await authorization.answer(request) }
    if path.hasPrefix("/v1/") {
      guard path == "/v1/device" || path == "/v1/viewer" else { return await v1.answer(request) }
      return link(request)
    }
    switch path {
    case "/livez": return .text("ok\n")
    case "/readyz":
      do {
        // A database whose file is gone still answers.
        guard access(dataFolder + "/platform.sqlite", R_OK | W_OK) == 0 else { throw OrielError(.dataFolder) }
        _ = try await v1.registry.store.setting("picture-key")
        return .text("ok\n")
      } catch {
        return .text("not ready\n", status: 503)
      }
    default: return console.answer(request)
    }
  }

  private func link(_ request: HTTPRequest) -> HTTPResponse {
    guard RequestOrigin.mayOpenWebSocket(request, publicNames: publicNames) else {
      return V1API.failure(OrielError(.noPermission, "the page is not this platform's"))
    }
    let switchboard = switchboard
    let isDevice = request.path == "/v1/device"
    let address = request.remoteAddress
    return .webSocket(maxMessage: LinkMessage.sizeLimit) { socket in
      if isDevice {
        await switchboard.serveDevice(socket, from: address)
      } else {
        await switchboard.serveViewer(socket)
      }
    }
  }

  /// Neither query nor headers nor body: they hold tokens and signatures.
  private func record(_ request: HTTPRequest, _ status: Int, _ duration: Duration) {
    let line = { () -> String in
      let milliseconds = duration / .milliseconds(1)
      let tenths = (milliseconds * 10).rounded() / 10
      return "\(request.method) \(request.path.prefix(200)) \(status) \(tenths) ms \(request.remoteAddress)"
    }
    if status >= 500 {
      log.warning(line())
    } else if status >= 400 || request.method != "GET" {
      log.info(line())
    } else {
      log.debug(line())
    }
  }

  private static let headers = [
    (
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
      media-src 'self' blob: mediastream:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
      form-action 'self'; base-uri 'none'; frame-ancestors 'none'
      """
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(self), fullscreen=(self)"),
  ]
}
