import Foundation
import Synchronization
import Testing

@testable import OrielMedia

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(30))) struct DeviceDriftTests {
    private let ends = Ends()

    /// The loudspeaker's clock goes 104 ppm too fast. `ORIEL_TALK_SECONDS` makes it longer.
    @Test func fastLoudspeakerIsFollowedWithoutGaps() async throws {
      let server = try SoundServer(sinks: ["mouth", "ear"])
      defer { server.stop() }
      let seconds = ProcessInfo.processInfo.environment["ORIEL_TALK_SECONDS"].flatMap(Int.init) ?? 1
      let ends = ends
      var options = VoiceTerminalOptions(input: .none, outputDevice: "ear", soundServer: server.address)
      options.loudspeakerRate = 48_005
      let ear = try VoiceTerminal(options, onPacket: { _ in }, onEnd: { ends.tell($0) })
      defer { ear.close() }
      options = VoiceTerminalOptions(
        input: .microphone(device: "mouth.monitor"), playsSound: false, soundServer: server.address,
        noise: false, gain: false)
      let mouth = try VoiceTerminal(
        options, onPacket: { ear.play($0.bytes, timestamp: ticks($0.timestamp)) }, onEnd: { ends.tell($0) })
      defer { mouth.close() }
      let place = Mutex(0)
      let speaker = try VoiceLoudspeaker(
        device: "mouth", server: server.address,
        render: { frame, _ in
          var samples = [Int16](repeating: 0, count: frame.count)
          samples.withUnsafeMutableBufferPointer { samples in
            place.withLock { ToneListener.fill(samples, &$0) }
          }
          _ = frame.update(fromContentsOf: samples)
        }, onEnd: { ends.tell($0) })
      defer { speaker.close() }
      let listener = ToneListener()
      let probe = try VoiceMicrophone(
        device: "ear.monitor", server: server.address, onFrame: { listener.hear($0) },
        onEnd: { ends.tell($0) })
      defer { probe.close() }
      try await Task.sleep(for: .milliseconds(500))
      _ = listener.gaps()
      var left = seconds
      while left > 0 {
        try await Task.sleep(for: .seconds(min(left, 60)))
        left -= 60
        let (gaps, statistics) = (listener.gaps(), ear.statistics)
        print(
          """
          delay \(statistics.playoutDelay ?? .zero), wanted \(statistics.playoutTarget), \
          drift \(Int(statistics.drift)) ppm, gaps \(gaps), made up \(statistics.playout.concealed)
          """)
        #expect(gaps.longest <= 20)
        #expect((statistics.playoutDelay ?? .zero) < statistics.playoutTarget + .milliseconds(40))
      }
      #expect(ends.all == [])
    }
  }
}
