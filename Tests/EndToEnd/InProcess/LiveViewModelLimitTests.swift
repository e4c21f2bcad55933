import Foundation
import OrielCamera
import OrielKit
import OrielModel
import Testing

@testable import IVSDK

extension LiveViewModelPlaybackTests {
  /// The second manual's limits, in time that the test moves; the platform and the camera are real.
  @MainActor
  @Suite(.serialized) struct LimitTests {
    private let time = ManualTime()

    private func model(_ kind: LiveViewKind, _ serial: String) -> (LiveViewModel, LiveViewLog) {
      let model = LiveViewObjectStore.objectFor(kind, spaceId: "space", deviceId: serial)
      model.clock = time
      let log = LiveViewLog()
      log.observe(model)
      return (model, log)
    }

    private func run(_ body: (RecordedHouse) async throws -> Void) async throws {
      try await RecordedHouse.run { house in
        SDKConfig.configure(session: house.session)
        defer { LiveViewObjectStore.logout() }
        try await body(house)
      }
    }

    @Test func aPlatformThatNeverAnswersIsATimeoutAfterThirtySeconds() async throws {
      let silence = try SilentListener()
      defer { silence.close() }
      SDKConfig.configure(
        session: try Session(
          server: try ServerAddress("http://127.0.0.1:\(silence.port)"), accessToken: "at.x")
      )
      defer { LiveViewObjectStore.logout() }
      let (model, log) = model(.liveView, "O00000011")
      model.connect()
      try await log.wait("no limit: \(model.lastError.map(String.init(describing:)) ?? "")") {
        time.sleepers == 1
      }
      time.advance(by: .seconds(29))
      try await Task.sleep(for: .milliseconds(50))
      #expect(log.lines.isEmpty && model.connectionState == .initiated)
      time.advance(by: .seconds(1))
      try await log.wait("no timeout") { log.lines == ["timeout", "terminate"] }
      #expect(model.connectionState == .failed)
    }

    @Test func aPictureThatStandsIsToldAfterFifteenSecondsAgainAndAgain() async throws {
      try await run { house in
        let (model, log) = model(.playback, house.serial.value)
        model.playbackCurrentTime = house.seconds(5)
        model.connect(playbackEndTime: house.seconds(110))
        try await log.wait("not up") { log.lines.contains("connected") }
        // A picture comes every 640 ms now; the test's seconds are shorter.
        try model.player?.setRate(0.0625)
        try await Task.sleep(for: .milliseconds(300))
        for _ in 0..<60 where log.lines.count(where: { $0 == "frame timeout" }) < 2 {
          try await log.wait("no watch") { time.sleepers == 1 }
          time.advance(by: .seconds(1))
        }
        #expect(log.lines.count { $0 == "frame timeout" } == 2)
        model.terminateConnection()
        #expect(log.lines.count { $0 == "terminate" } == 1)
      }
    }

    @Test func aCameraThatGoesAwayIsReadAnewAndTheStreamIsMadeAnew() async throws {
      try await run { house in
        let (model, log) = model(.liveView, house.serial.value)
        model.connect()
        try await log.wait("not up") { log.lines.contains("connected") }
        await house.agent.stop()
        try await log.wait("no refresh") { log.lines.contains("refresh \(house.serial)") }
        #expect(log.lines.contains("reconnect") && model.retryCount > 0 && !model.isConnected)
        // A screen that goes and comes meanwhile is not told that it is connected.
        log.lines = []
        model.terminateConnection()
        model.connect()
        try await Task.sleep(for: .milliseconds(200))
        #expect(!log.lines.contains("connected"))
        model.terminateConnection()
        #expect(log.lines.count { $0 == "terminate" } == 2)
      }
    }

    @Test func aHeldSessionWhoseStreamIsDownIsNotConnectedAtOnce() async throws {
      try await run { house in
        let (model, log) = model(.liveView, house.serial.value)
        model.connect()
        try await log.wait("not up") { log.lines.contains("connected") }
        model.disconnect()
        await house.agent.stop()
        try await log.wait("still up") { !model.isUp }
        log.lines = []
        model.connect()
        #expect(model.connectionState == .initiated)
        try await Task.sleep(for: .milliseconds(100))
        #expect(!log.lines.contains("connected"))
        model.terminateConnection()
      }
    }

    @Test func theTimeThatIsSetWhileTheSlotIsHeldIsTheTimeThatIsPlayed() async throws {
      try await run { house in
        let (model, log) = model(.playback, house.serial.value)
        model.playbackCurrentTime = house.seconds(5)
        model.connect(playbackEndTime: house.seconds(110))
        try await log.wait("not up") { log.lines.contains("connected") }
        model.disconnect()
        model.playbackCurrentTime = house.seconds(60)
        #expect(model.playbackCurrentTime == house.seconds(60))
        // What the session that goes on has to say belongs to it; of one that ended nothing is told to the next.
        model.connect(playbackEndTime: house.seconds(110))
        try await log.wait("not there") { model.playbackCurrentTime >= house.seconds(60) }
        #expect(model.playbackCurrentTime < house.seconds(65))
        model.terminateConnection()
        log.lines = []
        model.connect(playbackEndTime: house.seconds(110))
        try await log.wait("not up again") { log.lines.contains("connected") }
        #expect(!log.lines.contains("shut"))
        model.terminateConnection()
      }
    }
  }
}
