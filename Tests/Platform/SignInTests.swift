import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

@Suite struct SignInTests {
  @Test func wrongNamesAndPasswordsLookAlikeAndAreSlowed() async throws {
    try await TestPlatform.run { platform in
      for account in ["admin", "nobody"] {
        let body = ["account": account, "password": "wrong"]
        for _ in 0..<5 {
          #expect(try await platform.failure("POST", "/v1/login", body, token: "") == (401, 110_019))
        }
        #expect(try await platform.failure("POST", "/v1/login", body, token: "") == (429, 110_006))
      }
      // The right one must wait as well, else the wait would tell which is right.
      let first = try #require(platform.addresses.firstStart)
      let right = ["account": "admin", "password": first.password]
      #expect(try await platform.failure("POST", "/v1/login", right, token: "") == (429, 110_006))
      platform.clock.advance(.seconds(2))
      #expect(try await platform.v1("POST", "/v1/login", right, token: "").status == 200)
    }
  }

  @Test func aSignedOutTokenIsDeadEverywhere() async throws {
    try await TestPlatform.run { platform in
      let token = try await platform.makeAccount("person")
      let viewer = try await platform.viewer(token: token)
      _ = try await viewer.welcome()
      #expect(try await platform.v1("GET", "/v1/me", token: token).status == 200)
      #expect(try await platform.v1("POST", "/v1/logout", token: token).status == 200)
      #expect(try await viewer.refusal() == 110_002)
      #expect(try await platform.failure("GET", "/v1/me", token: token) == (401, 110_002))
      #expect(try await platform.v1("GET", "/v1/me").status == 200)
    }
  }

  @Test func aLinkEndsWithItsToken() async throws {
    try await TestPlatform.run { platform in
      let viewer = try await platform.viewer()
      _ = try await viewer.welcome()
      platform.clock.advance(.seconds(7 * 86_400 + 1))
      #expect(try await viewer.refusal() == 110_003)
    }
  }

  @Test func onlyAnAdministratorMakesAccountsAndApplications() async throws {
    try await TestPlatform.run { platform in
      let person = try await platform.makeAccount("person")
      for (method, path) in [
        ("GET", "/v1/accounts"), ("POST", "/v1/accounts"), ("GET", "/v1/applications"),
        ("POST", "/v1/applications"),
      ] {
        let body = method == "POST" ? ["account": "x", "name": "x"] : nil
        #expect(try await platform.failure(method, path, body, token: person) == (403, 110_031))
      }
      #expect(try await platform.failure("POST", "/v1/accounts", ["account": "PERSON"]) == (400, 110_001))
      struct Application: Decodable {
        let appKey: String
        let appSecret: String
      }
      let made = try await platform.v1("POST", "/v1/applications", ["name": "shop"]).decode(Application.self)
      let token = try await platform.rawLapp(
        "token/get", body: TestPlatform.form(["appKey": made.appKey, "appSecret": made.appSecret]))
      #expect(token["code"] as? String == "200")
    }
  }

  @Test func wrongCodesAreSlowedPerAccountAndNotForTheOwner() async throws {
    try await TestPlatform.run { platform in
      let stranger = try await platform.makeAccount("stranger")
      let device = try await platform.device()
      func add(_ code: String, _ token: String) async throws -> String? {
        try await platform.lapp(
          "device/add", ["deviceSerial": "O12345678", "validateCode": code], token: token)["code"] as? String
      }
      for _ in 0..<3 { #expect(try await add("AAAAAA", stranger) == "20010") }
      #expect(try await add("AAAAAA", stranger) == "10006")
      // The right code does not help who must wait, and the device is not asked.
      #expect(try await add("ABCDEF", stranger) == "10006")
      #expect(device.proofCount == 3)
      #expect(try await add("ABCDEF", platform.token) == "200")
    }
  }

  @Test func theDecoyCostsWhatARealHashDoes() async throws {
    let real = try await PasswordPool().hash("some password")
    let cost = { (hash: String) in hash.split(separator: "$").prefix(3).map(String.init) }
    #expect(cost(Gatekeeper.decoy) == cost(real))
  }

  @Test func thePoolOfHashesIsBounded() async throws {
    let pool = PasswordPool()
    let hash = try await pool.hash("right")
    let refused = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<60 {
        group.addTask {
          do {
            _ = try await pool.matches("wrong", hash: hash)
            return false
          } catch { return (error as? OrielError)?.code == .tooFrequent }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(refused == 60 - PasswordPool.width - PasswordPool.queueLimit)
    #expect(try await pool.matches("right", hash: hash))
  }
}
