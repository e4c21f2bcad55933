import Foundation
import OrielDatabase
import OrielModel
import Testing

@testable import OrielPlatform

/// What every store must do; another than SQLite joins by another `make`.
@Suite struct StoreTests {
  private func run(_ body: (any Store) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/oriel-store-" + UUID().uuidString
    let store = try SQLiteStore(path: path)
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
    try await body(store)
    await store.close()
  }

  private func report(_ cameras: Int, name: String = "Door") -> DeviceReport {
    DeviceReport(
      name: name, model: "m", version: "1",
      cameras: (0..<cameras).map { CameraRecord(cameraNo: $0 + 1, name: "c", note: "it's \"quoted\"") })
  }

  @Test func aReportIsWrittenOnlyWhenItIsNew() async throws {
    try await run { store in
      let serial = try DeviceSerial("O12345678")
      let key = [UInt8](repeating: 1, count: 32)
      #expect(
        try await store.register(serial, signingKey: key, agreementKey: key, report: report(2), at: 1) == nil)
      #expect(try await store.saveReport(report(2), of: serial, at: 2) == false)
      #expect(try await store.saveReport(report(1), of: serial, at: 3) == true)
      let device = try #require(try await store.device(serial))
      #expect(device.cameras.map(\.record) == report(1).cameras)
      #expect(device.updated == 3)
      await #expect(throws: OrielError(.serialTaken)) {
        try await store.register(
          serial, signingKey: [UInt8](repeating: 2, count: 32), agreementKey: key, report: report(1), at: 4)
      }
    }
  }

  @Test func pagesCutAListWithoutGapsOrRepeats() async throws {
    try await run { store in
      let account = try await store.addAccount(name: "a", passwordHash: "", isAdministrator: false, at: 0)
      let key = [UInt8](repeating: 1, count: 32)
      for number in 0..<25 {
        let serial = try DeviceSerial("O\(10_000_000 + number)")
        _ = try await store.register(serial, signingKey: key, agreementKey: key, report: report(2), at: 0)
        try await store.claim(serial, by: account.id, name: nil, at: 0)
      }
      var seen: [DeviceSerial] = []
      for page in 0..<3 {
        let devices = try await store.devices(of: account.id, from: page * 10, count: 10)
        #expect(devices.total == 25)
        seen += devices.elements.map(\.serial)
      }
      #expect(seen.count == 25)
      #expect(Set(seen).count == 25)
      var cursor: Int64 = 0
      var again: [DeviceSerial] = []
      while true {
        let devices = try await store.devices(of: account.id, after: cursor, count: 7).elements
        guard let last = devices.last else { break }
        again += devices.map(\.serial)
        cursor = last.claim
      }
      #expect(again == seen)
      let cameras = try await store.cameras(of: account.id, from: 45, count: 10)
      #expect(cameras.total == 50)
      #expect(cameras.elements.count == 5)
    }
  }

  @Test func hostileTextIsText() async throws {
    try await run { store in
      let name = "x'; DROP TABLE accounts; --"
      let account = try await store.addAccount(name: name, passwordHash: "h", isAdministrator: false, at: 0)
      #expect(try await store.account(named: name) == account)
      await #expect(throws: OrielError.self) {
        try await store.addAccount(name: name.uppercased(), passwordHash: "", isAdministrator: true, at: 0)
      }
      #expect(try await store.accounts().count == 1)
    }
  }

  @Test func tokensAreLimitedAndForgotten() async throws {
    try await run { store in
      let account = try await store.addAccount(name: "a", passwordHash: "", isAdministrator: false, at: 0)
      for number in 0..<(SQLiteStore.tokensPerAccount + 5) {
        try await store.addToken(
          StoredToken(
            hash: Array("\(number)".utf8), account: account.id, appKey: nil, expires: Int64(number + 10_000)),
          at: 0)
      }
      #expect(try await store.token(Array("4".utf8)) == nil)
      #expect(try await store.token(Array("5".utf8)) != nil)
      try await store.addToken(
        StoredToken(hash: [1], account: account.id, appKey: nil, expires: .max),
        at: SQLiteStore.week + 20_000)
      #expect(try await store.token(Array("900".utf8)) == nil)
      #expect(try await store.token([1]) != nil)
    }
  }

  @Test func aNewerOrDamagedFileIsRefused() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/oriel-store-" + UUID().uuidString
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
    let newer = try SQLiteDatabase(path: path)
    try newer.execute("CREATE TABLE schema_version (version INTEGER); INSERT INTO schema_version VALUES (99)")
    newer.close()
    #expect(throws: OrielError(.dataFolder, "a newer version of Oriel has written it")) {
      try SQLiteStore(path: path)
    }
    try Data(repeating: 7, count: 4_096).write(to: URL(fileURLWithPath: path))
    #expect(throws: OrielError.self) { try SQLiteStore(path: path) }
  }
}
