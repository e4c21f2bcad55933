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
      let writer = try ClipWriter(path: path("a.mp4"), video: .h264, hasAudio: true)
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
      let writer = try ClipWriter(path: path("b.mp4"), video: .h264, hasAudio: false)
      for unit in record.main.dropFirst(5) { try writer.write(unit) }
      let summary = try await writer.finish()
      let key = try #require(record.main.dropFirst(5).firstIndex { $0.isKeyFrame })
      #expect(summary.pictures == record.main.count - key)
    }

    @Test func clipOfOnePictureIsWhole() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("one.mp4"), video: .h264, hasAudio: true)
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
      let writer = try ClipWriter(path: path("none.mp4"), video: .h264, hasAudio: true)
      for unit in record.main where !unit.isKeyFrame { try writer.write(unit) }
      await #expect(throws: MediaFailure.nothingRecorded) { try await writer.finish() }
      #expect(!FileManager.default.fileExists(atPath: path("none.mp4")))
    }

    @Test func existingFileSurvivesAClipWithoutAPicture() async throws {
      try Data("precious".utf8).write(to: URL(fileURLWithPath: path("kept.mp4")))
      let writer = try ClipWriter(path: path("kept.mp4"), video: .h264, hasAudio: false)
      await #expect(throws: MediaFailure.nothingRecorded) { try await writer.finish() }
      #expect(try String(contentsOfFile: path("kept.mp4"), encoding: .utf8) == "precious")
    }

    @Test func whatWasWrittenBeforeACrashPlays() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("crash.mp4"), video: .h264, hasAudio: true)
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

    @Test func announcedSoundThatNeverComesIsNoHindrance() async throws {
      let record = await recorded.value
      let writer = try ClipWriter(path: path("mute.mp4"), video: .h264, hasAudio: true)
      for unit in record.main { try writer.write(unit) }
      let summary = try await writer.finish()
      #expect(summary.audioPackets == 0)
      #expect(try probe(summary.path, "-show_entries", "stream=codec_name") == "h264")
    }

    @Test func sizeMayChangeWithinAClip() async throws {
      let record = await recorded.value
      let other = await collect(MediaSource(.test(TestPattern(width: 640, height: 360, hasSound: false)))) {
        $0.main.count >= 30
      }
      let writer = try ClipWriter(path: path("size.mp4"), video: .h264, hasAudio: false)
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
      let writer = try ClipWriter(path: path("c.mp4"), video: .h264, hasAudio: false)
      #expect(throws: MediaFailure.codecChanged) {
        try writer.write(
          AccessUnit(codec: .h265, isKeyFrame: true, timestamp: .zero, bytes: [0, 0, 1, 38, 1]))
      }
      #expect(throws: MediaFailure.notWritable) {
        try ClipWriter(path: path("no/such/folder/c.mp4"), video: .h264, hasAudio: false)
      }
      #expect(throws: MediaFailure.notWritable) {
        try ClipWriter(path: "/dev/full", video: .h264, hasAudio: false)
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
      let writer = try ClipWriter(path: small + "/full.mp4", video: .h264, hasAudio: false)
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
