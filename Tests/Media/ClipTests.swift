import Foundation
import OrielMedia
import Testing

/// Pictures and sound of the test source, taken once for all tests of this file.
private let recorded = Task { () -> SourceRecord in
  await collect(MediaSource(.test(TestPattern(width: 320, height: 180, frameRate: 30)))) {
    $0.main.count >= 90 && $0.audio.count >= 140
  }
}

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(1))) struct ClipTests {
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("oriel-clip-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// What ffprobe, which is not ours, reads in a file.
    private func probe(_ path: String, _ arguments: String...) throws -> String {
      try run("/usr/bin/ffprobe", ["-v", "error"] + arguments + ["-of", "csv=p=0", path])
    }

    @Test func clipPlaysAndHasItsDuration() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("a.mp4"), video: .h264, sound: .opus)
      for unit in record.main { try writer.write(unit) }
      for packet in record.audio { try writer.write(packet) }
      let summary = try await writer.finish()
      #expect(summary.pictures == record.main.count)
      #expect(summary.audioPackets > 100)
      #expect(
        try probe(
          summary.path, "-count_frames", "-select_streams", "v", "-show_entries",
          "stream=codec_name,width,height,nb_read_frames") == "h264,320,180,\(record.main.count)")
      #expect(
        try probe(summary.path, "-select_streams", "a", "-show_entries", "stream=codec_name,sample_rate")
          == "opus,48000")
      let duration = try #require(Double(try probe(summary.path, "-show_entries", "format=duration")))
      #expect(abs(duration - summary.duration / .seconds(1)) < 0.05)
      #expect(abs(duration - 3) < 0.3)
      // A decoder that is not ours finds nothing to complain about.
      #expect(try run("/usr/bin/ffmpeg", ["-v", "error", "-i", summary.path, "-f", "null", "-"]) == "")
      let size = try FileManager.default.attributesOfItem(atPath: summary.path)[.size] as? Int64
      #expect(size == summary.size)
    }

    @Test func clipStartsAtAKeyFrame() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("b.mp4"), video: .h264, sound: nil)
      for unit in record.main.dropFirst(5) { try writer.write(unit) }
      let summary = try await writer.finish()
      let key = try #require(record.main.dropFirst(5).firstIndex { $0.isKeyFrame })
      #expect(summary.pictures == record.main.count - key)
    }

    @Test func clipOfOnePictureIsWhole() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("one.mp4"), video: .h264, sound: .opus)
      try writer.write(try #require(record.main.first))
      let summary = try await writer.finish()
      #expect(summary.pictures == 1)
      #expect(
        try probe(
          summary.path, "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames")
          == "1")
    }

    @Test func clipWithoutAPictureIsAnErrorAndNoFile() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("none.mp4"), video: .h264, sound: .opus)
      for unit in record.main where !unit.isKeyFrame { try writer.write(unit) }
      await #expect(throws: MediaFailure.nothingRecorded) { try await writer.finish() }
      #expect(!FileManager.default.fileExists(atPath: path("none.mp4")))
    }

    @Test func existingFileSurvivesAClipWithoutAPicture() async throws {
      try Data("precious".utf8).write(to: URL(fileURLWithPath: path("kept.mp4")))
      let writer = try ClipWriter(path: path("kept.mp4"), video: .h264, sound: nil)
      await #expect(throws: MediaFailure.nothingRecorded) { try await writer.finish() }
      #expect(try String(contentsOfFile: path("kept.mp4"), encoding: .utf8) == "precious")
    }

    @Test func whatWasWrittenBeforeACrashPlays() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("crash.mp4"), video: .h264, sound: .opus)
      for unit in record.main { try writer.write(unit) }
      for packet in record.audio { try writer.write(packet) }
      // The queue is drained by looking at the file, not by finishing.
      var frames = ""
      for _ in 0..<100 where frames != "60" {
        frames =
          (try? probe(
            path("crash.mp4"), "-count_frames", "-select_streams", "v", "-show_entries",
            "stream=nb_read_frames"
          ))
          ?? ""
      }
      #expect(frames == "60")
      withExtendedLifetime(writer) {}
    }

    /// The recorder of the next test, in a process of its own; it never ends by itself.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["ORIEL_CLIP_TO_KILL"] != nil))
    func recordingUntilKilled() async throws {
      let path = try #require(ProcessInfo.processInfo.environment["ORIEL_CLIP_TO_KILL"])
      let source = MediaSource(.test(TestPattern(width: 320, height: 180, frameRate: 30)))
      let writer = try ClipWriter(path: path, video: .h264, sound: .opus)
      source.start()
      for await event in source.events {
        switch event {
        case .video(.main, let unit): try writer.write(unit)
        case .audio(let packet): try writer.write(packet)
        default: break
        }
      }
    }

    @Test func fileOfAProcessThatWasKilledPlays() async throws {
      let recorder = Process()
      recorder.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      recorder.arguments = ["--testing-library", "swift-testing", "--filter", "recordingUntilKilled"]
      recorder.environment = ProcessInfo.processInfo.environment
        .merging(["ORIEL_CLIP_TO_KILL": path("killed.mp4")]) { $1 }
      recorder.standardOutput = FileHandle.nullDevice
      recorder.standardError = FileHandle.nullDevice
      try recorder.run()
      defer { kill(recorder.processIdentifier, SIGKILL) }
      func frames(_ stream: String) -> Int {
        let text = try? probe(
          path("killed.mp4"), "-count_frames", "-select_streams", stream, "-show_entries",
          "stream=nb_read_frames")
        return text.flatMap { Int($0) } ?? 0
      }
      // It is read while it grows, too.
      var growing = 0
      for _ in 0..<200 where growing < 45 { growing = frames("v") }
      #expect(growing >= 45)
      kill(recorder.processIdentifier, SIGKILL)
      recorder.waitUntilExit()
      #expect(recorder.terminationReason == .uncaughtSignal)
      let kept = frames("v")
      #expect(kept >= growing)
      #expect(frames("a") > 60)
      let duration = try #require(
        Double(try probe(path("killed.mp4"), "-show_entries", "format=duration")))
      #expect(abs(duration - Double(kept) / 30) < 0.3)
      #expect(try run("/usr/bin/ffmpeg", ["-v", "error", "-i", path("killed.mp4"), "-f", "null", "-"]) == "")
    }

    @Test func announcedSoundThatNeverComesIsNoHindrance() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("mute.mp4"), video: .h264, sound: .opus)
      for unit in record.main { try writer.write(unit) }
      let summary = try await writer.finish()
      #expect(summary.audioPackets == 0)
      #expect(try probe(summary.path, "-show_entries", "stream=codec_name") == "h264")
    }

    @Test func soundThatComesLateIsInItsPlace() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("late.mp4"), video: .h264, sound: .opus)
      let start = try #require(record.main.first).timestamp
      for unit in record.main { try writer.write(unit) }
      let late = record.audio.filter { $0.timestamp >= start + .seconds(1) }
      for packet in late { try writer.write(packet) }
      let summary = try await writer.finish()
      #expect(summary.audioPackets == late.count)
      let begin = try #require(
        Double(try probe(summary.path, "-select_streams", "a", "-show_entries", "stream=start_time")))
      #expect(abs(begin - 1) < 0.05)
    }

    @Test func picturesKeepTheirOwnTimes() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("times.mp4"), video: .h264, sound: nil)
      let times = [0, 7, 40, 41, 300, 1900, 1933, 1966, 5000, 5040]
      for (var unit, time) in zip(record.main, times) {
        unit.timestamp = .seconds(77) + .milliseconds(time)
        try writer.write(unit)
      }
      let summary = try await writer.finish()
      #expect(summary.pictures == times.count)
      let read = try probe(summary.path, "-select_streams", "v", "-show_entries", "packet=pts_time")
      let milliseconds = read.split(separator: "\n").compactMap {
        Double($0.prefix { $0 != "," }).map { Int(($0 * 1000).rounded()) }
      }
      #expect(milliseconds == times)
    }

    @Test func nothingOfAClipOutlivesIt() async throws {
      let record = await recorded.value
      func count(_ kind: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
      }
      func makeClip(_ number: Int) async throws {
        let writer = try ClipWriter(
          path: path("\(number).mp4"), video: .h264, sound: number % 2 == 0 ? .opus : nil)
        for unit in record.main.prefix(20) { try writer.write(unit) }
        _ = try await writer.finish()
      }
      try await makeClip(0)
      let descriptors = try count("fd")
      let threads = try count("task")
      for number in 1...20 { try await makeClip(number) }
      #expect(try count("fd") <= descriptors + 2)
      #expect(try count("task") <= threads + 4)
    }

    @Test func finishedFileIsAnOrdinaryOne() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("whole.mp4"), video: .h264, sound: .opus)
      for unit in record.main { try writer.write(unit) }
      for packet in record.audio { try writer.write(packet) }
      let summary = try await writer.finish()
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: summary.path)))
      var names: [String] = []
      var position = 0
      while position + 8 <= bytes.count {
        var size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        if size == 1 { size = bytes[position + 8..<position + 16].reduce(0) { $0 << 8 | Int($1) } }
        names.append(String(decoding: bytes[position + 4..<position + 8], as: UTF8.self))
        position += try #require(size >= 8 ? size : nil)
      }
      #expect(names.filter { $0 != "free" } == ["ftyp", "mdat", "moov"])
    }

    @Test func sizeMayChangeWithinAClip() async throws {
      let record = await recorded.value
      let other = await collect(MediaSource(.test(TestPattern(width: 640, height: 360, hasSound: false)))) {
        $0.main.count >= 30
      }
      let writer = try ClipWriter(path: path("size.mp4"), video: .h264, sound: nil)
      for unit in record.main.prefix(30) { try writer.write(unit) }
      for var unit in other.main {
        unit.timestamp += .seconds(1)
        try writer.write(unit)
      }
      let summary = try await writer.finish()
      let lines = try probe(
        summary.path, "-select_streams", "v", "-show_entries", "frame=width")
      let widths = lines.split(separator: "\n").map { $0.prefix { $0.isNumber } }
      #expect(widths.filter { $0 == "320" }.count == 30)
      #expect(widths.filter { $0 == "640" }.count == other.main.count)
    }

    @Test func anotherCodecOrAPathThatCannotBeAreErrors() async throws {
      let writer = try ClipWriter(path: path("c.mp4"), video: .h264, sound: nil)
      #expect(throws: MediaFailure.codecChanged) {
        try writer.write(
          AccessUnit(codec: .h265, isKeyFrame: true, timestamp: .zero, bytes: [0, 0, 1, 38, 1]))
      }
      #expect(throws: MediaFailure.notWritable) {
        try ClipWriter(path: path("no/such/folder/c.mp4"), video: .h264, sound: nil)
      }
      #expect(throws: MediaFailure.notWritable) {
        try ClipWriter(path: "/dev/full", video: .h264, sound: nil)
      }
    }

    /// A file system of 256 KB, where this test may mount one.
    @Test(.enabled(if: getuid() == 0)) func fullDiskKeepsWhatWasWritten() async throws {
      let small = path("small")
      try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
      guard (try? run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=256k", "none", small])) == "" else {
        return
      }
      defer { _ = try? run("/usr/bin/umount", [small]) }
      let record = await recorded.value
      let writer = try ClipWriter(path: small + "/full.mp4", video: .h264, sound: nil)
      var failure: MediaFailure?
      var time = Duration.zero
      // Far more than fits; the writer answers with the trouble of an earlier picture.
      outer: for _ in 0..<60 {
        for var unit in record.main {
          time += .milliseconds(33)
          unit.timestamp = time
          do { try writer.write(unit) } catch {
            failure = error as? MediaFailure
            break outer
          }
        }
      }
      if failure == nil {
        do { _ = try await writer.finish() } catch { failure = error as? MediaFailure }
      }
      guard case .storageFull(let kept?) = failure else {
        Issue.record("no full disk: \(String(describing: failure))")
        return
      }
      #expect(kept.pictures > 0)
      #expect(
        try probe(
          kept.path, "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames")
          == "\(kept.pictures)")
    }
  }
}
