import Foundation
import OrielKit
import OrielModel
import OrielNet
import OrielPlatform
import Synchronization
import Testing

/// The client mode: the platform's page, a browser that follows it, and the token that comes of it.
@Suite(.serialized) struct SignInPageTests {
  private struct House {
    let address: ServerAddress
    let first: FirstStart
    let loop: EventLoop

    func client() -> HTTPClient { HTTPClient(address: address, loop: loop) }

    /// What a browser does with the page: fills the form in, and follows where that leads.
    func browse(_ page: URL, account: String, password: String) async throws -> (status: Int, text: String) {
      let parts = try #require(URLComponents(url: page, resolvingAgainstBaseURL: false))
      let client = client()
      let query = (parts.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
      let shown = try await client.send(path: parts.path, query: query)
      #expect(shown.status == 200)
      var fields = hidden(String(decoding: shown.body, as: UTF8.self))
      fields += [("account", account), ("password", password)]
      let answer = try await post("/oauth/authorize", fields)
      guard answer.status == 303,
        let target = answer.headers["Location"].flatMap({ URLComponents(string: $0) })
      else { return (answer.status, String(decoding: answer.body, as: UTF8.self)) }
      let program = HTTPClient(
        address: try ServerAddress("http://\(target.host ?? ""):\(target.port ?? 0)"), loop: loop)
      let last = try await program.send(
        path: target.path, query: (target.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") })
      await program.close()
      await client.close()
      return (last.status, String(decoding: last.body, as: UTF8.self))
    }

    func post(_ path: String, _ fields: [(String, String)]) async throws -> HTTPClientResponse {
      var form = URLComponents()
      form.queryItems = fields.map { URLQueryItem(name: $0.0, value: $0.1) }
      let client = client()
      let answer = try await client.send(
        method: "POST", path: path, headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: Array((form.percentEncodedQuery ?? "").replacing("+", with: "%2B").utf8))
      await client.close()
      return answer
    }

    private func hidden(_ page: String) -> [(String, String)] {
      page.components(separatedBy: "<input type=\"hidden\" name=\"").dropFirst().compactMap { piece in
        let parts = piece.components(separatedBy: "\"")
        return parts.count > 2 ? (parts[0], parts[2].replacing("&amp;", with: "&")) : nil
      }
    }
  }

  private func run(_ body: (House) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "oriel-sign-in-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let platform = PlatformServer(
      configuration: PlatformConfiguration(
        dataFolder: folder, listeners: [.init(host: "127.0.0.1", port: 0, isTLS: false)],
        areas: [.init(name: "Here"), .init(name: "There", address: try ServerAddress("http://127.0.0.1:9"))]))
    let started = try await platform.start()
    let loop = try EventLoop.start(name: "sign-in-test")
    do {
      try await body(
        House(
          address: try ServerAddress(try #require(started.addresses.first)),
          first: try #require(started.firstStart), loop: loop))
    } catch {
      await platform.drain()
      await loop.stop()
      throw error
    }
    await platform.drain()
    await loop.stop()
  }

  @Test func aPersonSignsInOnThePageAndTheTokenIsRenewed() async throws {
    try await run { house in
      let session = try Session(server: house.address)
      let token = try await session.signIn(appKey: house.first.appKey) { page in
        Task {
          // Somebody who mistypes is told so, and tries again.
          let wrong = try await house.browse(page, account: "admin", password: "a<b\"")
          #expect(wrong.status == 401 && wrong.text.contains("The account or the password is wrong"))
          let right = try await house.browse(page, account: "admin", password: house.first.password)
          #expect(right.status == 200 && right.text.contains("signed in"))
        }
      }
      #expect(token.account == "admin" && session.accessToken == token.accessToken)
      #expect(try await session.account() == "admin")
      #expect(!"\(token)".contains(token.accessToken))
      #expect(try await session.platform().areas?.map(\.url) == [nil, "http://127.0.0.1:9"])
      try await session.signOut()
      await session.close()
    }
  }

  private func fields(_ house: House, challenge: String, redirect: String = "http://127.0.0.1:9/x")
    -> [(String, String)]
  {
    [
      ("response_type", "code"), ("client_id", house.first.appKey), ("redirect_uri", redirect),
      ("code_challenge", challenge), ("code_challenge_method", "S256"), ("state", "s t&\"<"),
    ]
  }

  /// RFC 7636 appendix B.
  private let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  @Test func aCodeIsGoodOnceForItsProgramAndItsSecret() async throws {
    try await run { house in
      func code() async throws -> String {
        let answer = try await house.post(
          "/oauth/authorize",
          fields(house, challenge: challenge) + [("account", "admin"), ("password", house.first.password)])
        #expect(answer.status == 303)
        let target = try #require(answer.headers["Location"].flatMap { URLComponents(string: $0) })
        #expect(target.queryItems?.first { $0.name == "state" }?.value == "s t&\"<")
        return try #require(target.queryItems?.first { $0.name == "code" }?.value)
      }
      func redeem(_ code: String, _ verifier: String, redirect: String = "http://127.0.0.1:9/x") async throws
        -> Int
      {
        try await house.post(
          "/oauth/token",
          [
            ("grant_type", "authorization_code"), ("client_id", house.first.appKey), ("code", code),
            ("code_verifier", verifier), ("redirect_uri", redirect),
          ]
        ).status
      }
      let good = try await code()
      #expect(try await redeem(good, verifier) == 200)
      #expect(try await redeem(good, verifier) == 403, "used")
      let stolen = try await code()
      #expect(try await redeem(stolen, verifier.replacing("d", with: "e")) == 403, "without the secret")
      #expect(try await redeem(stolen, verifier) == 403, "and it is gone then")
      #expect(try await redeem(try await code(), verifier, redirect: "http://127.0.0.1:10/x") == 403)
      #expect(try await redeem("nonsense", verifier) == 403)
    }
  }

  @Test func aRenewalIsGoodOnce() async throws {
    struct Issued: Decodable {
      var accessToken: String
      var refreshToken: String
    }
    try await run { house in
      let answer = try await house.post(
        "/oauth/authorize",
        fields(house, challenge: challenge) + [("account", "admin"), ("password", house.first.password)])
      let code = URLComponents(string: answer.headers["Location"] ?? "")?.queryItems?.first {
        $0.name == "code"
      }?
      .value
      let form = [("client_id", house.first.appKey), ("redirect_uri", "http://127.0.0.1:9/x")]
      let first = try await house.post(
        "/oauth/token",
        form + [("grant_type", "authorization_code"), ("code", code ?? ""), ("code_verifier", verifier)])
      let one = try JSONDecoder().decode(Issued.self, from: Data(first.body))
      let renewal = form + [("grant_type", "refresh_token"), ("refresh_token", one.refreshToken)]
      let second = try await house.post("/oauth/token", renewal)
      let two = try JSONDecoder().decode(Issued.self, from: Data(second.body))
      #expect(
        second.status == 200 && two.accessToken != one.accessToken && two.refreshToken != one.refreshToken)
      #expect(try await house.post("/oauth/token", renewal).status == 401, "used")
      let session = try Session(server: house.address, accessToken: two.accessToken)
      #expect(try await session.account() == "admin")
      await session.close()
    }
  }

  /// None of these is sent anywhere, or shown a form.
  @Test(arguments: [
    ("redirect_uri", "https://evil.example/"), ("redirect_uri", "http://evil.example:80/"),
    ("redirect_uri", "http://127.0.0.1/"), ("redirect_uri", "http://127.0.0.1:80@evil.example/"),
    ("redirect_uri", "javascript:alert(1)"), ("redirect_uri", ""), ("client_id", "nobody"), ("client_id", ""),
    ("response_type", "token"), ("code_challenge_method", "plain"), ("code_challenge", "short"),
    ("state", String(repeating: "s", count: 300)),
  ])
  func whatCannotBeMeantIsRefused(name: String, value: String) async throws {
    try await run { house in
      var asked = fields(house, challenge: challenge)
      asked.removeAll { $0.0 == name }
      asked.append((name, value))
      for form in [asked, asked + [("account", "admin"), ("password", house.first.password)]] {
        let answer = try await house.post("/oauth/authorize", form)
        #expect((400..<500).contains(answer.status) && answer.headers["Location"] == nil)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("<form"))
      }
    }
  }

  @Test func aPrivateSchemeMayBeTheWayBack() async throws {
    try await run { house in
      let answer = try await house.post(
        "/oauth/authorize",
        fields(house, challenge: challenge, redirect: "com.example.door:/back")
          + [("account", "admin"), ("password", house.first.password)])
      #expect(answer.headers["Location"]?.hasPrefix("com.example.door:/back?code=") == true)
    }
  }
}
