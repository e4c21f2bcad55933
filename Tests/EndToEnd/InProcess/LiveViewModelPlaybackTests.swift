import Foundation
import OrielCamera
import OrielKit
import OrielModel
import Synchronization
import Testing

@testable import IVSDK

/// The second manual's playback and live view, against a platform and a camera that has recorded.
@Suite(.serialized) struct LiveViewModelPlaybackTests {
  @MainActor
  private func run(_ body: (RecordedHouse) async throws -> Void) async throws {
    try await RecordedHouse.run { house in
      SDKConfig.configure(session: house.session)
      do { try await body(house) } catch {
        LiveViewObjectStore.logout()
        throw error
      }
      LiveViewObjectStore.logout()
    }
  }

  @MainActor
  private func wait(_ what: Comment, until holds: () -> Bool) async throws {
    try await LiveViewLog().wait(what, until: holds)
  }

  @MainActor
  private func playback(_ house: RecordedHouse) -> (LiveViewModel, LiveViewLog) {
    let model = LiveViewObjectStore.objectFor(.playback, spaceId: "space", deviceId: house.serial.value)
    let told = LiveViewLog()
    told.observe(model)
    return (model, told)
  }

  @MainActor
  @Test func itPlaysFromTheTimeThatWasSetSeeksPausesAndEndsOnce() async throws {
    try await run { house in
      let (model, told) = playback(house)
      let pictures = Mutex<[Int64]>([])
      model.remoteViews.first?.onFrame { frame in pictures.withLock { $0.append(frame.captureTime) } }
      model.playbackCurrentTime = house.seconds(20)
      #expect(model.playbackCurrentTime == house.seconds(20))
      model.connect(playbackEndTime: house.seconds(100))
      #expect(told.lines.isEmpty, "the outcome comes after the call")
      try await wait("not up") { told.lines.contains("connected") }
      #expect(pictures.withLock { $0.first } == house.start + 20_000)
      model.mediaInfo(startTime: house.seconds(-100), endTime: house.seconds(200))
      model.mediaInfoStartTime()
      try await wait("no list") { told.messages.contains { $0.action == .mediaInfo && $0.list?.count == 1 } }
      let list = try #require(told.messages.first { $0.action == .mediaInfo }?.list)
      #expect(list == [PlaybackMediaInfo(start: house.start / 1000, end: house.start / 1000 + 120)])
      try await wait("no start") { told.messages.contains { $0.action == .mediaInfoStartTime } }
      model.pause()
      try await wait("not paused") { told.messages.contains { $0.action == .pausing } }
      model.seekToTime(time: house.seconds(70))
      try await wait("not there") { model.playbackCurrentTime == house.seconds(70) }
      model.seekToTime(time: house.seconds(300))
      #expect(model.lastError?.number == 720_203)
      var picture: Result<Data, OrielError>?
      model.captureSnapshot(size: .zero, snapshot: { picture = $0 })
      #expect(try picture?.get().starts(with: [0xFF, 0xD8]) == true)
      model.startRecording(size: .zero, fileName: house.folder + "/clip.mp4")
      model.play()
      try await wait("no clip") { model.playbackCurrentTime > house.seconds(73) }
      var clip: Result<String, OrielError>?
      model.stopRecording { clip = $0 }
      try await wait("no clip") { clip != nil }
      #expect(try clip?.get() == URL(fileURLWithPath: house.folder + "/clip.mp4").absoluteString)
      let frames = try await Tool.run(
        "ffprobe",
        ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0"]
          + [house.folder + "/clip.mp4"])
      #expect(Int(frames.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 10)
      model.seekToTime(time: house.seconds(99))
      try await wait("no end") { told.lines.contains("ended") }
      #expect(model.sdCardPlaybackEnd)
      #expect(told.messages.last?.action == .playbackEnd && told.messages.last?.errorCode == 0)
      #expect(pictures.withLock { $0.last } == house.start + 99_960)
      model.terminateConnection()
      model.terminateConnection()
      model.disconnect()
      let lines = told.lines
      #expect(
        lines.filter { $0 != "shut" } == ["open", "connected", "ended", "terminate"]
          || lines.filter { $0 != "shut" } == ["connected", "open", "ended", "terminate"])
      try await Task.sleep(for: .milliseconds(300))
      #expect(told.lines == lines, "nothing follows")
    }
  }

  @MainActor
  @Test func theSlotIsHeldAfterADisconnectAndAScreenThatComesBackGoesOn() async throws {
    try await run { house in
      let model = LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: house.serial.value)
      let told = LiveViewLog()
      told.observe(model)
      let time = ManualTime()
      model.clock = time
      model.connect()
      try await wait("not up") { told.lines.contains("connected") }
      model.disconnect()
      #expect(told.lines.last == "terminate" && !model.isConnected)
      #expect(await house.agent.viewerCount == 1, "the slot is held")
      told.lines = []
      model.connect()
      try await wait("not up again") { told.lines.contains("connected") }
      #expect(await house.agent.viewerCount == 1, "the same session")
      model.disconnect()
      #expect(LiveViewModel.holdTime == .seconds(10))
      try await wait("nothing counts down") { time.sleepers == 1 }
      time.advance(by: .milliseconds(9_900))
      try await Task.sleep(for: .milliseconds(100))
      #expect(await house.agent.viewerCount == 1)
      time.advance(by: .milliseconds(100))
      for _ in 0..<60 where await house.agent.viewerCount > 0 { try await Task.sleep(for: .milliseconds(50)) }
      #expect(await house.agent.viewerCount == 0, "given back after 10 s")
      #expect(told.lines.filter { $0 == "terminate" }.count == 1)
      model.connect()
      try await wait("not up a third time") { told.lines.filter { $0 == "connected" }.count == 2 }
      model.terminateConnection()
      for _ in 0..<60 where await house.agent.viewerCount > 0 { try await Task.sleep(for: .milliseconds(50)) }
      #expect(await house.agent.viewerCount == 0, "terminate gives it back at once")
    }
  }

  @MainActor
  @Test func whatCannotBePlayedHasItsNumberAndOneEnd() async throws {
    try await run { house in
      let (model, told) = playback(house)
      model.seekToTime(time: house.seconds(10))
      #expect(model.lastError?.number == 720_205, "before connect")
      model.pause()
      for (start, end, number) in [(10, 5, 720_201), (-900, -800, 395_402), (900_000, 900_100, 720_202)] {
        told.lines = []
        model.playbackCurrentTime = house.seconds(start)
        model.connect(playbackEndTime: house.seconds(end))
        try await wait("no end") { told.lines.contains("terminate") }
        #expect(model.lastError?.number == number)
        #expect(told.lines.filter { $0 != "open" && $0 != "shut" } == ["error", "terminate"])
      }
      told.lines = []
      model.playbackCurrentTime = house.seconds(10)
      model.connect(playbackEndTime: house.seconds(20))
      model.connect(playbackEndTime: house.seconds(20))
      model.disconnect()
      #expect(told.lines == ["terminate"], "while it connects there is nothing to hold")
      try await Task.sleep(for: .milliseconds(500))
      #expect(told.lines == ["terminate"])
      #expect(await house.agent.viewerCount == 0)
    }
  }

  @MainActor
  @Test(arguments: [TimeInterval.nan, .infinity, -1, 1e300])
  func timesThatAreNoneAreRefused(time: TimeInterval) async throws {
    let model = LiveViewObjectStore.objectFor(.playback, spaceId: "space", deviceId: "O00000006")
    let told = LiveViewLog()
    told.observe(model)
    model.playbackCurrentTime = time
    model.connect(playbackEndTime: time)
    try await wait("no end") { told.lines == ["error", "terminate"] }
    #expect(model.lastError?.number == 720_201)
    model.seekToTime(time: time)
    model.mediaInfo(startTime: time, endTime: time)
    LiveViewObjectStore.logout()
  }

  @MainActor
  @Test func theDefaultsAreTheManuals() throws {
    let model = LiveViewObjectStore.objectFor(.playback, spaceId: "space", deviceId: "O00000007")
    #expect(!model.remoteViews.isEmpty)
    let start = Date(timeIntervalSince1970: model.playbackCurrentTime)
    let hour = try #require(Calendar.current.dateInterval(of: .hour, for: Date()))
    #expect(start == hour.start.addingTimeInterval(-3600))
    #expect(model !== LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: "O00000007"))
    #expect(model === LiveViewObjectStore.objectFor(.playback, spaceId: "space", deviceId: "O00000007"))
    let two = LiveViewObjectStore.objectFor(
      .liveView, spaceId: "space", deviceId: "O00000008", hardwareConfig: IVHardwareConfig(lenses: 2))
    #expect(two.remoteViews.count == 2)
    LiveViewObjectStore.logout()
  }

  @MainActor
  @Test func readingsAreFollowedByTheManualsLines() async throws {
    let liveViewObject = LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: "O00000009")
    var cancellables = Set<AnyCancellable>()
    var seen: [Int?] = []
    liveViewObject.$rssi.sink { rssi in seen.append(rssi) }.store(in: &cancellables)
    liveViewObject.$temperature.sink { _ in }.store(in: &cancellables)
    liveViewObject.$humidity.sink { _ in }.store(in: &cancellables)
    try await wait("no first value") { seen == [nil] }
    for await value in liveViewObject.$rssi {
      #expect(value == nil)
      break
    }
    cancellables = []
    LiveViewObjectStore.logout()
  }

  @MainActor
  @Test func readingsComeFromTheCamera() async throws {
    try await run { house in
      let model = LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: house.serial.value)
      let told = LiveViewLog()
      told.observe(model)
      model.connect()
      var cancellables = Set<AnyCancellable>()
      var strengths: [Int?] = []
      model.$rssi.sink { strengths.append($0) }.store(in: &cancellables)
      try await wait("no reading") { strengths.last == -58 && model.temperature == 21.437 }
      #expect(model.humidity == nil)
      model.terminateConnection()
    }
  }

  @MainActor
  @Test func noCycleKeepsAModelOrItsScreen() async throws {
    try await run { house in
      final class Screen {
        let model: LiveViewModel
        init(_ model: LiveViewModel) { self.model = model }
      }
      weak var weakScreen: Screen?
      weak var weakModel: LiveViewModel?
      do {
        let model = LiveViewObjectStore.objectFor(.playback, spaceId: "space", deviceId: house.serial.value)
        let screen = Screen(model)
        (weakScreen, weakModel) = (screen, model)
        let told = LiveViewLog()
        told.observe(model)
        model.onConnected = { [weak screen] in
          _ = screen
          told.lines.append("connected")
        }
        model.playbackCurrentTime = house.seconds(1)
        model.connect(playbackEndTime: house.seconds(100))
        try await wait("not up") { told.lines.contains("connected") }
        model.disconnect()
      }
      #expect(weakScreen == nil, "the model outlives the screen, and does not keep it")
      #expect(weakModel != nil)
      LiveViewObjectStore.logout()
      for _ in 0..<100 where weakModel != nil { try await Task.sleep(for: .milliseconds(20)) }
      #expect(weakModel == nil)
    }
  }
}

extension RecordedHouse {
  /// Epoch seconds, so long after its recordings begin.
  func seconds(_ seconds: Int) -> TimeInterval { TimeInterval(start / 1000 + Int64(seconds)) }
}
