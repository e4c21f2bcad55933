import Foundation
import OrielMedia
import OrielModel
import OrielRTC
import Synchronization
import Testing

@testable import OrielCamera
@testable import OrielKit

/// Recordings on a camera, watched by the client over real peer connections.
@Suite(.serialized) struct PlaybackTests {
  private static let serial = "O00000042"
  private static let start: Int64 = 1_790_000_000_000

  private func watch(
    _ fill: (inout RecordedFolder) throws -> Void, from: Int64 = start, to: Int64? = nil,
    _ body: (Player, PlayerLog, RecordedCamera) async throws -> Void
  ) async throws {
    var folder = try await RecordedFolder()
    defer { folder.remove() }
    try fill(&folder)
    let camera = await RecordedCamera(folder)
    let session = try Session(server: try ServerAddress("http://127.0.0.1:1"), connector: camera)
    let player = session.playback(
      of: try DeviceSerial(Self.serial), range: PlaybackRange(from: from, to: to))
    let log = PlayerLog()
    log.observe(player)
    #expect(player.start())
    try await body(player, log, camera)
    await player.close()
    await session.close()
    await camera.stop()
  }

  private static func twoMinutes(_ folder: inout RecordedFolder) throws {
    for index in 0..<4 { try folder.add(at: start + Int64(index) * 30_000, seconds: 30) }
  }

  @Test func itShowsARangeWholeAndEndsOnce() async throws {
    let to = Self.start + 31_200
    try await watch(Self.twoMinutes, from: Self.start + 28_800, to: to) { player, log, _ in
      await log.wait("no end") { $0.told.contains(.ended) }
      let times = log.times
      #expect(times.first == Self.start + 28_800)
      #expect(times.last == to - 40)
      #expect(times.count >= 58)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 > $0 })
      #expect(times.allSatisfy { ($0 - Self.start) % 40 == 0 }, "the clock is wrong")
      try await Task.sleep(for: .milliseconds(300))
      #expect(log.told.filter { $0 == .ended }.count == 1)
      #expect(!log.told.contains { if case .failed = $0 { true } else { false } })
      // It may be sought in again.
      try player.seek(to: Self.start + 30_000)
      await log.wait("no second end") { $0.told.filter { $0 == .ended }.count == 2 }
    }
  }

  @Test func ofTwentySeeksTheLastWinsAndNoPictureOfAnotherIsShown() async throws {
    try await watch(Self.twoMinutes) { player, log, _ in
      await log.wait("not started") { $0.told.contains(.started) }
      try await Task.sleep(for: .milliseconds(300))
      var asked: [(time: Int64, at: ContinuousClock.Instant)] = []
      for index in 0..<20 {
        let time = Self.start + Int64((index * 37) % 110) * 1_000 + 330
        asked.append((time, .now))
        try player.seek(to: time)
        try await Task.sleep(for: .milliseconds(50))
      }
      let last = try #require(asked.last)
      await log.wait("the last seek shows nothing") {
        $0.shown.withLock { $0.last.map { $0.at > last.at && $0.time >= last.time } ?? false }
      }
      // Each picture belongs to the seek that was the latest when it was shown.
      for shown in log.shown.withLock({ $0 }) {
        guard let seek = asked.last(where: { $0.at < shown.at - .milliseconds(1) }) else { continue }
        #expect((seek.time..<seek.time + 1_500).contains(shown.time) || shown.at < seek.at + .milliseconds(2))
      }
      #expect(log.told.last { if case .seeked = $0 { true } else { false } } == .seeked(to: last.time + 30))
    }
  }

  @Test func seeksAreQuick() async throws {
    try await watch(Self.twoMinutes) { player, log, _ in
      await log.wait("not started") { $0.told.contains(.started) }
      var waits: [Double] = []
      for index in 0..<30 {
        let time = Self.start + Int64((index * 41) % 115) * 1_000 + Int64(index * 31 % 1_000)
        let asked = ContinuousClock.now
        try player.seek(to: time)
        let done = ContinuousClock.now
        await log.wait("no picture") { $0.shown.withLock { $0.last.map { $0.at > done } ?? false } }
        let first = try #require(log.shown.withLock { $0.first { $0.at > done } })
        // The picture of that time: the next one, or the one that was still to be seen.
        #expect((time - 40..<time + 80).contains(first.time))
        waits.append((first.at - asked) / .milliseconds(1))
      }
      waits.sort()
      #expect(waits[28] < 600, "p95 \(waits[28]) ms")
      // One RTP sequence over all seeks: a new one would count as loss.
      let figures = await player.statistics
      #expect(figures.lost == 0 && figures.packets > 300)
      print("seek: p50 \(waits[15]) ms, p95 \(waits[28]) ms")
    }
  }

  @Test func pauseResumeStepAndRate() async throws {
    try await watch(Self.twoMinutes) { player, log, _ in
      await log.wait("not started") { $0.told.contains(.started) }
      try player.pause()
      await log.wait("not paused") { $0.told.contains(.paused) }
      try await Task.sleep(for: .milliseconds(100))
      let count = log.times.count
      // Longer than what counts as a loss while it runs.
      try await Task.sleep(for: .seconds(3))
      #expect(log.times.count == count)
      let time = try #require(player.playbackTime)
      try player.step()
      await log.wait("no step") { $0.times.count == count + 1 }
      #expect(player.playbackTime == time + 40)
      try player.resume()
      await log.wait("not resumed") { $0.told.contains(.resumed) && $0.times.count > count + 10 }
      #expect(!log.told.contains(.reconnecting))
      for rate in [4.0, 16] {
        try player.setRate(rate)
        await log.wait("no rate") { $0.told.contains(.rateChanged(rate)) }
        let (from, began) = (try #require(player.playbackTime), ContinuousClock.now)
        try await Task.sleep(for: .seconds(1.5))
        let to = try #require(player.playbackTime)
        let speed = Double(to - from) / ((ContinuousClock.now - began) / .milliseconds(1))
        #expect(abs(speed - rate) < rate * 0.4, "\(speed) instead of \(rate)")
        // Above four times only key frames come: there is one a second.
        let gaps = zip(log.times, log.times.dropFirst()).suffix(8).map { $1 - $0 }
        if rate > 4 { #expect(gaps.allSatisfy { $0 >= 900 }, "\(gaps)") }
      }
      try player.setRate(1)
      await log.wait("no rate") { $0.told.contains(.rateChanged(1)) }
      let next = log.times.count
      await log.wait("does not go on") { $0.times.count > next + 20 }
      let times = log.times.suffix(15)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 40 })
    }
  }

  @Test func aGapIsJumped() async throws {
    let files: (inout RecordedFolder) throws -> Void = {
      try $0.add(at: Self.start, seconds: 3)
      try $0.add(at: Self.start + 3_600_000, seconds: 3)
    }
    try await watch(files) { _, log, _ in
      await log.wait("no end") { $0.told.contains(.ended) }
      #expect(
        log.told.contains(.gap(from: Self.start + 3_000, to: Self.start + 3_600_000)))
      #expect(log.times.last == Self.start + 3_602_960)
      let shown = log.shown.withLock { $0 }
      let pair = try #require(zip(shown, shown.dropFirst()).first { $1.time - $0.time > 1_000 })
      #expect(pair.1.at - pair.0.at < .milliseconds(500))
    }
  }

  @Test(
    arguments: [
      (0, 10_000, 395_402), (-10_000, -5_000, 395_402), (50, 50, 720_201),
      (60_000_000_000, 70_000_000_000, 720_202),
    ] as [(Int64, Int64, Int)])
  func whatCannotBePlayedHasItsNumber(from: Int64, to: Int64, number: Int) async throws {
    let files: (inout RecordedFolder) throws -> Void = { try $0.add(at: Self.start + 20_000, seconds: 3) }
    try await watch(files, from: Self.start + from, to: Self.start + to) { player, log, _ in
      await log.wait("no failure") {
        $0.told.contains { if case .failed = $0 { true } else { false } }
      }
      #expect(log.told.contains { if case .failed(let error) = $0 { error.number == number } else { false } })
      #expect(throws: OrielError(.playbackNotRunning)) { try player.pause() }
    }
  }

  @Test func outsideAndBeforeTheStartNothingIsSought() async throws {
    try await watch(Self.twoMinutes, to: Self.start + 60_000) { player, log, _ in
      await log.wait("not started") { $0.told.contains(.started) }
      #expect(throws: OrielError(.playbackOutside)) { try player.seek(to: Self.start - 1) }
      #expect(throws: OrielError(.playbackOutside)) { try player.seek(to: Self.start + 60_000) }
      player.stop()
      #expect(throws: OrielError(.playbackNotRunning)) { try player.seek(to: Self.start) }
      #expect(throws: OrielError.self) { try player.setRate(17) }
    }
  }

  @Test func aFileThatIsDeletedWhileItPlaysIsPlayedToItsEndAndTheNextFollows() async throws {
    var folder = try await RecordedFolder()
    defer { folder.remove() }
    for index in 0..<3 { try folder.add(at: Self.start + Int64(index) * 3_000, seconds: 3) }
    let paths = folder.files.map(\.path)
    let camera = await RecordedCamera(folder)
    let session = try Session(server: try ServerAddress("http://127.0.0.1:1"), connector: camera)
    let player = session.playback(
      of: try DeviceSerial(Self.serial), range: PlaybackRange(from: Self.start))
    let log = PlayerLog()
    log.observe(player)
    player.start()
    await log.wait("not started") { $0.told.contains(.started) }
    try FileManager.default.removeItem(atPath: paths[0])
    await log.wait("no end") { log in
      log.told.contains { if case .ended = $0 { true } else if case .failed = $0 { true } else { false } }
    }
    #expect(log.times.contains(Self.start + 2_960))
    #expect(log.times.last == Self.start + 8_960)
    await player.close()
    await session.close()
    await camera.stop()
  }

  @Test func aCameraThatWasAwayGoesOnWhereItWas() async throws {
    try await watch(Self.twoMinutes) { player, log, camera in
      await log.wait("not started") { $0.told.contains(.started) }
      try player.seek(to: Self.start + 40_000)
      await log.wait("not there") { $0.times.last ?? 0 > Self.start + 41_000 }
      await camera.forget()
      await log.wait("not lost") { $0.told.contains(.reconnecting) }
      let time = try #require(player.playbackTime)
      await log.wait("does not come back") { $0.told.contains(.reconnected) }
      await log.wait("does not go on") { $0.times.last ?? 0 > time + 1_000 }
      let back = try #require(log.times.first { $0 > time })
      #expect(back <= time + 80)
    }
  }

  @Test func liveAndPlaybackRunBesideEachOther() async throws {
    var folder = try await RecordedFolder()
    defer { folder.remove() }
    try Self.twoMinutes(&folder)
    let camera = await RecordedCamera(folder, isLive: true)
    let session = try Session(server: try ServerAddress("http://127.0.0.1:1"), connector: camera)
    let serial = try DeviceSerial(Self.serial)
    let players = [
      session.player(for: serial), session.playback(of: serial, range: PlaybackRange(from: Self.start)),
      session.playback(of: serial, range: PlaybackRange(from: Self.start + 60_000)),
    ]
    let logs = players.map { player in
      let log = PlayerLog()
      log.observe(player)
      player.start()
      return log
    }
    for log in logs { await log.wait("not started") { $0.told.contains(.started) } }
    for index in [1, 0, 2] {
      players[index].stop()
      let others = [1, 0, 2].drop { $0 != index }.dropFirst()
      for other in others {
        let count = logs[other].times.count
        await logs[other].wait("another's stop ended it") { $0.times.count > count + 5 }
      }
    }
    for player in players { await player.close() }
    await session.close()
    await camera.stop()
  }
}
