import Foundation
import Testing

@testable import OrielMedia

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(1))) struct PlayoutTests {
    private func frame(_ width: Int = 320, _ height: Int = 180) throws -> VideoFrame {
      let bytes = (0..<width * height * 3 / 2).map { UInt8(truncatingIfNeeded: $0 / 7) }
      return try #require(VideoFrame(width: width, height: height, packed: bytes))
    }

    @Test func framesGiveTheirPlanes() throws {
      let frame = try frame()
      #expect(frame.packed().count == 320 * 180 * 3 / 2)
      let sizes: [Int] = frame.withPlanes { y, u, v in [y.count, u.count, v.count] }
      #expect(sizes == [57_600, 14_400, 14_400])
      #expect(VideoFrame(width: 3, height: 2, packed: [0]) == nil)
      #expect(VideoFrame(width: -2, height: 2, packed: []) == nil)
    }

    @Test(arguments: [(320, 180), (1278, 718), (2, 2)]) func frameBecomesAJPEG(width: Int, height: Int) throws
    {
      let jpeg = try JPEGImage.encode(try frame(width, height), quality: 90)
      #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        .path
      defer { try? FileManager.default.removeItem(atPath: path) }
      try Data(jpeg).write(to: URL(fileURLWithPath: path))
      #expect(
        try run(
          "/usr/bin/ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path])
          == "\(width),\(height)")
    }

    @Test func soundIsDecodedToTheBeep() async throws {
      let record = await collect(MediaSource(.test(TestPattern(width: 160, height: 90)))) {
        $0.audio.count >= 75
      }
      let decoder = try AudioDecoder()
      var loudest: Int16 = 0
      var count = 0
      var iterator = decoder.samples.makeAsyncIterator()
      for packet in record.audio.prefix(75) {
        decoder.decode(packet)
        guard let block = await iterator.next() else { break }
        count += block.samples.count
        loudest = max(loudest, block.samples.map { $0 == .min ? .max : abs($0) }.max() ?? 0)
      }
      decoder.close()
      #expect(count > 60 * 960)
      #expect(loudest > 2000)
    }

    @Test func missingLoudspeakerIsAnError() {
      // The test machine has none; one that has plays nothing here.
      do {
        let player = try AudioPlayer()
        player.setVolume(.nan)
        player.play(AudioPacket(timestamp: .zero, bytes: [0xF8, 0xFF, 0xFE]))
        player.close()
        #expect(!player.isWorking)
      } catch {
        #expect(error as? MediaFailure == .noAudioDevice)
      }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/Xvfb")))
    func windowShowsFramesWhereThereIsAScreen() throws {
      unsetenv("DISPLAY")
      unsetenv("WAYLAND_DISPLAY")
      #expect(throws: MediaFailure.noDisplay) { try VideoWindow(title: "Oriel") }
      let screen = Process()
      let output = Pipe()
      screen.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
      screen.arguments = ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]
      screen.standardOutput = output
      screen.standardError = FileHandle.nullDevice
      try screen.run()
      defer {
        kill(screen.processIdentifier, SIGKILL)
        screen.waitUntilExit()
        unsetenv("DISPLAY")
      }
      let number = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      setenv("DISPLAY", ":\(number)", 1)
      let window = try VideoWindow(title: "Oriel: Türe")
      for _ in 0..<5 { window.show(try frame()) }
      var tree = ""
      for _ in 0..<50 where !tree.contains("Oriel") {
        tree = (try? run("/usr/bin/xwininfo", ["-root", "-tree", "-display", ":\(number)"])) ?? "Oriel"
        if !FileManager.default.fileExists(atPath: "/usr/bin/xwininfo") { break }
      }
      #expect(tree.contains("Oriel"))
      window.show(try frame(640, 360))
      window.close()
      setenv("DISPLAY", ":4711", 1)
      #expect(throws: MediaFailure.noDisplay) { try VideoWindow(title: "Oriel") }
    }

    @Test func decoderOutlivesRubbish() async throws {
      for codec in VideoCodec.allCases {
        let decoder = try VideoDecoder(codec: codec)
        var generator = Sequence32(state: 5)
        for round in 0..<200 {
          let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
          }
          var unit = keyFrame(codec, sliceSize: 50, seed: UInt64(round))
          unit.bytes += bytes
          unit.timestamp = .seconds(-round)
          decoder.decode(unit)
        }
        decoder.close()
        decoder.decode(keyFrame(codec, sliceSize: 5))
      }
      let record = await collect(MediaSource(.test(TestPattern(width: 160, height: 90)))) {
        $0.main.count >= 2
      }
      let decoder = try VideoDecoder(codec: .h264)
      decoder.decode(keyFrame(.h264, sliceSize: 500))
      for unit in record.main { decoder.decode(unit) }
      var frames = decoder.frames.makeAsyncIterator()
      #expect(await frames.next() != nil)
      decoder.close()
    }
  }
}

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(2))) struct LifetimeTests {
    private func counts() throws -> (threads: Int, descriptors: Int) {
      let files = FileManager.default
      return (
        try files.contentsOfDirectory(atPath: "/proc/self/task").count,
        try files.contentsOfDirectory(atPath: "/proc/self/fd").count
      )
    }

    private func cycle() async throws {
      let source = MediaSource(.test(TestPattern(width: 160, height: 90)))
      source.setSubStream(true)
      let decoder = try VideoDecoder(codec: .h264)
      source.start()
      for await event in source.events {
        if case .video(.main, let unit) = event {
          decoder.decode(unit)
          break
        }
      }
      await source.stop()
      decoder.close()
    }

    @Test func nothingOutlivesThirtySourcesAndDecoders() async throws {
      for _ in 0..<3 { try await cycle() }
      let before = try counts()
      for _ in 0..<30 { try await cycle() }
      var after = try counts()
      // Dispatch lets idle workers go after some seconds.
      for _ in 0..<100 where after.threads > before.threads + 2 || after.descriptors > before.descriptors {
        try await Task.sleep(for: .milliseconds(200))
        after = try counts()
      }
      print(
        "threads \(before.threads) -> \(after.threads), descriptors \(before.descriptors) -> \(after.descriptors)"
      )
      #expect(after.threads <= before.threads + 2)
      #expect(after.descriptors <= before.descriptors)
    }
  }
}

extension MediaSuites {
  @Suite struct LocationTests {
    @Test func passwordIsMovedOutOfTheAddress() throws {
      let location = try SourceLocation(parsing: " rtsp://admin:p%40ss@w:rd@10.0.0.1:554/Streaming/101?a=b ")
      #expect(
        location
          == .rtsp(
            address: "rtsp://10.0.0.1:554/Streaming/101?a=b",
            credentials: Credentials(user: "admin", password: "p@ss@w:rd")))
      #expect(!"\(location)".contains("w:rd"))
    }

    @Test func everyKindIsRead() throws {
      #expect(try SourceLocation(parsing: "test") == .test(TestPattern()))
      #expect(
        try SourceLocation(parsing: "test:640x360@10")
          == .test(TestPattern(width: 640, height: 360, frameRate: 10)))
      #expect(
        try SourceLocation(parsing: "rtsp://[::1]:8554/x")
          == .rtsp(address: "rtsp://[::1]:8554/x", credentials: nil))
      #expect(try SourceLocation(parsing: "/dev/video0") == .device(path: "/dev/video0"))
      #expect(try SourceLocation(parsing: "film.mp4") == .file(path: "film.mp4"))
      #expect(try SourceLocation(parsing: "file:///a%20b.mkv") == .file(path: "/a b.mkv"))
    }

    @Test(arguments: [
      "", "rtsp://", "rtsp:///x", "ftp://h/x", "rtsp://u:p@", "test:9x", "rtsp://h/a\u{7}b", "test:0x0",
      "test:-1x-1", "test:99999x99999", "test:640x360@0", "rtsp://[::1", "rtsp://h:99999/x", "rtsp://h:/x",
      "rtsp://h:x/",
    ])
    func whatIsNoLocationIsRefused(text: String) {
      #expect(throws: MediaFailure.invalidLocation) { try SourceLocation(parsing: text) }
    }

    @Test func nothingIsMissingHere() { #expect(MediaInstallation.check() == []) }
  }
}

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(1))) struct FileTests {
    private func make(_ name: String, _ arguments: [String]) throws -> String {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)-\(name)")
        .path
      _ = try run(
        "/usr/bin/ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25", "-f", "lavfi", "-i", "sine",
          "-t", "1", "-pix_fmt", "yuv420p",
        ] + arguments + [path])
      return path
    }

    @Test(arguments: [
      (
        "a.mp4", ["-c:v", "libx264", "-bf", "0", "-profile:v", "main", "-c:a", "aac"], StreamDelivery.passedOn
      ),
      ("b.mkv", ["-c:v", "libx264", "-bf", "2", "-c:a", "libopus"], .encoded),
      ("c.ts", ["-c:v", "libx265", "-c:a", "aac", "-x265-params", "log-level=none"], .encoded),
    ]) func fileGoesOnOverItsEnd(name: String, arguments: [String], delivery: StreamDelivery) async throws {
      let path = try make(name, arguments)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let record = await collect(MediaSource(.file(path: path))) {
        $0.main.count >= 60 && $0.audio.count >= 60
      }
      #expect(record.failures == [])
      #expect(record.description(of: .main)?.delivery == delivery)
      #expect(record.main.count >= 60)
      #expect(zip(record.main, record.main.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
      let span = try #require(record.main.last).timestamp - (try #require(record.main.first)).timestamp
      #expect(span > .seconds(1.5) && span < .seconds(8))
    }

    /// A webcam that is there takes a machine that has one.
    @Test(arguments: ["/dev/video97", "/dev/null"])
    func whatIsNoWebcamIsAFailure(path: String) async throws {
      let record = await collect(MediaSource(try SourceLocation(parsing: path))) { !$0.failures.isEmpty }
      #expect(record.failures.first?.reason == (path == "/dev/null" ? .unreachable : .notFound))
    }

    @Test func missingAndDamagedFilesAreToldApart() async throws {
      let missing = await collect(MediaSource(.file(path: "/no/such.mp4"))) { !$0.failures.isEmpty }
      #expect(missing.failures.first?.reason == .notFound)
      let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
      try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 * 31 / 3) }).write(
        to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let damaged = await collect(MediaSource(.file(path: path))) { !$0.failures.isEmpty }
      guard case .malformed = damaged.failures.first?.reason else {
        Issue.record("\(damaged.failures)")
        return
      }
    }
  }
}

extension MediaSuites {
  @Suite struct SoundTimelineTests {
    @Test func packetsFollowEachOtherWhileTheSourceWavers() {
      var line = SoundTimeline()
      let times = [0, 25, 35, 61, 200, 190, 100, 240].map {
        line.place(.milliseconds($0), lasting: .milliseconds(20))
      }
      #expect(times == [0, 20, 40, 60, 200, 220, nil, 240].map { $0.map { .milliseconds($0) } })
    }
  }
}
