import Foundation
import OrielCrypto
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

/// Uploads as a device makes them, and as it must not.
@Suite struct UploadTests {
  static func withDevice(
    limits: PlatformConfiguration.Cloud? = PlatformConfiguration.Cloud(),
    _ body: (TestPlatform, TestDevice) async throws -> Void
  ) async throws {
    func configure(_ configuration: inout PlatformConfiguration) { configuration.cloud = limits }
    try await TestPlatform.run(configure: configure) { platform in
      let device = try await platform.device()
      try await platform.add(device)
      try await body(platform, device)
      await device.close()
    }
  }

  private func start(_ platform: TestPlatform) -> Int64 { platform.clock.time.wall() - 120_000 }

  @Test func aRecordingComesInPiecesAndIsListedOnceItIsWhole() async throws {
    try await Self.withDevice { platform, device in
      let stretch = TestStretch(start: start(platform), kind: .event)
      let grant = try await device.ask(stretch.request)
      #expect(grant.errorCode == 0 && grant.offset == 0 && grant.isStored == false)
      let first = try await platform.patch(grant.path, at: 0, stretch.bytes.prefix(40_000))
      #expect(
        try first.decode(UploadProgress.self) == UploadProgress(offset: 40_000, isStored: false))
      #expect(try await platform.cloudFiles().files.isEmpty)
      let head = try await platform.signed("HEAD", try #require(grant.path))
      #expect(head.headers["Upload-Offset"] == "40000" && head.headers["Upload-Length"] == "100000")
      let last = try await platform.patch(grant.path, at: 40_000, stretch.bytes.dropFirst(40_000))
      #expect(
        try last.decode(UploadProgress.self) == UploadProgress(offset: 100_000, isStored: true))

      let file = try #require(try await platform.cloudFiles().files.first)
      #expect(file.store == .cloud && file.kind == .event && file.size == 100_000)
      #expect(file.startTime == stretch.request.startTime && file.endTime == stretch.request.endTime)
      let path = try #require(file.downloadPath)
      let whole = try await platform.signed("GET", path)
      #expect(whole.body == stretch.bytes && whole.headers["Content-Type"] == "video/mp4")
      let part = try await platform.signed("GET", path, headers: ["Range": "bytes=99000-"])
      #expect(part.status == 206 && part.body == Array(stretch.bytes[99_000...]))
      #expect(part.headers["Content-Range"] == "bytes 99000-99999/100000")
      let beyond = try await platform.signed("GET", path, headers: ["Range": "bytes=100000-"])
      #expect(beyond.status == 416)
    }
  }

  @Test func aWholePutIsOneRequestAndContentRangeNamesAPiece() async throws {
    try await Self.withDevice { platform, device in
      let stretch = TestStretch(size: 1_000, start: start(platform))
      let path = try #require(try await device.ask(stretch.request).path)
      let piece = try await platform.signed(
        "PUT", path, headers: ["Content-Range": "bytes 0-299/1000"], body: Array(stretch.bytes[..<300]))
      #expect(try piece.decode(UploadProgress.self).offset == 300)
      let rest = try await platform.signed(
        "PUT", path, headers: ["Content-Range": "bytes 300-999/1000"], body: Array(stretch.bytes[300...]))
      #expect(try rest.decode(UploadProgress.self).isStored)
      let other = TestStretch(size: 500, start: start(platform) + 60_000, seed: 2)
      let second = try await platform.signed(
        "PUT", try #require(try await device.ask(other.request).path), body: other.bytes)
      #expect(try second.decode(UploadProgress.self).isStored)
      #expect(try await platform.cloudFiles().files.count == 2)
    }
  }

  @Test func theSameStretchAskedForTwiceIsOneFile() async throws {
    try await Self.withDevice { platform, device in
      let stretch = TestStretch(start: start(platform))
      let first = try await device.ask(stretch.request)
      _ = try await platform.patch(first.path, at: 0, stretch.bytes.prefix(10))
      let second = try await device.ask(stretch.request)
      #expect(second.offset == 10)
      _ = try await platform.patch(second.path, at: 10, stretch.bytes.dropFirst(10))
      let third = try await device.ask(stretch.request)
      #expect(third.isStored == true && third.offset == 100_000 && third.path == nil)
      // What is late for it does no harm.
      let late = try await platform.patch(first.path, at: 10, stretch.bytes.dropFirst(10))
      #expect(try late.decode(UploadProgress.self) == UploadProgress(offset: 100_000, isStored: true))
      #expect(try await platform.cloudFiles().files.count == 1)
      #expect(platform.keptFiles.count == 1)
    }
  }

  @Test func twoSendersOfOneStretchDoNotMix() async throws {
    try await Self.withDevice { platform, device in
      let stretch = TestStretch(size: 400_000, start: start(platform))
      let path = try await device.ask(stretch.request).path
      let answers = try await withThrowingTaskGroup(of: HTTPClientResponse.self) { group in
        for _ in 0..<4 { group.addTask { try await platform.patch(path, at: 0, stretch.bytes) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for answer in answers where answer.status != 200 { #expect(try TestPlatform.number(answer) == 720_305) }
      var grant = try await device.ask(stretch.request)
      if grant.isStored != true {
        let offset = Int(try #require(grant.offset))
        _ = try await platform.patch(grant.path, at: offset, stretch.bytes.dropFirst(offset))
        grant = try await device.ask(stretch.request)
      }
      #expect(grant.isStored == true)
      let file = try #require(try await platform.cloudFiles().files.first?.downloadPath)
      #expect(try await platform.signed("GET", file).body == stretch.bytes)
    }
  }

  /// One cut for each place where bytes can stop: in the request line, in a field, in the body, at its end.
  @Test(arguments: ["PA", "header", "0", "1", "65535", "65536", "65537", "99999"])
  func anUploadCutAnywhereGoesOnWhereItStopped(_ cut: String) async throws {
    try await Self.withDevice { platform, device in
      let stretch = TestStretch(start: start(platform))
      let path = try #require(try await device.ask(stretch.request).path)
      let head =
        "PATCH \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpload-Offset: 0\r\nContent-Length: 100000\r\n\r\n"
      var bytes = [UInt8](head.utf8)
      switch cut {
      case "PA": bytes = Array(bytes.prefix(2))
      case "header": bytes = Array(bytes.prefix(bytes.count - 20))
      default: bytes += stretch.bytes.prefix(try #require(Int(cut)))
      }
      do {
        let socket = try RawConnection(port: platform.address.port)
        socket.send(bytes)
        socket.close()
      }
      // The end of the connection and what came before it are seen in order.
      var grant = try await device.ask(stretch.request)
      let sent = Int(cut) ?? 0
      for _ in 0..<200 where grant.offset != Int64(sent) {
        try await Task.sleep(for: .milliseconds(10))
        grant = try await device.ask(stretch.request)
      }
      #expect(grant.offset == Int64(sent))
      let offset = Int(try #require(grant.offset))
      let answer = try await platform.patch(grant.path, at: offset, stretch.bytes.dropFirst(offset))
      #expect(try answer.decode(UploadProgress.self).isStored)
      let file = try #require(try await platform.cloudFiles().files.first?.downloadPath)
      #expect(try await platform.signed("GET", file).body == stretch.bytes)
    }
  }

  @Test func everyWrongPieceHasItsNumber() async throws {
    try await Self.withDevice { platform, device in
      let stretch = TestStretch(size: 1_000, start: start(platform))
      let path = try #require(try await device.ask(stretch.request).path)
      func number(_ answer: HTTPClientResponse) throws -> [Int] {
        [answer.status, try TestPlatform.number(answer)]
      }
      // Beyond, before and without an offset.
      let ahead = try await platform.patch(path, at: 5, stretch.bytes.dropFirst(5))
      #expect(try number(ahead) == [409, 720_305] && ahead.headers["Upload-Offset"] == "0")
      #expect(try number(try await platform.signed("PATCH", path, body: [1])) == [400, 110_001])
      #expect(
        try number(
          try await platform.signed("PATCH", path, headers: ["Upload-Offset": "-1"], body: [1]))
          == [400, 110_001])
      // Too long: announced, and not.
      #expect(try number(try await platform.patch(path, at: 0, stretch.bytes + [0])) == [413, 720_306])
      let chunked = try RawConnection(port: platform.address.port)
      chunked.send(
        [UInt8](
          "PATCH \(path) HTTP/1.1\r\nHost: h\r\nUpload-Offset: 0\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n"
            .utf8) + stretch.bytes + [0] + [UInt8]("\r\n0\r\n\r\n".utf8))
      let text = await chunked.receive { $0.contains("720306") }
      #expect(text.contains("413"))
      // Too short, where it was said to be the whole.
      let short = try await platform.signed("PUT", path, body: Array(stretch.bytes.prefix(999)))
      #expect(try number(short) == [400, 720_307] && short.headers["Upload-Offset"] == "999")
      // Other bytes than were announced: begins anew.
      let wrong = try await platform.patch(path, at: 999, [stretch.bytes[999] ^ 1])
      #expect(try number(wrong) == [422, 720_308] && wrong.headers["Upload-Offset"] == "0")
      let right = try await platform.patch(path, at: 0, stretch.bytes)
      #expect(try right.decode(UploadProgress.self).isStored)
    }
  }

  @Test func onlyTheAddressThatWasGrantedIsTaken() async throws {
    try await Self.withDevice { platform, device in
      let other = try await platform.device(serial: "O87654321")
      try await platform.add(other)
      let stretch = TestStretch(size: 1_000, start: start(platform))
      let path = try #require(try await device.ask(stretch.request).path)
      let foreign = try #require(try await other.ask(stretch.request).path)
      // Another device's file under this device's signature, the other way round, and none at all.
      let query = try #require(path.split(separator: "?").last)
      let bare = try #require(foreign.split(separator: "?").first)
      for (address, wanted) in [
        ("\(bare)?\(query)", 110_031), (String(bare), 110_031),
        (path.replacing("version=1000", with: "version=2000"), 110_031),
        ("/v1/cloud/uploads/\(String(repeating: "a", count: 32))?\(query)", 720_309),
        ("/v1/cloud/uploads/nonsense?\(query)", 720_309),
      ] {
        #expect(try TestPlatform.number(try await platform.patch(address, at: 0, stretch.bytes)) == wanted)
      }
      platform.clock.advance(.seconds(15 * 60 + 1))
      #expect(try TestPlatform.number(try await platform.patch(path, at: 0, stretch.bytes)) == 720_311)
      let again = try await device.ask(stretch.request)
      #expect(try await platform.patch(again.path, at: 0, stretch.bytes).status == 200)
      // A download's signature does not delete, and an upload's does not download.
      let download = path.replacing("uploads", with: "files")
      #expect(try TestPlatform.number(try await platform.signed("GET", download)) == 110_031)
      await other.close()
    }
  }

  @Test func aDeviceThatIsNobodysStoresNothing() async throws {
    try await TestPlatform.run { platform in
      let device = try await platform.device()
      let grant = try await device.ask(TestStretch(size: 10, start: start(platform)).request)
      #expect(grant.errorCode == 120_018 && grant.path == nil)
      await device.close()
    }
  }

  @Test func aPlatformWithoutACloudSaysSo() async throws {
    try await Self.withDevice(limits: nil) { platform, device in
      let grant = try await device.ask(TestStretch(size: 10, start: start(platform)).request)
      #expect(grant.errorCode == 120_019)
      #expect(try await platform.failure("GET", "/v1/cloud").code == 120_019)
    }
  }

  private static let falsehoods: [@Sendable (inout UploadRequest, Int64) -> Void] = [

    { request, _ in request.endTime = request.startTime },
    { request, _ in request.endTime = request.startTime - 1 }, { request, _ in request.endTime = .max },
    { request, _ in request.startTime = .min },
    { request, _ in request.endTime = request.startTime + 3_600_001 }, { request, _ in request.size = 0 },
    { request, _ in request.size = -1 }, { request, _ in request.size = .max },
    { request, _ in request.digest = "" },
    { request, _ in request.digest = String(request.digest.dropLast()) },
    { request, _ in request.digest = request.digest.uppercased() + "0" },
    { request, _ in request.digest = String(repeating: "z", count: 64) },
    { request, now in
      request.startTime = now + 2 * 86_400_000
      request.endTime = now + 2 * 86_400_000 + 1
    },
    { request, _ in
      request.startTime = 0
      request.endTime = 60_000
    },
    { request, _ in request.fragments = FragmentList(headSize: 10, fragments: []) },
    { request, _ in
      request.fragments = FragmentList(
        headSize: 10,
        fragments: [.init(offset: 10, size: 991, time: 0, duration: 1, startsWithKeyFrame: true)])
    },
    { request, _ in
      request.fragments = FragmentList(
        headSize: 10,
        fragments: [.init(offset: 10, size: .max, time: 0, duration: 1, startsWithKeyFrame: true)])
    },
    { request, _ in
      request.fragments = FragmentList(
        headSize: 10, codecs: "avc1\"\n#EXT",
        fragments: [.init(offset: 10, size: 10, time: 0, duration: 1, startsWithKeyFrame: true)])
    },

  ]

  @Test func whatCannotBeTrueIsRefused() async throws {
    try await Self.withDevice { platform, device in
      let now = platform.clock.time.wall()
      let good = TestStretch(size: 1_000, start: now - 120_000).request
      for (index, change) in Self.falsehoods.enumerated() {
        var request = good
        change(&request, now)
        let number = try await device.ask(request).errorCode
        #expect(number == 720_303, "falsehood \(index)")
      }
      var request = good
      request.cameraNo = 0
      let number = try await device.ask(request).errorCode
      #expect(number == 120_001)
      let granted = try await device.ask(good).errorCode
      #expect(granted == 0)
    }
  }

  @Test func twoRecordingsOfOneTimeAreNotBothKept() async throws {
    try await Self.withDevice { platform, device in
      let start = start(platform)
      try await platform.upload(TestStretch(size: 100, start: start), by: device)
      let other = TestStretch(size: 100, start: start, seed: 2)
      #expect(try await device.ask(other.request).errorCode == 720_304)
      #expect(try await device.ask(TestStretch(start: start + 30_000, seed: 3).request).errorCode == 720_304)
      // Beside it, another camera's, and a second of rounding.
      #expect(try await device.ask(TestStretch(start: start + 59_500, seed: 4).request).errorCode == 0)
      #expect(
        try await device.ask(TestStretch(start: start, cameraNo: 2, seed: 5).request).errorCode == 0)
    }
  }
}
