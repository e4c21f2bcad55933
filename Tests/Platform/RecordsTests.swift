import Foundation
import OrielModel
import OrielNet
import Synchronization
import Testing

@testable import OrielPlatform

@Suite struct RecordsTests {
  private static let path = "/v1/devices/O12345678/cameras/1/recordings"

  private func file(_ start: Int64, _ end: Int64, camera: Int = 1) -> RecordFile {
    RecordFile(
      fileId: "f\(start)", cameraNo: camera, store: .device, startTime: start, endTime: end, size: 10,
      downloadPath: "/elsewhere")
  }

  private func withDevice(
    hasCloud: Bool = true, _ body: (TestPlatform, TestDevice) async throws -> Void
  ) async throws {
    func configure(_ configuration: inout PlatformConfiguration) {
      if !hasCloud { configuration.cloud = nil }
    }
    try await TestPlatform.run(configure: configure) { platform in
      let device = try await platform.device()
      try await platform.add(device)
      try await body(platform, device)
      await device.close()
    }
  }

  @Test func aQuestionReachesTheDeviceAndItsAnswerIsHeldToIt() async throws {
    try await withDevice { platform, device in
      let files = [
        file(1_000, 2_000, camera: 7), file(9_000, 8_000), file(90_000, 91_000), file(2_000, 3_000),
      ]
      device.pages.withLock { $0 = { _ in RecordPage(files: files, nextTime: 3_000) } }
      let answer = try await platform.v1(
        "GET", Self.path,
        query: [("from", "500"), ("to", "5000"), ("form", "stretches"), ("kind", "event"), ("limit", "20")])
      let page = try answer.decode(RecordPage.self)
      #expect(page.files.map(\.startTime) == [1_000, 2_000])
      #expect(page.files.allSatisfy { $0.cameraNo == 1 && $0.downloadPath == nil })
      #expect(page.nextTime == 3_000)
      let query = RecordQuery(cameraNo: 1, from: 500, to: 5_000, form: .stretches, kind: .event, limit: 20)
      #expect(device.asked.withLock { $0 } == [.findRecordings(query)])
    }
  }

  @Test func daysAreThoseThatWereAskedFor() async throws {
    try await withDevice { platform, device in
      device.pages.withLock { $0 = { _ in RecordPage(files: [], days: [0, 5, 86_400_000]) } }
      let answer = try await platform.v1(
        "GET", Self.path,
        query: [("from", "0"), ("to", "172800000"), ("form", "days"), ("dayStarts", "0,86400000")])
      #expect(try answer.decode(RecordPage.self).days == [0, 86_400_000])
    }
  }

  @Test(arguments: [
    "from=5&to=5", "from=9&to=5", "from=x", "from=-1&to=4", "to=253402300800000", "form=other", "kind=x",
    "limit=0", "limit=501", "store=tape", "form=days", "form=days&dayStarts=5,5", "form=days&dayStarts=1,b",
  ])
  func aMalformedQuestionGoesNowhere(query: String) async throws {
    try await withDevice { platform, device in
      device.pages.withLock { $0 = { _ in RecordPage(files: []) } }
      let pairs = query.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=").map(String.init)
        return (name: parts[0], value: parts[1])
      }
      let answer = try await platform.v1("GET", Self.path, query: pairs)
      #expect(answer.status == 400)
      #expect(try answer.decode(TestPlatform.Failure.self).code == 110_001)
      #expect(device.asked.withLock { $0 }.isEmpty)
    }
  }

  @Test func onlyTheOwnerMayAsk() async throws {
    try await withDevice { platform, device in
      device.pages.withLock { $0 = { _ in RecordPage(files: []) } }
      let other = try await platform.makeAccount("other")
      #expect(try await platform.failure("GET", Self.path, token: other).code == 120_018)
      let picture = try await platform.v1(
        "GET", Self.path + "/picture", token: other, query: [("time", "5")])
      #expect(try picture.decode(TestPlatform.Failure.self).code == 120_018)
      let lock: [String: Any] = ["from": 1, "to": 2, "locked": true]
      #expect(try await platform.failure("POST", Self.path + "/lock", lock, token: other).code == 120_018)
      let events = "/v1/devices/O12345678/cameras/1/events"
      #expect(try await platform.failure("POST", events, ["name": "bell"], token: other).code == 120_018)
      #expect(try await platform.failure("GET", "/v1/devices/O12345678/cameras/3/recordings").code == 120_001)
      #expect(device.asked.withLock { $0 }.isEmpty)
    }
  }

  @Test func picturesLocksAndEventsReachTheDevice() async throws {
    try await withDevice { platform, device in
      let picture = try await platform.v1("GET", Self.path + "/picture", query: [("time", "1234")])
      #expect(picture.body == TestDevice.jpeg)
      let lock: [String: Any] = ["from": 10, "to": 20, "locked": true]
      #expect(try await platform.v1("POST", Self.path + "/lock", lock).status == 200)
      let events = "/v1/devices/O12345678/cameras/1/events"
      #expect(try await platform.v1("POST", events, ["name": "bell"]).status == 200)
      #expect(try await platform.failure("POST", events, ["name": ""]).code == 110_001)
      #expect(
        device.asked.withLock { $0 } == [
          .recordedPicture(cameraNo: 1, time: 1234),
          .lockRecordings(cameraNo: 1, from: 10, to: 20, isLocked: true),
          .recordEvent(cameraNo: 1, name: "bell"),
        ])
    }
  }

  @Test func aStoreThatIsNotThereHasItsNumber() async throws {
    try await withDevice(hasCloud: false) { platform, _ in
      #expect(try await platform.failure("GET", Self.path).code == 160_020)
      let cloud = try await platform.v1("GET", Self.path, query: [("store", "cloud")])
      #expect(try cloud.decode(TestPlatform.Failure.self).code == 120_019)
    }
  }

  @Test func theManualsSearchHasItsTwoForms() async throws {
    try await withDevice { platform, device in
      let (first, second) = (file(1_000, 2_000), file(2_000, 3_000))
      device.pages.withLock {
        $0 = { query in
          query.from < 1_500
            ? RecordPage(files: [first], nextTime: 2_000) : RecordPage(files: [second])
        }
      }
      let fields = ["deviceSerial": "O12345678", "startTime": "0", "endTime": "5000"]
      let old = try await platform.lapp("video/by/time", fields)
      let list = try #require(old["data"] as? [[String: Any]])
      #expect(list.map { $0["startTime"] as? Int } == [1_000, 2_000])
      #expect(list.first?["recType"] as? Int == 2)
      #expect(list.first?["keyChecksum"] is NSNull)

      let paged = try await platform.lapp(
        "video/by/time", fields.merging(["version": "2.0", "pageSize": "1", "recType": "2"]) { $1 })
      let data = try #require(paged["data"] as? [String: Any])
      #expect(data["isAll"] as? Bool == false)
      #expect(data["nextFileTime"] as? Int == 2_000)
      #expect((data["files"] as? [[String: Any]])?.count == 1)
    }
  }

  @Test func nothingFoundIsToldAsNull() async throws {
    try await withDevice(hasCloud: false) { platform, device in
      device.pages.withLock { $0 = { _ in RecordPage(files: []) } }
      let answer = try await platform.lapp("video/by/time", ["deviceSerial": "O12345678"])
      #expect(answer["code"] as? String == "200")
      #expect(answer["data"] is NSNull)
      let cloud = try await platform.lapp(
        "video/by/time", ["deviceSerial": "O12345678", "recType": "1"])
      #expect(cloud["code"] as? String == "20019")
    }
  }

  @Test func aTimeOfPlaybackThatIsNoneIsNotPassedOn() {
    var signal = SignalMessage(.offer, session: "s", to: "O12345678")
    signal.playbackTime = 1_800_000_000
    #expect(SignalLimits.fault(of: signal) == nil)
    for time in [-1, .infinity, .nan, 1e300] {
      signal.playbackEndTime = time
      #expect(SignalLimits.fault(of: signal) == .playbackRange)
    }
  }
}
