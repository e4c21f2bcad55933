import Foundation
import Testing

@testable import OrielMedia

extension MediaSuites {
  /// AAC is kept as it came, and made into Opus beside.
  @Suite(.serialized, .timeLimit(.minutes(1))) struct OwnSoundTests {
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("oriel-sound-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func hashes(_ path: String) throws -> [Substring] {
      try run(
        "/usr/bin/ffmpeg",
        ["-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-bsf:a", "aac_adtstoasc"]
          + ["-f", "framehash", "-hash", "md5", "-"]
      ).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
        // Stream, dts, pts, duration, size, hash.
        line.split(separator: ",").dropFirst(5).first.map { $0.drop { $0 == " " } }
      }
    }

    private func film(_ name: String, _ sound: [String]) throws -> String {
      _ = try run(
        "/usr/bin/ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x90:rate=25", "-f", "lavfi", "-i",
          "sine=frequency=440:sample_rate=\(sound[0])", "-t", "2", "-pix_fmt", "yuv420p", "-c:v", "libx264",
          "-bf", "0", "-g", "12", "-profile:v", "main", "-c:a", "aac", "-ac", sound[1], path(name),
        ])
      return path(name)
    }

    @Test(arguments: [("a.mp4", ["44100", "2"]), ("b.ts", ["16000", "1"])])
    func aacIsRecordedAsItCame(name: String, sound: [String]) async throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let film = try film(name, sound)
      var options = SourceOptions()
      options.keepsOwnAudio = true
      let record = await collect(MediaSource(.file(path: film), options: options)) {
        $0.main.count >= 45 && $0.ownAudio.count >= 25 && $0.audio.count >= 60
      }
      #expect(record.failures == [])
      // The pictures' time is the sound's: both reach as far.
      let ends = [record.audio, record.ownAudio].compactMap { $0.last?.timestamp }
      #expect(
        ends.allSatisfy { abs($0 / .seconds(1) - (record.main.last?.timestamp ?? .zero) / .seconds(1)) < 0.5 }
      )

      var writer = RecordingWriter(
        sink: try RecordingFileSink(path: path("kept.mp4")), head: recordingHead, video: .h264, hasAudio: true
      )
      var packets = record.ownAudio[...]
      for unit in record.main {
        while let packet = packets.first, packet.timestamp < unit.timestamp {
          try writer.write(packet)
          packets.removeFirst()
        }
        try writer.write(unit)
      }
      // Sound of another form is for another file.
      #expect(throws: MediaFailure.codecChanged) {
        try writer.write(try #require(record.audio.last))
      }
      _ = try writer.finish()

      let kept = try hashes(path("kept.mp4"))
      let all = try hashes(film)
      #expect(
        kept.count > 20 && all.indices.contains { all[$0...].prefix(kept.count) == kept[...] },
        "\(kept) \(all)")
      #expect(
        try run(
          "/usr/bin/ffprobe",
          [
            "-v", "error", "-select_streams", "a", "-show_entries",
            "stream=codec_name,profile,sample_rate,channels", "-of", "csv=p=0", path("kept.mp4"),
          ]) == "aac,LC,\(sound[0]),\(sound[1])")
      #expect(
        try run("/usr/bin/ffmpeg", ["-v", "error", "-i", path("kept.mp4"), "-f", "null", "-"]) == "")

      let source = try RecordingFile(path: path("kept.mp4"))
      let map = try await FragmentMap.read(from: source)
      let configuration = try #require(record.ownAudio.first?.form)
      #expect(map.tracks.map(\.sound) == [nil, configuration])
      var read: [AudioPacket] = []
      for fragment in map.fragments {
        for case .audio(let packet) in try await RecordingReader(source: source, map: map).samples(
          of: fragment)
        {
          read.append(packet)
        }
      }
      #expect(read.allSatisfy { $0.form == configuration })
      #expect(
        read.map(\.bytes)
          == record.ownAudio.map(\.bytes).filter { bytes in read.contains { $0.bytes == bytes } })
    }

    @Test func viewersHearWhatWasKept() async throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      var options = SourceOptions()
      options.keepsOwnAudio = true
      let record = await collect(
        MediaSource(.file(path: try film("c.mp4", ["32000", "1"])), options: options)
      ) { $0.ownAudio.count >= 45 }
      let (packets, continuation) = AsyncStream.makeStream(of: AudioPacket.self)
      let sound = OpusSound { continuation.yield($0) }
      for packet in record.ownAudio { sound.take(packet) }
      let decoder = try AudioDecoder()
      var count = 0
      var peak: Int16 = 0
      for await packet in packets {
        #expect(packet.form == .opus)
        decoder.decode(packet)
        count += 1
        if count == 40 { break }
      }
      sound.reset()
      for await samples in decoder.samples {
        peak = max(peak, samples.samples.max() ?? 0)
        if peak > 2000 { break }
      }
      decoder.close()
      #expect(peak > 2000)
    }

    @Test func configurationsAreReadOrRefused() throws {
      let plain = try #require(AACConfiguration([0x12, 0x10]))
      #expect((plain.sampleRate, plain.channels, plain.frameSamples) == (44_100, 2, 1024))
      #expect(plain.codecName == "mp4a.40.2")
      #expect(AACConfiguration([0x14, 0x08])?.sampleRate == 16_000)
      // A rate written out, 24 bits of it.
      #expect(AACConfiguration([0x17, 0x80, 0x1F, 0x40, 0x08])?.sampleRate == 16_000)
      // Short frames of 960 samples.
      #expect(AACConfiguration([0x12, 0x14])?.frameSamples == 960)
      for bad: [UInt8] in [
        [], [0x12], [0x12, 0x00], [0x16, 0x90], [0xF8, 0x10], [0x17, 0x80, 0, 0, 0],
        [UInt8](repeating: 0x12, count: 65),
      ] {
        #expect(AACConfiguration(bad) == nil, "\(bad)")
      }
    }
  }
}
