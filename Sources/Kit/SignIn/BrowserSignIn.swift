import Foundation
import OrielCrypto
import OrielModel
import OrielNet
import Synchronization

/// One sign-in by the platform's own page: a port of this machine that waits for the browser to come back
/// (RFC 8252 section 7.3), and the secret that makes the code useless to anybody else (RFC 7636).
struct BrowserSignIn: Sendable {
  /// What comes back at the loopback port.
  typealias Outcome = Result<String, OrielError>

  let verifier: String
  let state: String

  init() throws {
    verifier = Self.text(try RandomBytes.make(count: 48))
    state = Self.text(try RandomBytes.make(count: 18))
  }

  /// S256 of RFC 7636 section 4.2.
  var challenge: String { Self.text(Digest.sha256(Array(verifier.utf8))) }

  /// Base64 URL without padding.
  private static func text(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// The page to open.
  func page(at server: ServerAddress, appKey: String, redirect: String) throws -> URL {
    var parts = URLComponents(string: server.origin + "/oauth/authorize")
    parts?.queryItems = [
      ("response_type", "code"), ("client_id", appKey), ("redirect_uri", redirect),
      ("code_challenge", challenge), ("code_challenge_method", "S256"), ("state", state),
    ].map { URLQueryItem(name: $0.0, value: $0.1) }
    guard let url = parts?.url else { throw OrielError(.argumentError, "the appKey") }
    return url
  }

  /// Waits for the browser; gives the code.
  /// - Parameter open: shows the page, which sends the browser to the address that it is given here.
  /// - Throws: `OrielError` 110031 when the page refused, 120008 after `limit`, 760001.
  func code(
    at server: ServerAddress, appKey: String, within limit: Duration, open: @Sendable (URL) throws -> Void
  ) async throws -> (code: String, redirect: String) {
    let (outcomes, continuation) = AsyncStream.makeStream(
      of: Outcome.self, bufferingPolicy: .bufferingOldest(1))
    let state = state
    let port = HTTPServer(
      configuration: HTTPServerConfiguration(listeners: [HTTPListener(host: "127.0.0.1", port: 0)]),
      loop: try ClientLoop.shared(),
      handler: { request in
        guard request.path == "/signed-in" else { return .text("There is nothing here.\n", status: 404) }
        // Anything may open a page of this machine; only ours knows the state.
        guard request.query("state") == state else { return .text("This is another sign-in.\n", status: 403) }
        if let code = request.query("code") {
          continuation.yield(.success(code))
          return .text("You are signed in. This page may be closed.\n")
        }
        continuation.yield(.failure(OrielError(.noPermission)))
        return .text("The sign-in was refused. This page may be closed.\n")
      })
    let sockets = try await port.start()
    guard let number = sockets.first?.port else { throw OrielError(.serverDataError) }
    let redirect = "http://127.0.0.1:\(number)/signed-in"
    do {
      try open(try page(at: server, appKey: appKey, redirect: redirect))
      let outcome = await withTaskGroup(of: Outcome?.self) { group in
        group.addTask {
          for await outcome in outcomes { return outcome }
          return nil
        }
        group.addTask {
          do { try await Task.sleep(for: limit) } catch { return .failure(OrielError(.cancelled)) }
          return .failure(OrielError(.deviceTimeout, "nobody signed in"))
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
      }
      // The browser shows the last page.
      await port.drain(within: .seconds(1))
      return (try (outcome ?? .failure(OrielError(.cancelled))).get(), redirect)
    } catch {
      await port.drain(within: .zero)
      throw error
    }
  }
}
