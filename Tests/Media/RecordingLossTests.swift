import Foundation
import OrielMedia
import Testing

/// A sink that goes wrong at one append.
private final class FaultySink: RecordingSink {
  enum Fault: CaseIterable {
    /// The disk is full once, or for five appends.
    case fullOnce, fullForAWhile
    /// The disk fails for good.
    case dead
    /// The process ends in the middle of the append.
    case crash
    /// Syncing fails.
    case unsynced
  }

  let memory = MemorySink()
  private let fault: Fault
  private let place: Int
  private let part: Double
  private(set) var appends = 0
  private(set) var isGone = false

  init(_ fault: Fault, at place: Int, part: Double) {
    self.fault = fault
    self.place = place
    self.part = part
  }

  func append(_ bytes: [UInt8]) throws {
    appends += 1
    guard !isGone else { throw MediaFailure.notWritable }
    guard appends >= place else { return try memory.append(bytes) }
    switch fault {
    case .fullOnce where appends == place: throw MediaFailure.storageFull(kept: nil)
    case .fullForAWhile where appends < place + 5: throw MediaFailure.storageFull(kept: nil)
    case .dead:
      isGone = true
      throw MediaFailure.notWritable
    case .crash:
      isGone = true
      memory.bytes += bytes.prefix(Int(Double(bytes.count) * part))
      throw MediaFailure.notWritable
    default: try memory.append(bytes)
    }
  }

  func sync() throws {
    try memory.sync()
    if fault == .unsynced && appends >= place { throw MediaFailure.notWritable }
  }

  func close() throws { try memory.close() }
}

extension MediaSuites {
  /// How much is lost when something goes wrong: at most one second.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct RecordingLossTests {
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("oriel-loss-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    @Test func aFaultAtAnyAppendCostsAtMostASecond() async throws {
      let stream = try await SmallStream.h264()
      // The head, two fragments for each second, and the table of key frames.
      let appends = 14
      for fault in FaultySink.Fault.allCases {
        for place in 1...appends {
          let sink = FaultySink(fault, at: place, part: Double(place * 37 % 101) / 100)
          var writer = RecordingWriter(sink: sink, head: recordingHead, video: .h264, hasAudio: true)
          var handed: Int64 = 0
          var faults = 0
          for number in 0..<180 {
            let time = Duration.milliseconds(number * 33)
            do {
              try writer.write(stream.unit(number, at: time, isKey: number % 30 == 0))
              try writer.write(AudioPacket(timestamp: time, bytes: [8, 1]))
            } catch {
              faults += 1
              if sink.isGone { break }
            }
            handed = recordingStart + Int64((number + 1) * 33)
          }
          let failed = (try? writer.finish()) == nil
          let map = try? await FragmentMap.read(from: MemorySource(bytes: sink.memory.bytes))
          #expect(sink.memory.isClosed && sink.appends >= place)
          // Where not even the head came through there is nothing to be read.
          guard let map else {
            #expect(failed && faults > 0 && place == 1 && sink.isGone)
            continue
          }
          #expect(map.endTime == writer.endTime, "\(fault) \(place)")
          let samples = try await allSamples(sink.memory.bytes)
          let times = samples.compactMap { if case .video(let unit) = $0 { unit.captureTime } else { nil } }
          #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 33 }, "\(fault) \(place)")
          #expect(handed - map.endTime <= 1000)
          if place >= appends - 1 {
            // At the end only the last fragment and the table of key frames can be missing.
            #expect(failed == (fault == .unsynced || place < appends && !map.isFinished))
          } else if sink.isGone {
            #expect(failed && faults == 1)
          } else if fault != .unsynced {
            // What waited comes to the sink as soon as there is room.
            #expect(faults > 0 && !failed && map.isFinished && times.count == 180)
          } else {
            #expect(failed && faults > 0 && times.count == 180)
          }
        }
      }
    }

    @Test(.enabled(if: getuid() == 0)) func fullDiskIsLeftWhole() async throws {
      let small = path("small")
      try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
      guard (try? run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=256k", "none", small])) == "" else {
        return
      }
      defer { _ = try? run("/usr/bin/umount", [small]) }
      try Data(count: 100_000).write(to: URL(fileURLWithPath: small + "/old"))
      let record = await recordingSource.value
      var writer = RecordingWriter(
        sink: try RecordingFileSink(path: small + "/full.mp4"), head: recordingHead, video: .h264,
        hasAudio: false)
      let source = try RecordingFile(path: small + "/full.mp4")
      var failures: [MediaFailure] = []
      for unit in record.main {
        do { try writer.write(unit) } catch {
          failures.append((error as? MediaFailure) ?? .closed)
          // At every moment the file is a whole recording up to what the writer says.
          let map = try await FragmentMap.read(from: source)
          #expect(!map.isTorn && map.endTime == writer.endTime)
          // Somebody makes room.
          if failures.count == 10 { unlink(small + "/old") }
        }
      }
      #expect(failures == Array(repeating: .storageFull(kept: nil), count: 10))
      #expect(try writer.finish().pictures == record.main.count)
      #expect(try await FragmentMap.read(from: source).isFinished)
    }

    /// The recorder of the next test, in a process of its own; it never ends by itself. Writes files of ten
    /// seconds, and to a log how far it was given pictures.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["ORIEL_RECORD_TO_KILL"] != nil))
    func recordingUntilKilled() async throws {
      let environment = ProcessInfo.processInfo.environment
      let target = try #require(environment["ORIEL_RECORD_TO_KILL"])
      let speed = try #require(Double(environment["ORIEL_RECORD_SPEED"] ?? ""))
      let source = try RecordingFile(path: try #require(environment["ORIEL_RECORD_FROM"]))
      let reader = RecordingReader(source: source, map: try await FragmentMap.read(from: source))
      var samples: [RecordedSample] = []
      for fragment in reader.map.fragments { samples += try await reader.samples(of: fragment) }
      let log = open(target + ".log", O_CREAT | O_WRONLY, 0o600)
      var writer: RecordingWriter<RecordingFileSink>?
      let began = ContinuousClock.now
      for round in 0..<1_000_000 {
        let offset = Duration.milliseconds(Int64(round) * reader.map.duration)
        for sample in samples {
          try await Task.sleep(until: began + (offset + sample.timestamp) / speed)
          switch sample {
          case .audio(var packet):
            packet.timestamp += offset
            try writer?.write(packet)
          case .video(var unit):
            unit.timestamp += offset
            let time = Int64(unit.timestamp / .milliseconds(1))
            if unit.isKeyFrame, writer.map({ recordingStart + time - $0.head.startTime >= 10_000 }) ?? true {
              _ = try writer?.finish()
              var head = recordingHead
              head.startTime = recordingStart + time
              writer = RecordingWriter(
                sink: try RecordingFileSink(path: target + "-\(time).mp4"), head: head, video: .h264,
                hasAudio: true)
            }
            _ = withUnsafeBytes(of: recordingStart + time) { pwrite(log, $0.baseAddress, 8, 0) }
            try writer?.write(unit)
          }
        }
      }
    }

    /// Ten times, or as often as `ORIEL_KILLS` says.
    @Test func killedRecorderLosesAtMostASecond() async throws {
      let kills = Int(ProcessInfo.processInfo.environment["ORIEL_KILLS"] ?? "") ?? 10
      let record = await recordingSource.value
      let from = path("from.mp4")
      var writer = RecordingWriter(
        sink: try RecordingFileSink(path: from), head: recordingHead, video: .h264, hasAudio: true)
      var packets = record.audio[...]
      for unit in record.main.dropLast(record.main.count % 60) {
        while let packet = packets.first, packet.timestamp < unit.timestamp {
          try writer.write(packet)
          packets.removeFirst()
        }
        try writer.write(unit)
      }
      _ = try writer.finish()
      var worst: Int64 = 0
      for batch in stride(from: 0, to: kills, by: 5) {
        let losses = try await withThrowingTaskGroup(of: Int64.self) { group in
          for number in batch..<min(batch + 5, kills) {
            group.addTask { try await lossOfOneKill(number, from) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        worst = max(worst, losses.max() ?? 0)
      }
      #expect(worst <= 1000)
      print("worst of \(kills) kills: \(worst) ms lost")
    }

    /// Starts a recorder, kills it at random, and gives what was lost, in milliseconds. Every second recorder
    /// works many times faster than real time, so that kills hit writes and not only the waiting in between.
    private func lossOfOneKill(_ number: Int, _ from: String) async throws -> Int64 {
      let target = path("killed-\(number)")
      let recorder = Process()
      recorder.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      recorder.arguments = [
        "--testing-library", "swift-testing", "--filter", "RecordingLossTests/recordingUntilKilled",
      ]
      recorder.environment = ProcessInfo.processInfo.environment.merging([
        "ORIEL_RECORD_TO_KILL": target, "ORIEL_RECORD_FROM": from,
        "ORIEL_RECORD_SPEED": number % 2 == 0 ? "1" : "60",
      ]) { $1 }
      recorder.standardOutput = FileHandle.nullDevice
      recorder.standardError = FileHandle.nullDevice
      try recorder.run()
      defer { kill(recorder.processIdentifier, SIGKILL) }
      let log = URL(fileURLWithPath: target + ".log")
      for _ in 0..<1000 where ((try? Data(contentsOf: log))?.count ?? 0) < 8 {
        try await Task.sleep(for: .milliseconds(10))
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...3000)))
      #expect(recorder.isRunning)
      kill(recorder.processIdentifier, SIGKILL)
      recorder.waitUntilExit()
      let handed = try Data(contentsOf: log).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.path.hasPrefix(target + "-") }
        .sorted { $0.path.count == $1.path.count ? $0.path < $1.path : $0.path.count < $1.path.count }
      var end = recordingStart
      for (index, file) in files.enumerated() {
        let source = try RecordingFile(path: file.path)
        // The newest one may have been hit before its head was written.
        guard try source.size > 0 || index < files.count - 1 else { break }
        let map = try await FragmentMap.read(from: source)
        #expect(map.isFinished || index >= files.count - 2)
        #expect(map.head.startTime >= end)
        end = map.endTime
        let reader = RecordingReader(source: source, map: map)
        for fragment in map.fragments { #expect(try await !reader.samples(of: fragment).isEmpty) }
      }
      for file in files { try FileManager.default.removeItem(at: file) }
      #expect(!files.isEmpty)
      return handed - end
    }
  }
}
