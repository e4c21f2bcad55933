import Foundation
import OrielMedia
import OrielModel
import OrielRTC
import Synchronization
import Testing

@testable import OrielKit

/// Players and a real camera's pictures, over real connections in one process.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct PlayerLiveTests {
  private let connector: CameraConnector
  private let session: Session

  init() async throws {
    connector = await CameraConnector()
    session = try Session(server: ServerAddress("http://127.0.0.1:9"), connector: connector)
  }

  private func player(_ options: PlayerOptions = PlayerOptions()) throws -> Player {
    session.player(for: try DeviceSerial(TestCamera.serial), options: options)
  }

  private func withCamera(_ body: (TestCamera) async throws -> Void) async throws {
    await connector.camera.start()
    do { try await body(connector.camera) } catch {
      await connector.camera.stop()
      await session.close()
      throw error
    }
    await connector.camera.stop()
    await session.close()
  }

  private func wait(
    for wanted: PlayerEvent, _ events: inout AsyncStream<PlayerEvent>.AsyncIterator
  ) async throws {
    while let event = await events.next() {
      if event == wanted { return }
      if case .failed(let error) = event { throw error }
    }
    throw OrielError(.cancelled)
  }

  @Test func aStartShowsPicturesWithTheCamerasStamp() async throws {
    try await withCamera { _ in
      let player = try player()
      #expect(player.start())
      #expect(!player.start())
      var events = player.events.makeAsyncIterator()
      #expect(await events.next() == .connecting)
      #expect(await events.next() == .started)
      #expect(await events.next() == .sizeChanged(width: 320, height: 180))
      var counters: [UInt32] = []
      for await frame in player.frames {
        if let stamp = FrameStamp.read(from: frame) { counters.append(stamp.counter) }
        if counters.count == 5 { break }
      }
      #expect(counters == counters.sorted() && Set(counters).count == 5)
      let jpeg = try player.captureJPEG(quality: 70)
      #expect(jpeg.starts(with: [0xff, 0xd8]))
      let figures = await player.statistics
      #expect(figures.frames >= 5)
      #expect(figures.packets > 5)
      #expect(figures.codec == "h264")
      #expect(figures.timeToFirstFrame ?? 0 > 0)
      #expect(figures.path != nil)
      #expect(player.receivedBytes > 0)
      await player.close()
    }
  }

  @Test func aViewThatIsStoppedAndStartedAgainNeverAsksForACode() async throws {
    try await withCamera { camera in
      let player = try player()
      var events = player.events.makeAsyncIterator()
      for _ in 0..<5 {
        #expect(player.start())
        try await wait(for: .started, &events)
        #expect(player.stop())
        try await wait(for: .stopped, &events)
      }
      // Stopped before it has begun.
      for _ in 0..<20 {
        #expect(player.start())
        #expect(player.stop())
      }
      await player.close()
      #expect(await camera.sessions == 0)
    }
  }

  @Test func nothingComesAfterAStop() async throws {
    try await withCamera { _ in
      let player = try player()
      let after = Mutex((isStopped: false, late: 0))
      player.onFrame { _ in after.withLock { if $0.isStopped { $0.late += 1 } } }
      player.onEvent { event in
        after.withLock { if $0.isStopped, event != .stopped { $0.late += 1 } }
      }
      var events = player.events.makeAsyncIterator()
      player.start()
      try await wait(for: .started, &events)
      player.stop()
      after.withLock { $0.isStopped = true }
      try await wait(for: .stopped, &events)
      await player.close()
      #expect(await events.next() == nil)
      #expect(after.withLock { $0.late } == 0)
    }
  }

  @Test func severalPlayersOfOneCameraAreStoppedInAnyOrder() async throws {
    try await withCamera { camera in
      var players: [Player] = []
      for _ in 0..<4 { players.append(try player()) }
      for player in players { player.start() }
      for player in players {
        var events = player.events.makeAsyncIterator()
        try await wait(for: .started, &events)
      }
      #expect(await camera.sessions == 4)
      for index in [2, 0, 3] { await players[index].close() }
      // The last one still gets pictures.
      for await _ in players[1].frames.prefix(3) {}
      await players[1].close()
      #expect(await camera.sessions == 0)
    }
  }

  @Test func aClipBeginsAtAKeyFrameAndOutlastsItsView() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("oriel-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await withCamera { _ in
      let player = try player()
      await #expect(throws: OrielError(.noPicture)) {
        try await player.startRecording(to: folder.appendingPathComponent("none.mp4").path)
      }
      #expect(throws: OrielError(.noPicture)) { try player.captureJPEG() }
      player.start()
      // It waits for the view that is starting.
      try await player.startRecording(to: folder.appendingPathComponent("one.mp4").path)
      await #expect(throws: OrielError.self) {
        try await player.startRecording(to: folder.appendingPathComponent("two.mp4").path)
      }
      let last = try #require(await player.frames.prefix(90).reduce(nil) { _, frame in frame })
      #expect(last.width == 320)
      player.stop()
      let clip = try await player.stopRecording()
      #expect(clip.pictures > 5)
      #expect(clip.size > 1000)
      await #expect(throws: OrielError(.nothingRecorded)) { try await player.stopRecording() }
      player.start()
      await #expect(throws: OrielError(.fileNotWritable)) {
        try await player.startRecording(to: "/nonexistent/clip.mp4")
      }
      await player.close()
    }
  }

  @Test func theDefinitionChangesWithoutANewSession() async throws {
    try await withCamera { camera in
      let player = try player()
      var events = player.events.makeAsyncIterator()
      player.start()
      try await wait(for: .started, &events)
      player.setVideoLevel(.low)
      try await wait(for: .videoLevelChanged(.low), &events)
      #expect(await camera.levels == [.low])
      #expect(await camera.offers == 1)
      await player.close()
    }
  }

  @Test func aMissingLoudspeakerIsToldAndThePictureGoesOn() async throws {
    try await withCamera { _ in
      var options = PlayerOptions()
      options.outputs.sound = { throw OrielError(.soundUnavailable) }
      let player = try player(options)
      var events = player.events.makeAsyncIterator()
      player.start()
      try await wait(for: .started, &events)
      player.openSound()
      try await wait(for: .soundFailed(OrielError(.soundUnavailable)), &events)
      for await _ in player.frames.prefix(3) {}
      await player.close()
    }
  }

  @Test func soundIsPlayedOnlyWhileItIsWanted() async throws {
    try await withCamera { _ in
      let played = AsyncStream<Int>.makeStream()
      let opened = Mutex(0)
      var options = PlayerOptions()
      options.outputs.sound = {
        opened.withLock { $0 += 1 }
        return CountingSound(played.continuation)
      }
      let player = try player(options)
      var events = player.events.makeAsyncIterator()
      player.start()
      try await wait(for: .started, &events)
      #expect(opened.withLock { $0 } == 0)
      player.openSound()
      var sizes = played.stream.makeAsyncIterator()
      #expect(try #require(await sizes.next()) > 0)
      player.closeSound()
      // The stream ends when the output is closed.
      while await sizes.next() != nil {}
      #expect(opened.withLock { $0 } == 1)
      await player.close()
    }
  }

  @Test func aCameraThatWasStartedAnewIsShownAgain() async throws {
    try await withCamera { camera in
      let player = try player()
      var events = player.events.makeAsyncIterator()
      player.start()
      try await wait(for: .started, &events)
      let before = ContinuousClock.now
      await camera.forget()
      try connector.tell(.offline)
      try await wait(for: .reconnecting, &events)
      try connector.tell(.online)
      try await wait(for: .reconnected, &events)
      #expect(before.duration(to: .now) < .seconds(8))
      #expect(await player.statistics.reconnects == 1)
      await player.close()
    }
  }

  @Test func aSourceThatFailsIsWaitedForWithoutANewConnection() async throws {
    try await withCamera { camera in
      let player = try player()
      var events = player.events.makeAsyncIterator()
      player.start()
      try await wait(for: .started, &events)
      // The channel opens about when the first picture comes.
      player.setVideoLevel(.low)
      try await wait(for: .videoLevelChanged(.low), &events)
      await camera.setFlowing(false)
      await camera.tellSource(ErrorCode.sourceUnreachable.rawValue)
      try await wait(for: .reconnecting, &events)
      await camera.setFlowing(true)
      await camera.tellSource(0)
      try await wait(for: .reconnected, &events)
      #expect(await camera.offers == 1)
      await player.close()
    }
  }

  @Test(arguments: [ErrorCode.deviceOffline, .connectionLimit, .noCommonCodec, .notMyDevice])
  func aRefusalIsTheOutcome(code: ErrorCode) async throws {
    try await withCamera { camera in
      await camera.refuse(code)
      let player = try player()
      player.start()
      var events = player.events.makeAsyncIterator()
      #expect(await events.next() == .connecting)
      #expect(await events.next() == .failed(OrielError(code)))
      #expect(!player.isActive)
      await player.close()
    }
  }

  @Test func aDecoderThatCannotBeMadeEndsTheView() async throws {
    try await withCamera { _ in
      var options = PlayerOptions()
      options.outputs.decoder = { _ in throw OrielError(.mediaLibrary, "avdec_h264") }
      let player = try player(options)
      player.start()
      var events = player.events.makeAsyncIterator()
      #expect(await events.next() == .connecting)
      #expect(await events.next() == .failed(OrielError(.mediaLibrary, "avdec_h264")))
      await player.close()
    }
  }

  @Test func aPlayerThatIsReleasedLeavesNothingBehind() async throws {
    try await withCamera { camera in
      func visit() async throws {
        let player = try player()
        var events = player.events.makeAsyncIterator()
        player.start()
        try await wait(for: .started, &events)
        await player.close()
      }
      for _ in 0..<3 { try await visit() }
      let before = (threads: Self.count("/proc/self/task"), descriptors: Self.count("/proc/self/fd"))
      for _ in 0..<12 { try await visit() }
      let after = (threads: Self.count("/proc/self/task"), descriptors: Self.count("/proc/self/fd"))
      // Pools of the system and of GLib come and go by a few; a leak would show twelve times.
      #expect(after.threads - before.threads < 8)
      #expect(after.descriptors - before.descriptors < 8)
      // Released without a stop.
      do {
        let player = try player()
        player.start()
      }
      await camera.untilNoSession()
    }
  }

  private static func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }
}

/// A loudspeaker that only counts.
private final class CountingSound: SoundOutput {
  private let played: AsyncStream<Int>.Continuation

  init(_ played: AsyncStream<Int>.Continuation) { self.played = played }

  func play(_ packet: AudioPacket) { played.yield(packet.bytes.count) }
  func close() { played.finish() }
}

extension TestCamera {
  func refuse(_ code: ErrorCode) { refusal = code }

  /// Waits until every viewer has gone.
  func untilNoSession() async {
    while sessions > 0 { try? await Task.sleep(for: .milliseconds(20)) }
  }
}
