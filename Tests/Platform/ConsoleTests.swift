import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

@Suite struct ConsoleTests {
  private func run(_ body: (TestPlatform) async throws -> Void) async throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.path + "/oriel-console-" + UUID().uuidString
    defer { try? files.removeItem(atPath: folder) }
    try files.createDirectory(atPath: folder + "/scripts", withIntermediateDirectories: true)
    for (name, text) in [
      ("index.html", "<!doctype html>"), ("scripts/main.js", "export {};"), ("scripts/.secret.js", "secret"),
      ("notes.md", "not served"),
    ] {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    try files.createSymbolicLink(atPath: folder + "/passwd.txt", withDestinationPath: "/etc/passwd")
    try await TestPlatform.run {
      $0.consoleFolder = folder
    } _: {
      try await body($0)
    }
  }

  @Test func filesComeWithTheirTypeAndAStrictPolicy() async throws {
    try await run { platform in
      let page = try await platform.client.send(path: "/")
      #expect(page.status == 200)
      #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
      #expect(page.headers["Cache-Control"] == "no-cache")
      let policy = try #require(page.headers["Content-Security-Policy"])
      #expect(policy.contains("default-src 'none'"))
      #expect(policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
      #expect(page.headers["X-Content-Type-Options"] == "nosniff")
      let tag = try #require(page.headers["ETag"])
      let again = try await platform.client.send(path: "/", headers: ["If-None-Match": tag])
      #expect(again.status == 304)
      let script = try await platform.client.send(path: "/scripts/main.js")
      #expect(script.headers["Content-Type"] == "text/javascript; charset=utf-8")
    }
  }

  @Test(arguments: [
    "/passwd.txt", "/scripts/.secret.js", "/notes.md", "/scripts", "/scripts/", "/../../etc/passwd",
    "/scripts/..%2f..%2fetc/passwd", "/none.html", "/index.html/x.html", "/scripts/main.js%00.html",
  ])
  func nothingElseIsServed(path: String) async throws {
    try await run { platform in
      let answer = try await platform.client.send(path: path)
      #expect(answer.status >= 400)
      #expect(!String(decoding: answer.body, as: UTF8.self).contains("root:"))
    }
  }

  @Test func onlyThePlatformsOwnPageOpensALink() async throws {
    try await run { platform in
      for path in ["/v1/viewer", "/v1/device"] {
        _ = try await platform.client.openWebSocket(path: path, headers: ["Origin": platform.address.origin])
        for origin in ["http://evil.example", "null", platform.address.origin + ".evil.example"] {
          await #expect(throws: OrielError.self) {
            try await platform.client.openWebSocket(path: path, headers: ["Origin": origin])
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("http://127.0.0.1:7080", "127.0.0.1:7080", false, true),
    ("http://localhost:7080", "localhost:7080", false, true),
    ("http://[::1]:7080", "[::1]:7080", false, true),
    ("https://cameras.example", "cameras.example", false, true),
    ("http://rebound.example:7080", "rebound.example:7080", false, false),
    ("https://house.example:7443", "house.example:7443", true, true),
    ("http://house.example:7443", "house.example:7443", true, false),
    ("https://house.example:7443", "other.example:7443", true, false),
  ])
  func originAndHostMustAgree(origin: String, host: String, isTLS: Bool, may: Bool) {
    let request = HTTPRequest(
      method: "GET", path: "/v1/viewer", headers: ["Origin": origin, "Host": host], isTLS: isTLS)
    #expect(RequestOrigin.mayOpenWebSocket(request, publicNames: ["cameras.example"]) == may)
  }

  @Test(arguments: [
    (["cameras.example"], "203.0.113.9", "203.0.113.9"),
    (["cameras.example"], "1.2.3.4, 203.0.113.9", "203.0.113.9"),
    (["cameras.example"], "2001:db8::9", "2001:db8::9"), (["cameras.example"], "nonsense", "127.0.0.1"),
    (["cameras.example"], "", "127.0.0.1"), ([], "203.0.113.9", "127.0.0.1"),
  ])
  func onlyAKnownProxyIsBelieved(names: [String], header: String, address: String) {
    let request = HTTPRequest(
      method: "GET", path: "/", headers: ["X-Forwarded-For": header], remoteAddress: "127.0.0.1")
    #expect(RequestOrigin.clientAddress(request, publicNames: names) == address)
  }

  @Test func healthIsToldWithoutSigningIn() async throws {
    try await run { platform in
      #expect(try await platform.client.send(path: "/livez").status == 200)
      #expect(try await platform.client.send(path: "/readyz").status == 200)
      struct Description: Decodable {
        struct Area: Decodable {
          let id: Int
          let name: String
        }
        let version: String
        let areas: [Area]
      }
      let description = try await platform.v1("GET", "/v1/platform", token: "").decode(Description.self)
      #expect(description.areas.map(\.id) == [1])
      #expect(try await platform.v1("GET", "/v1/none").status == 404)
      #expect(try await platform.v1("GET", "/v1/me", token: "").status == 401)
      #expect(try await platform.v1("PUT", "/v1/me").status == 405)
    }
  }
}
