import Foundation
import Synchronization
import Testing

@testable import OrielMedia

extension MediaSuites {
  /// Sound files as a voice.
  @Suite(.serialized, .timeLimit(.minutes(1))) struct VoiceFileTests {
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("oriel-voice-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
      try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
      return path(name)
    }

    /// Plays a file to its end: its packets, how long that took, and the loudest sample heard.
    private func play(_ path: String) async throws -> (packets: [AudioPacket], took: Duration, peak: Int32) {
      let packets = Packets()
      let ends = Ends()
      let begun = ContinuousClock.now
      let terminal = try VoiceTerminal(
        VoiceTerminalOptions(input: .file(path: path), playsSound: false), onPacket: { packets.take($0) },
        onEnd: { ends.tell($0) })
      for await _ in ends.stream { break }
      let took = ContinuousClock.now - begun
      terminal.close()
      #expect(ends.all == [nil], "\(path)")
      let playout = try VoicePlayout()
      let listener = ClickListener(threshold: 2_000)
      for (index, packet) in packets.all.enumerated() {
        let now = Duration.milliseconds(20 * index)
        playout.insert(packet.bytes, timestamp: ticks(packet.timestamp), at: now)
        for half in 0..<2 {
          let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: VoiceForm.frame)
          defer { frame.deallocate() }
          playout.render(into: frame, at: now + .milliseconds(10 * half))
          listener.hear(frame)
        }
      }
      return (packets.all, took, listener.peak)
    }

    /// 8 kHz mono to 96 kHz stereo, compressed or not: half a second each, all at once.
    @Test func everyKindIsPlayedOnceInRealTime() async throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let tone = try write(wave(rate: 48_000, channels: 1, amplitude: 8_000), "tone.wav")
      _ = try run(
        "/usr/bin/ffmpeg",
        ["-v", "error", "-i", tone, path("a.mp3"), "-c:a", "libvorbis", path("b.ogg")]
          + ["-c:a", "libopus", path("c.opus"), "-c:a", "aac", path("d.m4a"), "-c:a", "flac", path("e.flac")]
          + ["-c:a", "pcm_mulaw", "-ar", "8000", path("f.wav"), "-c:a", "adpcm_ima_wav", path("g.wav")])
      // Sound beside a picture that goes on longer, and before a cover.
      _ = try run(
        "/usr/bin/ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1", "-i", tone]
          + ["-c:a", "aac", path("h.mp4"), "-frames:v", "1", "-c:v", "mjpeg", "-map", "1:a", "-map", "0:v"]
          + ["-id3v2_version", "3", path("i.mp3")])
      var files = ["h.mp4", "i.mp3", "a.mp3", "b.ogg", "c.opus", "d.m4a", "e.flac", "f.wav", "g.wav"].map {
        path($0)
      }
      for (rate, channels) in [(8_000, 1), (22_050, 2), (44_100, 1), (96_000, 2)] {
        files.append(
          try write(wave(rate: rate, channels: channels, amplitude: 8_000), "\(rate)-\(channels).wav"))
      }
      let silent = try write(wave(rate: 16_000, channels: 1, amplitude: 0), "silent.wav")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for file in files + [silent] {
          group.addTask {
            guard let (packets, took, peak) = try? await play(file) else {
              Issue.record("\(file) does not play")
              return
            }
            // 25 packets; a coder may add some milliseconds to either end.
            #expect((25...30).contains(packets.count), "\(file): \(packets.count)")
            #expect(took > .milliseconds(460) && took < .milliseconds(1500), "\(file): \(took)")
            #expect(packets.first?.timestamp == .zero)
            #expect(
              zip(packets, packets.dropFirst()).allSatisfy {
                $1.timestamp - $0.timestamp == .milliseconds(20)
              }, "\(file)")
            #expect(file == silent ? peak < 10 : (4_000..<14_000).contains(peak), "\(file): \(peak)")
          }
        }
        try await group.waitForAll()
      }
    }

    @Test func whatHoldsNoSoundIsRefused() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      _ = try run(
        "/usr/bin/ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5", "-t", "1", path("picture.mp4")])
      #expect(mkfifo(path("pipe"), 0o600) == 0)
      var sequence = Dice(7)
      let rubbish = (0..<5_000).map { _ in UInt8(truncatingIfNeeded: Int(sequence.next() * 1_000)) }
      for (file, expected) in [
        (try write([], "empty.wav"), "malformed"), (path("nothing.wav"), "notFound"),
        (folder.path, "unsupported"), ("/dev/zero", "unsupported"), (path("pipe"), "unsupported"),
        (path("picture.mp4"), "unsupported malformed"),
        (try write(Array(wave(rate: 8_000, channels: 1, amplitude: 0).prefix(44)), "head.wav"), "malformed"),
        (try write(Array("a text\n".utf8), "text.wav"), "unsupported malformed"),
        (try write(rubbish, "rubbish.mp3"), "unsupported malformed"),
      ] {
        do {
          let terminal = try VoiceTerminal(
            VoiceTerminalOptions(input: .file(path: file), playsSound: false), onPacket: { _ in },
            onEnd: { _ in })
          terminal.close()
          Issue.record("\(file) was opened")
        } catch {
          #expect(expected.split(separator: " ").contains { "\(error)".hasPrefix($0) }, "\(file): \(error)")
        }
      }
    }

    /// A file waits for the press, stands still after it is let go, and is not heard to its end when closed before.
    @Test func fileStandsStillWhileNotSpeaking() async throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = try write(wave(rate: 16_000, channels: 1, amplitude: 8_000), "tone.wav")
      let packets = Packets()
      let ends = Ends()
      let terminal = try VoiceTerminal(
        VoiceTerminalOptions(input: .file(path: file), playsSound: false, startsSpeaking: false),
        onPacket: { packets.take($0) }, onEnd: { ends.tell($0) })
      try await Task.sleep(for: .milliseconds(60))
      #expect(packets.all.isEmpty)
      terminal.setSpeaking(true)
      for await _ in packets.stream { break }
      terminal.setSpeaking(false)
      try await Task.sleep(for: .milliseconds(30))
      let count = packets.all.count
      try await Task.sleep(for: .milliseconds(100))
      #expect((1...4).contains(count) && packets.all.count == count)
      terminal.close()
      #expect(ends.all == [])
    }

    /// Half a second of a tone as WAV.
    private func wave(rate: Int, channels: Int, amplitude: Double) -> [UInt8] {
      var data: [UInt8] = []
      for index in 0..<rate / 2 {
        let sample = Int16(amplitude * sin(2 * .pi * 440 * Double(index) / Double(rate)))
        for _ in 0..<channels { data += little(UInt16(bitPattern: sample)) }
      }
      let form =
        little(UInt16(1)) + little(UInt16(channels)) + little(UInt32(rate))
        + little(UInt32(rate * channels * 2)) + little(UInt16(channels * 2)) + little(UInt16(16))
      return Array("RIFF".utf8) + little(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8)
        + little(UInt32(16))
        + form + Array("data".utf8) + little(UInt32(data.count)) + data
    }

    private func little(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
    }
  }

  @Suite struct CaptureClockTests {
    @Test func timeIsCountedWhateverTheThreadDoes() {
      var clock = CaptureClock()
      var times: [Int] = []
      for frame in 0..<2_000 {
        // 200 ppm of drift, jitter, and a stall that the thread makes up for.
        let late = frame % 7 * 1_300 + ((500..<525).contains(frame) ? (525 - frame) * 10_000 : 0)
        times.append(clock.next(arrival: frame * 10_002 + late))
      }
      #expect(times == (0..<2_000).map { $0 * 480 })
    }

    @Test func lostSoundIsLeaptOver() {
      var clock = CaptureClock()
      var times: [Int] = []
      for frame in 0..<600 { times.append(clock.next(arrival: (frame + (frame < 300 ? 0 : 100)) * 10_000)) }
      #expect(times.prefix(300).last == 299 * 480)
      // A second is missing, and found out within another.
      #expect(times.last == 699 * 480)
      let steps = zip(times, times.dropFirst()).map { $1 - $0 }
      #expect(steps.filter { $0 != 480 } == [101 * 480])
      #expect((300..<410).contains(steps.firstIndex { $0 != 480 } ?? 0))
      // A packet begins with an even frame on both sides of it.
      #expect(zip(times.indices, times).allSatisfy { ($0 + $1 / 480) % 2 == 0 })
    }
  }

  @Suite struct SoundDeviceNameTests {
    @Test(
      arguments: [
        (nil, [.pulse, .alsa], nil), ("", [.pulse, .alsa], nil), ("hw:0", [.pulse, .alsa], "hw:0"),
        ("alsa:hw:0,1", [.alsa], "hw:0,1"), ("pulse:", [.pulse], nil), ("pulse:a b", [.pulse], "a b"),
      ] as [(String?, [SoundDeviceName.System], String?)])
    func systemIsSaidInFront(text: String?, systems: [SoundDeviceName.System], name: String?) {
      let device = SoundDeviceName(text)
      #expect(device.systems == systems)
      #expect(device.name == name)
    }
  }
}
