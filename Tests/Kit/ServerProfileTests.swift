import Foundation
import OrielModel
import Testing

@testable import OrielKit

struct ServerProfileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "oriel-\(UUID().uuidString)")
  private var file: URL { folder.appendingPathComponent("deep/profile.json") }

  private func profile(_ address: String = "http://127.0.0.1:7999") throws -> ServerProfile {
    ServerProfile(
      server: try ServerAddress(address), account: "admin", accessToken: "at.secret", expireTime: 5)
  }

  @Test func aProfileComesBackAsItWasSavedAndIsForItsOwnerOnly() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let profile = try profile()
    try profile.save(to: file)
    try profile.save(to: file)
    #expect(try ServerProfile.load(from: file) == profile)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
    #expect(!"\(profile)".contains("secret"))
    #expect(!String(reflecting: profile).contains("secret"))
    try ServerProfile.remove(at: file)
    #expect(try ServerProfile.load(from: file) == nil)
  }

  @Test func aFileThatIsNoProfileIsSaidSo() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    for content in ["", "{}", "[]", #"{"server":"ftp://x"}"#, #"{"server":"http://192.0.2.1:7080"}"#] {
      try Data(content.utf8).write(to: file)
      #expect(throws: OrielError.self) { try ServerProfile.load(from: file) }
    }
  }

  @Test func theServerIsTheGivenOneElseTheEnvironmentsElseTheProfilesElseLoopback() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let none = try ServerChoice.resolve(environment: [:], profileFile: file)
    #expect(none.origin == .loopback)
    #expect("\(none.server)" == "http://127.0.0.1:7080")
    #expect(none.accessToken == nil)

    try profile().save(to: file)
    let kept = try ServerChoice.resolve(environment: [:], profileFile: file)
    #expect(kept.origin == .profile)
    #expect(kept.accessToken == "at.secret")
    #expect(kept.account == "admin")

    let named = try ServerChoice.resolve(
      environment: ["ORIEL_SERVER": "http://127.0.0.1:1"], profileFile: file)
    #expect(named.origin == .environment)
    #expect(named.accessToken == nil, "the token of another server")

    let given = try ServerChoice.resolve(
      given: ServerAddress("http://127.0.0.1:7999"),
      environment: ["ORIEL_SERVER": "http://127.0.0.1:1", "ORIEL_ACCESS_TOKEN": "other"], profileFile: file)
    #expect(given.origin == .given)
    #expect(given.accessToken == "other")
    #expect(given.account == nil)
  }

  @Test func aServerThatIsNoAddressIsRefused() {
    #expect(throws: OrielError.self) {
      try ServerChoice.resolve(environment: ["ORIEL_SERVER": "nonsense"], profileFile: file)
    }
  }
}
