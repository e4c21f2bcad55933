import Foundation
import OrielKit
import OrielMedia
import OrielModel
import OrielNet
import OrielPlatform
import Synchronization
import Testing

@testable import OrielCamera

/// A platform and a camera that has recorded and uploads, in one process over real sockets.
@Suite(.serialized) struct RecordedHouseTests {
  @Test func bothStoresListTheSameAndWhatTheCameraSeesIsRecordedMeanwhile() async throws {
    try await RecordedHouse.run { house in
      let device = try await house.session.recordings(
        of: house.serial, from: house.start - 1000, to: house.start + 200_000)
      #expect(device.map(\.startTime) == [house.start, house.start + 60_000])
      #expect(device.map(\.endTime) == [house.start + 60_000, house.start + 120_000])
      let cloud = try await house.awaitCloud()
      #expect(cloud.map(\.startTime) == device.map(\.startTime) && cloud.map(\.size) == device.map(\.size))
      #expect(cloud.allSatisfy { $0.downloadPath != nil })
      // The picture of a moment, and a lock.
      #expect(
        try await house.session.recordedPicture(of: house.serial, at: house.start + 30_000).starts(with: [
          0xFF, 0xD8,
        ]))
      try await house.session.lockRecordings(
        of: house.serial, from: house.start, to: house.start + 1_000, isLocked: true)
      let locked = try await house.session.recordings(
        of: house.serial, from: house.start, to: house.start + 200_000)
      #expect(locked.map(\.isLocked) == [true, false])
      // What is live is being recorded, and can be watched a moment later.
      var latest: [RecordFile] = []
      for _ in 0..<200 where latest.isEmpty {
        try await Task.sleep(for: .milliseconds(50))
        latest = try await house.session.recordings(of: house.serial, from: house.start + 500_000)
      }
      try await house.session.recordEvent("bell", of: house.serial)
      let recent = try #require(latest.first)
      let player = house.session.playback(of: house.serial, range: PlaybackRange(from: recent.startTime))
      player.start()
      for await frame in player.frames {
        #expect(frame.captureTime >= recent.startTime)
        break
      }
      await player.close()
    }
  }

  @Test func theCloudIsPlayedSoughtInPausedAndEndsOnce() async throws {
    try await RecordedHouse.run { house in
      _ = try await house.awaitCloud()
      let player = house.session.playback(
        of: house.serial, range: PlaybackRange(store: .cloud, from: house.start, to: house.start + 120_000))
      let log = PlayerLog()
      log.observe(player)
      player.start()
      await log.wait("not started") { $0.told.contains(.started) }
      var waits: [Double] = []
      for index in 0..<20 {
        let time = house.start + Int64((index * 41) % 115) * 1_000 + Int64(index * 31 % 1_000)
        let asked = ContinuousClock.now
        try player.seek(to: time)
        let done = ContinuousClock.now
        await log.wait("no picture") { $0.shown.withLock { $0.last.map { $0.at > done } ?? false } }
        let first = try #require(log.shown.withLock { $0.first { $0.at > done } })
        #expect((time - 40..<time + 80).contains(first.time))
        waits.append((first.at - asked) / .milliseconds(1))
      }
      waits.sort()
      #expect(waits[18] < 600, "p95 \(waits[18]) ms, the bar is 300")
      try player.pause()
      await log.wait("not paused") { $0.told.contains(.paused) }
      try await Task.sleep(for: .milliseconds(200))
      let count = log.times.count
      try player.step()
      await log.wait("no step") { $0.times.count == count + 1 }
      try player.setRate(4)
      try player.seek(to: house.start + 114_000)
      try player.resume()
      await log.wait("no end") { $0.told.contains(.ended) }
      #expect(log.times.last == house.start + 119_960)
      try await Task.sleep(for: .milliseconds(300))
      #expect(log.told.count { $0 == .ended } == 1)
      #expect(!log.told.contains { if case .failed = $0 { true } else { false } })
      #expect(throws: OrielError(.playbackOutside)) { try player.seek(to: house.start + 120_000) }
      await player.close()
    }
  }

  @Test func whatTheCloudHasNotIsANumber() async throws {
    try await RecordedHouse.run { house in
      let player = house.session.playback(
        of: house.serial,
        range: PlaybackRange(store: .cloud, from: house.start - 900_000, to: house.start - 800_000))
      let log = PlayerLog()
      log.observe(player)
      player.start()
      await log.wait("no failure") { $0.told.contains(.failed(OrielError(.recordNotFound))) }
      await player.close()
    }
  }

  @Test(arguments: [RecordStore.device, .cloud])
  func aStretchIsDownloadedWhole(store: RecordStore) async throws {
    try await RecordedHouse.run { house in
      if store == .cloud { _ = try await house.awaitCloud() }
      let path = house.folder + "/clip.mp4"
      let fractions = Mutex<[Double]>([])
      let summary = try await house.session.download(
        of: house.serial,
        range: PlaybackRange(store: store, from: house.start + 10_000, to: house.start + 90_000),
        to: path
      ) { progress in fractions.withLock { $0.append(progress.fraction) } }
      // From the key frame at or before the start.
      #expect((2_000...2_026).contains(summary.pictures))
      #expect(fractions.withLock { $0 == $0.sorted() && $0.last ?? 0 > 0.99 })
      let probe = try await Tool.run(
        "ffprobe",
        [
          "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets",
          "-of", "csv=p=0", path,
        ])
      #expect(probe == "\(summary.pictures)")
      let decoded = try await Tool.run("ffmpeg", ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
      #expect(decoded.isEmpty, "\(decoded)")
      await #expect(throws: OrielError(.recordNotFound)) {
        try await house.session.download(
          of: house.serial,
          range: PlaybackRange(store: store, from: 1_700_000_000_000, to: 1_700_000_001_000),
          to: house.folder + "/none.mp4")
      }
      #expect(!FileManager.default.fileExists(atPath: house.folder + "/none.mp4"))
    }
  }
}
