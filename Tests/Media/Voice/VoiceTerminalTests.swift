import Foundation
import Synchronization
import Testing

@testable import OrielMedia

extension MediaSuites {
  /// Ends of a conversation on null sinks of a real sound server.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct VoiceTerminalTests {
    private let ends = Ends()

    /// A click into one end's microphone is heard at the other end's loudspeaker in time; no network between.
    @Test func clickComesFromMouthToEarInTime() async throws {
      let server = try SoundServer(sinks: ["mouth", "ear"])
      defer { server.stop() }
      let ends = ends
      let ear = try terminal(.none, output: "ear", server)
      defer { ear.close() }
      let mouth = try terminal(.microphone(device: "mouth.monitor"), output: nil, server) {
        ear.play($0.bytes, timestamp: ticks($0.timestamp))
      }
      defer { mouth.close() }
      let said = ClickListener(threshold: 4_000)
      let heard = ClickListener(threshold: 2_000)
      let probes = try [("mouth", said), ("ear", heard)].map { sink, listener in
        try VoiceMicrophone(
          device: "\(sink).monitor", server: server.address, onFrame: { listener.hear($0) },
          onEnd: { ends.tell($0) })
      }
      defer { for probe in probes { probe.close() } }
      let clicker = Clicker()
      let speaker = try VoiceLoudspeaker(
        device: "mouth", server: server.address, render: { frame, _ in clicker.fill(frame) },
        onEnd: { ends.tell($0) })
      defer { speaker.close() }
      for await count in heard.counts where count == 12 { break }
      #expect(ends.all == [])
      // None is lost on the way, none is heard twice.
      let delays = zip(heard.clicks.prefix(12), said.clicks).map { Double($0 - $1) / 1e6 }.sorted()
      let statistics = ear.statistics
      print(
        """
        mouth to ear: p50 \(delays[6]) ms, p95 \(delays[11]) ms; \
        jitter buffer \(statistics.playoutDelay ?? .zero), loudspeaker \(statistics.loudspeakerLatency)
        """)
      #expect(delays[0] > 20 && delays[6] < 150 && delays[11] < 250, "\(delays)")
      #expect(statistics.playout.late + statistics.playout.dropped == 0)
      #expect((10..<100).contains(statistics.loudspeakerLatency / .milliseconds(1)))
    }

    /// Half duplex: the microphone is warm, and turning the direction round cuts nothing.
    @Test func nothingIsGivenOutUntilItSpeaks() async throws {
      let server = try SoundServer(sinks: ["mouth"])
      defer { server.stop() }
      let packets = Packets()
      var options = VoiceTerminalOptions(
        input: .microphone(device: "mouth.monitor"), playsSound: false, soundServer: server.address)
      options.startsSpeaking = false
      let ends = ends
      let terminal = try VoiceTerminal(
        options, onPacket: { packets.take($0) }, onEnd: { ends.tell($0) })
      defer { terminal.close() }
      try await Task.sleep(for: .milliseconds(200))
      #expect(packets.all.isEmpty)
      let pressed = ContinuousClock.now
      terminal.setSpeaking(true)
      for await _ in packets.stream { break }
      let waited = ContinuousClock.now - pressed
      let first = try #require(packets.all.first)
      // The microphone's time goes on while nobody speaks.
      #expect(first.timestamp >= .milliseconds(100) && first.form == .opus)
      print("first packet after \(waited)")
      // A frame, a packet, and a loaded machine.
      #expect(waited < .milliseconds(100))
      terminal.setSpeaking(false)
      try await Task.sleep(for: .milliseconds(50))
      let count = packets.all.count
      try await Task.sleep(for: .milliseconds(100))
      #expect(packets.all.count == count && terminal.statistics.sent == count)
      #expect(
        zip(packets.all, packets.all.dropFirst()).allSatisfy {
          $1.timestamp - $0.timestamp == .milliseconds(20)
        })
      #expect(ends.all == [])
    }

    @Test func loudspeakerIsSilentWhileNotPlaying() async throws {
      let server = try SoundServer(sinks: ["ear"])
      defer { server.stop() }
      let ends = ends
      let terminal = try terminal(.none, output: "ear", server)
      defer { terminal.close() }
      let heard = ClickListener(threshold: 2_000)
      let probe = try VoiceMicrophone(
        device: "ear.monitor", server: server.address, onFrame: { heard.hear($0) }, onEnd: { ends.tell($0) })
      defer { probe.close() }
      let encoder = try VoiceEncoder()
      let clicker = Clicker()
      var time: UInt32 = 0
      func talk(_ packets: Int) async throws {
        for _ in 0..<packets {
          var samples = [Int16](repeating: 0, count: VoiceForm.packet)
          samples.withUnsafeMutableBufferPointer { clicker.fill($0) }
          terminal.play(try #require(encoder.encode(samples)), timestamp: time)
          time += UInt32(VoiceForm.packet)
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      terminal.setPlaying(false)
      try await talk(10)
      #expect(heard.peak == 0)
      #expect(terminal.statistics.received == 0)
      terminal.setPlaying(true)
      try await talk(10)
      for await _ in heard.counts { break }
      #expect(heard.peak > 2_000)
      #expect(ends.all == [])
    }

    @Test(arguments: [true, false])
    func deviceThatDisappearsIsToldOnce(withServer: Bool) async throws {
      let server = try SoundServer(sinks: ["ear", "mouth"])
      defer { server.stop() }
      let terminal = try terminal(.microphone(device: "mouth.monitor"), output: "ear", server)
      if withServer { server.stop() } else { try server.control("unload-module", "module-null-sink") }
      for await _ in ends.stream { break }
      try await Task.sleep(for: .milliseconds(100))
      // Both are gone; the first to notice says so.
      #expect(ends.all == [.noAudioDevice] || ends.all == [.noMicrophone])
      terminal.play([0xF8, 0xFF, 0xFE], timestamp: 0)
      terminal.close()
      terminal.close()
      #expect(ends.all.count == 1)
    }

    @Test func missingDeviceIsSaidAtOnce() throws {
      let server = try SoundServer(sinks: ["ear"])
      defer { server.stop() }
      for (input, output, address, expected) in [
        (VoiceInput.microphone(device: "pulse:none"), "ear", server.address, MediaFailure.noMicrophone),
        (.microphone(device: "alsa:hw:77"), "ear", server.address, .noMicrophone),
        (.microphone(device: "ear.monitor"), "none", server.address, .noAudioDevice),
        (.microphone(device: nil), "pulse:", "unix:/nonexistent/native", .noMicrophone),
        (.none, "pulse:", "unix:/nonexistent/native", .noAudioDevice),
      ] {
        let begun = ContinuousClock.now
        #expect(throws: expected) {
          try VoiceTerminal(
            VoiceTerminalOptions(input: input, outputDevice: output, soundServer: address),
            onPacket: { _ in }, onEnd: { _ in })
        }
        #expect(ContinuousClock.now - begun < .seconds(3))
      }
      // GStreamer's pulsesrc would leave a thread of the library behind.
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map {
        (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) ?? ""
      }
      #expect(!names.contains("threaded-ml\n"), "\(names)")
      // Nothing is left open after that.
      #expect(try server.control("list", "short", "clients").split(separator: "\n").count <= 1)
    }

    private func terminal(
      _ input: VoiceInput, output: String?, _ server: SoundServer,
      onPacket: @escaping @Sendable (AudioPacket) -> Void = { _ in }
    ) throws -> VoiceTerminal {
      let ends = ends
      return try VoiceTerminal(
        VoiceTerminalOptions(
          input: input, playsSound: output != nil, outputDevice: output, soundServer: server.address),
        onPacket: onPacket, onEnd: { ends.tell($0) })
    }

    /// `ORIEL_CYCLES` makes it longer.
    @Test func openingAndClosingLeavesNothingBehind() async throws {
      let server = try SoundServer(sinks: ["ear", "mouth"])
      defer { server.stop() }
      let cycles = ProcessInfo.processInfo.environment["ORIEL_CYCLES"].flatMap(Int.init) ?? 20
      func counts() throws -> (threads: Int, descriptors: Int) {
        let files = FileManager.default
        return (
          try files.contentsOfDirectory(atPath: "/proc/self/task").count,
          try files.contentsOfDirectory(atPath: "/proc/self/fd").count
        )
      }
      func cycle() async throws {
        let packets = Packets()
        let terminal = try terminal(.microphone(device: "mouth.monitor"), output: "ear", server) {
          packets.take($0)
        }
        for await packet in packets.stream {
          terminal.play(packet.bytes, timestamp: ticks(packet.timestamp))
          break
        }
        terminal.close()
        let count = packets.all.count
        try await Task.sleep(for: .milliseconds(1))
        #expect(packets.all.count == count)
      }
      for _ in 0..<3 { try await cycle() }
      let before = try counts()
      let begun = ContinuousClock.now
      for _ in 0..<cycles { try await cycle() }
      let took = ContinuousClock.now - begun
      var after = try counts()
      // Dispatch lets idle workers go after some seconds.
      for _ in 0..<50 where after.threads > before.threads + 2 || after.descriptors > before.descriptors {
        try await Task.sleep(for: .milliseconds(200))
        after = try counts()
      }
      print(
        "\(cycles) terminals in \(took): threads \(before.threads) -> \(after.threads), descriptors \(before.descriptors) -> \(after.descriptors)"
      )
      #expect(after.threads <= before.threads + 2)
      #expect(after.descriptors <= before.descriptors)
      // Threads of a pool are as they were before they were sound's: field 41 is the policy (proc(5)).
      for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
        guard let line = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8) else {
          continue
        }
        let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
        #expect(fields.count > 38 && fields[38] == "0", "\(line)")
      }
      #expect(ends.all == [])
    }
  }
}

/// RTP's time at 48 kHz.
func ticks(_ time: Duration) -> UInt32 {
  UInt32(truncatingIfNeeded: Int64((time / .microseconds(1)).rounded()) * 48 / 1000)
}

/// What a terminal said of its end.
final class Ends: Sendable {
  private let told = Mutex<[MediaFailure?]>([])
  let stream: AsyncStream<MediaFailure?>
  private let continuation: AsyncStream<MediaFailure?>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func tell(_ reason: MediaFailure?) {
    told.withLock { $0.append(reason) }
    continuation.yield(reason)
  }

  var all: [MediaFailure?] { told.withLock { $0 } }
}

/// What a terminal gave out.
final class Packets: Sendable {
  private let taken = Mutex<[AudioPacket]>([])
  let stream: AsyncStream<AudioPacket>
  private let continuation: AsyncStream<AudioPacket>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func take(_ packet: AudioPacket) {
    taken.withLock { $0.append(packet) }
    continuation.yield(packet)
  }

  var all: [AudioPacket] { taken.withLock { $0 } }
}
