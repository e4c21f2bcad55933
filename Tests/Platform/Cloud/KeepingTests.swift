import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

/// What the cloud keeps, shows and deletes.
@Suite struct KeepingTests {
  private static let day: Int64 = 86_400_000

  /// Puts minutes of 1000 bytes in the cloud, one after the other.
  private func fill(
    _ platform: TestPlatform, _ device: TestDevice, from start: Int64, count: Int,
    kind: RecordKind = .continuous
  ) async throws {
    for minute in 0..<count {
      try await platform.upload(
        TestStretch(
          size: 1_000, start: start + Int64(minute) * 60_000, seed: UInt64(start / 1_000) + UInt64(minute),
          kind: kind), by: device)
    }
  }

  private func sweep(_ platform: TestPlatform) async throws {
    await platform.server.cloud?.sweeper.sweep()
  }

  @Test func filesStretchesAndDaysAreListed() async throws {
    try await UploadTests.withDevice { platform, device in
      let start = (platform.clock.time.wall() / Self.day - 1) * Self.day
      try await fill(platform, device, from: start, count: 3)
      try await fill(platform, device, from: start + 180_000, count: 2, kind: .event)
      try await fill(platform, device, from: start + 600_000, count: 2)
      let files = try await platform.cloudFiles()
      #expect(files.files.count == 7 && files.nextTime == nil)
      #expect(files.files.map(\.startTime) == files.files.map(\.startTime).sorted())
      let stretches = try await platform.cloudFiles(form: "stretches").files
      #expect(stretches.map { $0.endTime - $0.startTime } == [180_000, 120_000, 120_000])
      #expect(stretches.map(\.size) == [3_000, 2_000, 2_000])
      #expect(stretches.map(\.kind) == [.continuous, .event, .continuous])
      #expect(stretches.allSatisfy { $0.downloadPath == nil })
      #expect(try await platform.cloudFiles(more: "kind=event").files.count == 2)
      // Page by page, each once.
      var (from, seen) = (Int64(0), [Int64]())
      while true {
        let page = try await platform.cloudFiles(from: from, more: "limit=2")
        seen += page.files.map(\.startTime)
        guard let next = page.nextTime else { break }
        from = next
      }
      #expect(seen == files.files.map(\.startTime))
      let two = try await platform.cloudFiles(form: "stretches", more: "limit=2")
      #expect(two.files.count == 2 && two.nextTime == start + 600_000)
      let days = try await platform.cloudFiles(
        form: "days", more: "dayStarts=\(start - Self.day),\(start),\(start + Self.day)")
      #expect(days.days == [start])
    }
  }

  @Test func whatIsOldIsDeletedFromIndexAndDisk() async throws {
    try await UploadTests.withDevice(limits: .init(retention: .seconds(86_400))) {
      platform, device in
      let start = platform.clock.time.wall() - 600_000
      try await fill(platform, device, from: start, count: 2)
      platform.clock.advance(.seconds(86_400 - 60))
      try await fill(platform, device, from: start + Self.day, count: 1)
      try await sweep(platform)
      #expect(try await platform.cloudFiles().files.map(\.startTime) == [start + Self.day])
      #expect(platform.keptFiles.count == 1)
      // What is older than that is not even taken.
      let old = TestStretch(size: 10, start: start - Self.day, seed: 99)
      #expect(try await device.ask(old.request).errorCode == 720_302)
    }
  }

  @Test func aQuotaPushesOutTheOldestAndNeverTheNewer() async throws {
    try await UploadTests.withDevice(limits: .init(quota: 3_500)) { platform, device in
      let start = platform.clock.time.wall() - 3_600_000
      try await fill(platform, device, from: start, count: 5)
      try await sweep(platform)
      #expect(
        try await platform.cloudFiles().files.map(\.startTime) == (2..<5).map { start + $0 * 60_000 })
      #expect(platform.keptFiles.count == 3)
      let older = TestStretch(size: 1_000, start: start - 60_000, seed: 77)
      #expect(try await device.ask(older.request).errorCode == 720_301)
      let huge = TestStretch(size: 4_000, start: start + 600_000, seed: 78)
      #expect(try await device.ask(huge.request).errorCode == 720_301)
      // Nothing was deleted for what was refused.
      #expect(try await platform.cloudFiles().files.count == 3)
      // An upload that has begun counts.
      let begun = TestStretch(size: 2_000, start: start + 600_000, seed: 79)
      let grant = try await device.ask(begun.request)
      #expect(grant.errorCode == 0)
      #expect(try await platform.cloudFiles().files.count == 1)
    }
  }

  @Test func theAdministratorGivesAnAccountItsOwnLimits() async throws {
    struct Usage: Decodable {
      let files: Int
      let usedBytes, quotaBytes: Int64
      let retentionDays: Double
    }
    try await UploadTests.withDevice { platform, device in
      try await fill(platform, device, from: platform.clock.time.wall() - 600_000, count: 2)
      let standard = try await platform.v1("GET", "/v1/cloud").decode(Usage.self)
      #expect(standard.files == 2 && standard.usedBytes == 2_000)
      #expect(standard.quotaBytes == 10_000_000_000 && standard.retentionDays == 7)
      let path = "/v1/accounts/admin/cloud"
      let changed = try await platform.v1("PUT", path, ["quotaBytes": 1_500]).decode(Usage.self)
      #expect(changed.quotaBytes == 1_500 && changed.retentionDays == 7)
      try await fill(platform, device, from: platform.clock.time.wall() - 120_000, count: 1)
      #expect(try await platform.cloudFiles().files.count == 1)
      _ = try await platform.v1("PUT", path, ["retentionDays": 0.5])
      platform.clock.advance(.seconds(46_000))
      try await sweep(platform)
      #expect(try await platform.cloudFiles().files.isEmpty && platform.keptFiles.isEmpty)
      #expect(try await platform.v1("DELETE", path).decode(Usage.self).retentionDays == 7)

      let other = try await platform.makeAccount("other")
      #expect(try await platform.failure("GET", path, token: other).code == 110_031)
      #expect(try await platform.failure("GET", "/v1/accounts/nobody/cloud").code == 110_004)
      for body in [["quotaBytes": -1], ["retentionDays": 0], ["quotaBytes": 1 << 52]] {
        #expect(try await platform.failure("PUT", path, body).code == 110_001)
      }
    }
  }

  @Test func theOwnerDeletesAFileAndNobodyElse() async throws {
    try await UploadTests.withDevice { platform, device in
      try await fill(platform, device, from: platform.clock.time.wall() - 600_000, count: 2)
      let file = try #require(try await platform.cloudFiles().files.first)
      let other = try await platform.makeAccount("other")
      let path = "/v1/cloud/files/\(file.fileId)"
      #expect(try await platform.failure("DELETE", path, token: other).code == 395_402)
      #expect(try await platform.failure("GET", path, token: other).code == 395_402)
      let signed = try #require(file.downloadPath)
      #expect(try await platform.signed("DELETE", signed).status == 401)
      #expect(try await platform.signed("GET", signed).status == 200)
      #expect(try await platform.v1("GET", path).status == 200)
      #expect(try await platform.v1("DELETE", path).status == 200)
      #expect(platform.keptFiles.count == 1)
      #expect(try await platform.signed("GET", signed).status == 404)
      #expect(try await platform.failure("DELETE", path).code == 395_402)
    }
  }

  @Test func anAddressOfAFileEndsAfterAWhile() async throws {
    try await UploadTests.withDevice { platform, device in
      try await fill(platform, device, from: platform.clock.time.wall() - 600_000, count: 1)
      let path = try #require(try await platform.cloudFiles().files.first?.downloadPath)
      platform.clock.advance(.seconds(3_600))
      #expect(try await platform.signed("GET", path).status == 200)
      platform.clock.advance(.seconds(3_601))
      #expect(try await platform.signed("GET", path).status == 403)
    }
  }

  @Test func aDeviceThatIsRemovedTakesItsRecordingsWithIt() async throws {
    try await UploadTests.withDevice { platform, device in
      try await fill(platform, device, from: platform.clock.time.wall() - 600_000, count: 2)
      let begun = TestStretch(start: platform.clock.time.wall() - 60_000, seed: 5)
      let grant = try await device.ask(begun.request)
      _ = try await platform.patch(grant.path, at: 0, begun.bytes.prefix(500))
      let path = try #require(try await platform.cloudFiles().files.first?.downloadPath)
      _ = try await platform.v1("DELETE", "/v1/devices/O12345678")
      #expect(try await platform.signed("GET", path).status == 404)
      #expect(
        try TestPlatform.number(try await platform.patch(grant.path, at: 500, begun.bytes.dropFirst(500)))
          == 720_309)
      try await sweep(platform)
      #expect(platform.keptFiles.isEmpty)
      // Its next owner sees nothing of it.
      let other = try await platform.makeAccount("other")
      try await platform.add(device, token: other)
      #expect(try await platform.cloudFiles(other).files.isEmpty)
    }
  }

  @Test func whatWasInterruptedIsMadeGood() async throws {
    try await UploadTests.withDevice { platform, device in
      let cloud = try #require(await platform.server.cloud)
      let start = platform.clock.time.wall() - 600_000
      // The store has it, and the index was not told: the next question mends it.
      let stretch = TestStretch(size: 1_000, start: start)
      let grant = try await device.ask(stretch.request)
      let id = try #require(grant.path?.split(separator: "/").last?.split(separator: "?").first)
      let spooled = platform.folder + "/cloud/incoming/\(id).part"
      try Data(stretch.bytes).write(to: URL(fileURLWithPath: spooled))
      try await cloud.store.keep(spooled, as: String(id))
      let again = try await device.ask(stretch.request)
      #expect(again.isStored == true)
      #expect(try await platform.cloudFiles().files.count == 1)
      // All bytes are there, and nobody finished it: an empty piece does.
      let second = TestStretch(size: 1_000, start: start + 60_000, seed: 2)
      let other = try await device.ask(second.request)
      let name = try #require(other.path?.split(separator: "/").last?.split(separator: "?").first)
      try Data(second.bytes).write(
        to: URL(fileURLWithPath: platform.folder + "/cloud/incoming/\(name).part"))
      #expect(try await device.ask(second.request).offset == 1_000)
      let end = try await platform.patch(other.path, at: 1_000, [])
      #expect(try end.decode(UploadProgress.self).isStored)
      // Condemned, and not deleted yet.
      #expect(try await cloud.index.condemn(String(id)))
      #expect(try await platform.cloudFiles().files.count == 1 && platform.keptFiles.count == 2)
      try await sweep(platform)
      #expect(platform.keptFiles.count == 1)
    }
  }

  @Test func anUploadThatNobodyGoesOnWithIsGivenUp() async throws {
    try await UploadTests.withDevice { platform, device in
      let stretch = TestStretch(size: 1_000, start: platform.clock.time.wall() - 600_000)
      let grant = try await device.ask(stretch.request)
      _ = try await platform.patch(grant.path, at: 0, stretch.bytes.prefix(10))
      platform.clock.advance(.seconds(2 * 86_400))
      try await sweep(platform)
      #expect(platform.keptFiles.count == 1)
      platform.clock.advance(.seconds(86_401))
      try await sweep(platform)
      #expect(platform.keptFiles.isEmpty)
      #expect(try await device.ask(stretch.request).offset == 0)
    }
  }

  @Test func theManualsCallsKnowTheCloud() async throws {
    try await UploadTests.withDevice { platform, device in
      let start = platform.clock.time.wall() - 600_000
      try await fill(platform, device, from: start, count: 1)
      let found = try await platform.lapp(
        "video/by/time",
        ["deviceSerial": "O12345678", "startTime": "\(start)", "endTime": "\(start + 60_000)"])
      let file = try #require((found["data"] as? [[String: Any]])?.first)
      #expect(file["recType"] as? Int == 1 && (file["downloadPath"] as? String)?.isEmpty == false)
      let info = try await platform.lapp("cloud/storage/device/info", ["deviceSerial": "O12345678"])
      let data = try #require(info["data"] as? [String: Any])
      #expect(data["status"] as? Int == 1 && data["totalDays"] as? Int == 7)
      #expect(data["startTime"] as? Int64 == start || data["startTime"] as? Int == Int(start))
    }
  }
}
