import Foundation
import OrielMedia
import Testing

extension MediaSuites {
  /// Programs that are not ours open what is recorded.
  @Suite(.serialized, .timeLimit(.minutes(1))) struct RecordingPlayerTests {
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("oriel-recording-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func probe(_ path: String, _ arguments: String...) throws -> String {
      try run("/usr/bin/ffprobe", ["-v", "error"] + arguments + ["-of", "csv=p=0", path])
    }

    /// Pictures that FFmpeg decodes, and pictures that GStreamer does; both complain about nothing.
    private func decoded(_ path: String, by codec: VideoCodec = .h264) throws -> [Int] {
      let frames = try probe(
        path, "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames")
      // In the file's own time base: rounded to a picture rate that is guessed, two that came close are one.
      let complaints = try run(
        "/usr/bin/ffmpeg",
        ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-enc_time_base", "-1", "-f", "null", "-"])
      #expect(complaints == "")
      let text = try run(
        "/usr/bin/gst-launch-1.0",
        ["-v", "filesrc", "location=\(path)", "!", "qtdemux", "!", "\(codec.rawValue)parse", "!"]
          + ["avdec_\(codec.rawValue)", "!", "fakesink", "silent=false"])
      return [Int(frames) ?? -1, text.components(separatedBy: "chain   ***").count - 1]
    }

    private func record(
      _ name: String, _ units: [AccessUnit], _ packets: [AudioPacket], isEncrypted: Bool = false
    ) throws -> (summary: RecordingSummary, path: String) {
      var head = recordingHead
      head.isEncrypted = isEncrypted
      let codec = units.first?.codec ?? .h264
      var writer = RecordingWriter(
        sink: try RecordingFileSink(path: path(name)), head: head, video: codec, hasAudio: !packets.isEmpty)
      var packets = packets[...]
      for unit in units {
        while let packet = packets.first, packet.timestamp < unit.timestamp {
          try writer.write(packet)
          packets.removeFirst()
        }
        try writer.write(unit)
      }
      return (try writer.finish(), path(name))
    }

    @Test func finishedRecordingPlays() async throws {
      let record = await recordingSource.value
      let (summary, path) = try self.record("whole.mp4", record.main, record.audio)
      #expect(try decoded(path) == [record.main.count, record.main.count])
      let duration = try #require(Double(try probe(path, "-show_entries", "format=duration")))
      #expect(abs(duration - summary.duration / .seconds(1)) < 0.05)
      #expect(
        try probe(path, "-select_streams", "a", "-show_entries", "stream=codec_name,sample_rate")
          == "opus,48000")
    }

    @Test func recordingThatWasCutPlays() async throws {
      let record = await recordingSource.value
      let (_, path) = try self.record("cut.mp4", record.main, record.audio)
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let map = try await FragmentMap.read(from: try RecordingFile(path: path))
      let last = map.fragments[map.fragments.count - 1]
      let whole = map.fragments.dropLast().reduce(0) { $0 + Int($1.duration) } * 30 / 1000
      // In the head of the last fragment, between its boxes, and in its pictures.
      for cut in [10, last.headSize - 4, last.headSize + 50] {
        try Data(bytes[..<(Int(last.range.lowerBound) + cut)]).write(to: URL(fileURLWithPath: path))
        let frames = try probe(
          path, "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames")
        let count = frames.split(separator: "\n").last.flatMap { Int($0) }
        #expect((whole...whole + 1).contains(count ?? 0), "cut \(cut): \(frames)")
      }
    }

    /// Slices of noise: what players see of a recording whose key they do not have.
    private func sealed(_ unit: AccessUnit) -> AccessUnit {
      var sealed = unit
      sealed.bytes = nalUnits(unit.bytes).reduce(into: []) { bytes, nal in
        let isSlice = [1, 5].contains(nal[nal.startIndex] & 31)
        bytes += [0, 0, 0, 1] + nal.prefix(1) + nal.dropFirst().map { isSlice ? $0 ^ 0xA5 | 8 : $0 }
      }
      return sealed
    }

    @Test func sealedRecordingIsRefusedAndNotShownAsNoise() async throws {
      let record = await recordingSource.value
      let units = record.main.map(sealed)
      let (_, path) = try self.record("sealed.mp4", units, record.audio, isEncrypted: true)
      #expect(
        try run(
          "/usr/bin/ffprobe",
          ["-v", "quiet", "-show_entries", "stream=codec_name,width", "-of", "csv=p=0", path])
          == "unknown,320\nunknown")
      #expect(
        try run("/usr/bin/ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"])
          .contains("Decoder (codec none) not found"))
      #expect(
        try run("/usr/bin/gst-launch-1.0", ["filesrc", "location=\(path)", "!", "qtdemux", "!", "fakesink"])
          .contains("no playable streams"))
      // Who has the key gets back what was sealed.
      let source = try RecordingFile(path: path)
      let reader = RecordingReader(source: source, map: try await FragmentMap.read(from: source))
      #expect(reader.map.head.isEncrypted && reader.map.tracks.count == 2)
      #expect(reader.map.tracks.allSatisfy { $0.isEncrypted })
      var count = 0
      for fragment in reader.map.fragments {
        for case .video(let unit) in try await reader.samples(of: fragment) {
          #expect(nalUnits(unit.bytes).elementsEqual(nalUnits(units[count].bytes)))
          count += 1
        }
      }
      #expect(count == units.count)
    }

    /// Debian's Chromium plays a file as it stands, and what Media Source Extensions are given fragment by fragment.
    @Test func chromiumPlaysWhatIsClearAndRefusesWhatIsSealed() async throws {
      let record = await recordingSource.value
      let (_, clear) = try self.record("clear.mp4", record.main, record.audio)
      let (_, cut) = try self.record("cut.mp4", record.main, record.audio)
      let map = try await FragmentMap.read(from: try RecordingFile(path: cut))
      let end = off_t(map.fragments[map.fragments.count - 1].range.lowerBound) + 700
      #expect(truncate(cut, end) == 0)
      let (_, sealed) = try self.record(
        "sealed.mp4", record.main.map(sealed), record.audio, isEncrypted: true)
      let peer = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Peers/chromium_player.py").path
      let said = try run("/usr/bin/python3", [peer, clear, cut, sealed]).split(separator: "\n")
      #expect(
        said == [
          "clear.mp4 file: played to 5 and back to 2.5", "clear.mp4 source: played to 5 and back to 2.5",
          // The demuxer hands the half picture at the end to the decoder, which stops there.
          "cut.mp4 file: stopped after 4", "cut.mp4 source: played to 4.5 and back to 2.5",
          "sealed.mp4 file: refused", "sealed.mp4 source: refused",
        ])
    }

    /// Without delimiters and parameter sets of H.265.
    private func pictureUnits(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
      nalUnits(bytes).filter { !(32...35).contains($0[$0.startIndex] >> 1 & 63) }
    }

    @Test func h265IsRecordedAndPlays() async throws {
      let server = try CameraServer("--codec", "h265", "--audio", "opus")
      defer { server.stop() }
      var options = SourceOptions()
      options.allowH265 = true
      let record = await collect(
        MediaSource(.rtsp(address: server.address, credentials: nil), options: options)
      ) { $0.main.count >= 60 }
      let first = try #require(record.main.firstIndex { $0.isKeyFrame })
      let (summary, path) = try self.record("h265.mp4", Array(record.main[first...]), record.audio)
      #expect(summary.pictures == record.main.count - first)
      let frames = try decoded(path, by: .h265)
      #expect(frames == [summary.pictures, summary.pictures])
      let source = try RecordingFile(path: path)
      let reader = RecordingReader(source: source, map: try await FragmentMap.read(from: source))
      #expect(reader.map.tracks.first?.video == .h265)
      var count = first
      for fragment in reader.map.fragments {
        for case .video(let unit) in try await reader.samples(of: fragment) {
          let original = record.main[count]
          #expect(unit.codec == .h265 && unit.isKeyFrame == original.isKeyFrame)
          // The source may bring its parameter sets twice.
          #expect(pictureUnits(unit.bytes).elementsEqual(pictureUnits(original.bytes)))
          #expect(nalUnits(unit.bytes).map(\.first).starts(with: unit.isKeyFrame ? [0x40, 0x42, 0x44] : []))
          count += 1
        }
      }
      #expect(count == record.main.count)
    }
  }
}
