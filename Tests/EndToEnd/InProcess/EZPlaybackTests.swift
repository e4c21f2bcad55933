import EZOpenSDKFramework
import Foundation
import OrielKit
import OrielModel
import Testing

/// The first manual's playback, against a platform and a camera that has recorded.
@Suite(.serialized) struct EZPlaybackTests {
  /// What a program is told, in order.
  @MainActor
  private final class Found {
    var files: [Any]?
    var code: Int?
    var isDone = false
  }

  final class Delegate: EZPlayerDelegate {
    var messages: [Int] = []
    var failures: [Int] = []

    func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int) {
      dispatchPrecondition(condition: .onQueue(.main))
      messages.append(messageCode)
    }

    func player(_ player: EZPlayer!, didPlayFailed error: (any Error)!) {
      dispatchPrecondition(condition: .onQueue(.main))
      failures.append((error as NSError).code)
    }
  }

  @MainActor
  func run(_ body: (RecordedHouse) async throws -> Void) async throws {
    try await RecordedHouse.run { house in
      #expect(
        EZGlobalSDK.initLib(
          withAppKey: "test", url: "http://\(house.address.host):\(house.address.port)", authUrl: nil))
      EZGlobalSDK.setAccessToken(house.session.accessToken)
      do { try await body(house) } catch {
        EZGlobalSDK.destoryLib()
        throw error
      }
      EZGlobalSDK.destoryLib()
    }
  }

  @MainActor
  func wait(_ what: Comment, until holds: () -> Bool) async throws {
    for _ in 0..<1_000 where !holds() { try await Task.sleep(for: .milliseconds(10)) }
    #expect(holds(), what)
  }

  @MainActor
  private func search(
    _ house: RecordedHouse, cloud: Bool, from: Int64, to: Int64
  ) async -> (files: [Any]?, code: Int?) {
    let (begin, end) = (
      Date(timeIntervalSince1970: Double(from) / 1000), Date(timeIntervalSince1970: Double(to) / 1000)
    )
    let found = Found()
    let done: ([Any]?, (any Error)?) -> Void = { files, error in
      MainActor.assumeIsolated {
        (found.files, found.code, found.isDone) = (files, (error as NSError?)?.code, true)
      }
    }
    if cloud {
      EZGlobalSDK.searchRecordFile(
        fromCloud: house.serial.value, cameraNo: 1, beginTime: begin, endTime: end, completion: done)
    } else {
      EZGlobalSDK.searchRecordFile(
        fromDevice: house.serial.value, cameraNo: 1, beginTime: begin, endTime: end, completion: done)
    }
    try? await wait("no answer") { found.isDone }
    return (found.files, found.code)
  }

  @MainActor
  @Test func aRecordingOfTheDeviceIsFoundPlayedSoughtPausedAndEndsOnce() async throws {
    try await run { house in
      let found = await search(house, cloud: false, from: house.start - 1_000, to: house.start + 130_000)
      let files = try #require(found.files as? [EZDeviceRecordFile], "error \(found.code ?? 0)")
      #expect(files.map(\.startTime) == [house.date(0), house.date(60_000)])
      let player = try #require(EZGlobalSDK.createPlayer(withDeviceSerial: house.serial.value, cameraNo: 1))
      let delegate = Delegate()
      player.delegate = delegate
      #expect(player.getOSDTime() == nil)
      #expect(!player.pausePlayback())
      #expect(player.startPlayback(fromDevice: files[0]))
      #expect(!player.startPlayback(fromDevice: files[0]), "one view at a time")
      try await wait("not started") { delegate.messages == [PLAYER_PLAYBACK_START] }
      #expect(player.pausePlayback())
      try await wait("not paused") { delegate.messages.last == PLAYER_PLAYBACK_PAUSE }
      player.seekPlayback(house.date(30_000))
      try await wait("not there") { player.getOSDTime() == house.date(30_000) }
      player.seekPlayback(house.date(90_000))
      #expect(player.resumePlayback())
      player.seekPlayback(house.date(58_500))
      try await wait("no end") { delegate.messages.last == PLAYER_PLAYBACK_STOP }
      #expect(player.getOSDTime() == house.date(59_960))
      #expect(player.capturePicture(80) != nil)
      try await Task.sleep(for: .milliseconds(300))
      #expect(player.stopPlayback())
      #expect(delegate.messages == [PLAYER_PLAYBACK_START, PLAYER_PLAYBACK_PAUSE, PLAYER_PLAYBACK_STOP])
      #expect(delegate.failures.isEmpty)
      #expect(EZGlobalSDK.releasePlayer(player))
    }
  }

  @MainActor
  @Test func aRecordingOfTheCloudIsPlayedAtOtherSpeedsAndStoppedOnce() async throws {
    try await run { house in
      _ = try await house.awaitCloud()
      let found = await search(house, cloud: true, from: house.start - 1_000, to: house.start + 130_000)
      let files = try #require(found.files as? [EZCloudRecordFile], "error \(found.code ?? 0)")
      #expect(files.map(\.stopTime) == [house.date(60_000), house.date(120_000)])
      #expect(files[0].encryption == nil && !files[0].downloadPath.isEmpty)
      let player = try #require(EZGlobalSDK.createPlayer(withDeviceSerial: house.serial.value, cameraNo: 1))
      let delegate = Delegate()
      player.delegate = delegate
      #expect(player.startPlayback(fromCloud: files[0]))
      try await wait("not started") { delegate.messages == [PLAYER_PLAYBACK_START] }
      #expect(player.setPlaybackRate(.x32))
      try await wait("not told that 16 is the most") { delegate.messages.last == PLAYER_PLAYSPEED_LOWER }
      try await wait("no end") { delegate.messages.last == PLAYER_PLAYBACK_STOP }
      player.seekPlayback(house.date(10_000))
      try await wait("not back") { player.getOSDTime().map { $0 < house.date(30_000) } ?? false }
      #expect(player.stopPlayback())
      #expect(delegate.messages.last == PLAYER_PLAYBACK_FINISHED, "told before stop returned")
      let count = delegate.messages.count
      try await Task.sleep(for: .milliseconds(300))
      #expect(delegate.messages.count == count && !player.stopPlayback())
    }
  }

  @MainActor
  @Test func whatCannotBePlayedHasItsNumber() async throws {
    try await run { house in
      #expect(await search(house, cloud: false, from: house.start, to: house.start - 1).code == 110_001)
      #expect(await search(house, cloud: false, from: 1_000, to: 2_000).files?.isEmpty == true)
      let player = try #require(EZGlobalSDK.createPlayer(withDeviceSerial: house.serial.value, cameraNo: 1))
      let delegate = Delegate()
      player.delegate = delegate
      for (from, to, number) in [
        (5_000, 5_000, 720_201), (-900_000, -800_000, 395_402), (9_000_000_000, 9_000_060_000, 720_202),
      ] as [(Int64, Int64, Int)] {
        let file = EZDeviceRecordFile()
        (file.startTime, file.stopTime) = (house.date(from), house.date(to))
        delegate.failures = []
        #expect(player.startPlayback(fromDevice: file))
        try await wait("no failure") { delegate.failures == [number] }
        #expect(!player.stopPlayback(), "a playback that failed is over")
      }
      let none = EZDeviceRecordFile()
      (none.startTime, none.stopTime) = (
        Date(timeIntervalSince1970: .nan), Date(timeIntervalSince1970: .infinity)
      )
      delegate.failures = []
      #expect(player.startPlayback(fromDevice: none))
      try await wait("no failure") { delegate.failures == [720_201] }
      #expect(!player.startPlayback(fromCloud: nil))
      #expect(delegate.messages.isEmpty)
    }
  }

  @MainActor
  @Test func liveViewAndTwoPlaybacksAreStoppedInAnyOrder() async throws {
    try await run { house in
      let file = EZDeviceRecordFile()
      (file.startTime, file.stopTime) = (house.date(0), house.date(60_000))
      for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let players = try (0..<3).map { _ in
          try #require(EZGlobalSDK.createPlayer(withDeviceSerial: house.serial.value, cameraNo: 1))
        }
        let delegates = players.map { player in
          let delegate = Delegate()
          player.delegate = delegate
          return delegate
        }
        #expect(players[0].startRealPlay())
        #expect(players[1].startPlayback(fromDevice: file))
        #expect(players[2].startPlayback(fromDevice: file))
        try await wait("not all are there") {
          delegates.map(\.messages) == [
            [PLAYER_REALPLAY_START], [PLAYER_PLAYBACK_START], [PLAYER_PLAYBACK_START],
          ]
        }
        for number in order { #expect(players[number].destoryPlayer()) }
        try await Task.sleep(for: .milliseconds(100))
        #expect(delegates.allSatisfy { $0.failures.isEmpty && $0.messages.count <= 2 })
      }
    }
  }
}

extension RecordedHouse {
  /// Milliseconds after its recordings begin.
  func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(start + milliseconds) / 1000)
  }
}
