import Foundation
import Testing

@testable import OrielMedia

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(1))) struct DeviceEchoTests {
    /// The loudspeaker's sound comes back into the microphone as loud as it went out; with devices between, the delay
    /// is what they make it.
    @Test func ownLoudspeakerIsNotGivenOut() async throws {
      let server = try SoundServer(sinks: ["ear"])
      defer { server.stop() }
      let packets = Packets()
      let ends = Ends()
      let terminal = try VoiceTerminal(
        VoiceTerminalOptions(
          input: .microphone(device: "ear.monitor"), outputDevice: "ear", soundServer: server.address,
          gain: false), onPacket: { packets.take($0) }, onEnd: { ends.tell($0) })
      defer { terminal.close() }
      let speech = try Speech.say(Speech.host, voice: "en", level: -23)
      let encoder = try VoiceEncoder()
      var next = ContinuousClock.now
      let count = 125
      for index in 0..<count {
        let samples = speech[index * 960..<(index + 1) * 960].map { Int16(max(-1, min(1, $0)) * 32_767) }
        terminal.play(try #require(encoder.encode(samples)), timestamp: UInt32(index * 960))
        next += .milliseconds(20)
        try await Task.sleep(until: next, clock: .continuous)
      }
      let decoder = try VoicePlayout()
      var heard: [Float] = []
      for (index, packet) in packets.all.enumerated() {
        let now = Duration.milliseconds(20 * index)
        decoder.insert(packet.bytes, timestamp: ticks(packet.timestamp), at: now)
        var frame = [Int16](repeating: 0, count: VoiceForm.packet)
        frame.withUnsafeMutableBufferPointer { _ = decoder.render(into: $0, at: now) }
        heard += frame.map { Float($0) / 32_768 }
      }
      #expect(heard.count > 100 * VoiceForm.packet)
      let loss = decibels(speech[(count - 25) * 960..<count * 960]) - decibels(heard.suffix(25 * 960))
      print("echo of devices: \(loss) dB down")
      #expect(loss >= 30)
      #expect(ends.all == [])
    }
  }
}
