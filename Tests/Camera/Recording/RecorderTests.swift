import Foundation
import OrielMedia
import OrielModel
import Synchronization
import Testing

@testable import OrielCamera

@Suite struct RecorderTests {
  private let noon = RecordingBench.noon

  @Test func filesOfAMinuteFollowEachOtherWithoutAGap() async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    let recorder = await bench.recorder(store)
    bench.see(0..<150, through: recorder)
    await recorder.stop()
    let files = try await bench.list(store)
    #expect(files.map(\.startTime) == [noon, noon + 60_000, noon + 120_000])
    #expect(files.map(\.endTime) == [noon + 60_000, noon + 120_000, noon + 150_000])
    #expect(
      bench.paths == [
        "2026-12-01/1-main-120000.000Z.mp4", "2026-12-01/1-main-120100.000Z.mp4",
        "2026-12-01/1-main-120200.000Z.mp4",
      ])
    #expect(try await bench.list(store, .stretches).map(\.endTime) == [noon + 150_000])
    for file in files {
      let map = try await FragmentMap.read(
        from: RecordingFile(
          path: try #require(try await store.file(covering: file.startTime, cameraNo: 1)).path))
      #expect(map.endTime == file.endTime && map.isFinished && map.validSize == file.size)
    }
  }

  @Test(arguments: [Int64(-3_600_000), -30_000, 2_000, 86_400_000])
  func aClockThatJumpsMakesNoWrongDurationAndNoOverlap(jump: Int64) async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    let recorder = await bench.recorder(store)
    bench.see(0..<90, through: recorder)
    bench.see(90..<100, clock: noon + 90_000 + jump, through: recorder)
    bench.see(100..<110, through: recorder)
    await recorder.stop()
    let files = try await bench.list(store)
    #expect(files.reduce(0) { $0 + $1.endTime - $1.startTime } == 110_000)
    for (one, next) in zip(files, files.dropFirst()) { #expect(one.endTime <= next.startTime) }
    if jump > 0 { #expect(files.contains { $0.startTime == noon + 90_000 + jump }) }
    #expect(bench.failures.withLock { $0 }.isEmpty)
  }

  @Test func aCameraThatBootsIn1970GoesOnAfterWhatItHas() async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    let recorder = await bench.recorder(store)
    bench.see(0..<10, through: recorder)
    bench.see(10..<20, clock: 12_000, through: recorder)
    bench.see(20..<30, clock: noon + 500_000, through: recorder)
    await recorder.stop()
    let files = try await bench.list(store)
    #expect(files.map(\.startTime) == [noon, noon + 10_000, noon + 500_000])
    #expect(files.map { $0.endTime - $0.startTime } == [10_000, 10_000, 10_000])
  }

  @Test func anEventIsRecordedWithWhatCameBeforeAndAfterIt() async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    let recorder = await bench.recorder(store, mode: .events)
    bench.see(0..<20, through: recorder)
    recorder.inlet.put(event: "motion")
    bench.see(20..<25, through: recorder)
    recorder.inlet.put(event: "motion")
    bench.see(25..<60, through: recorder)
    await recorder.stop()
    let files = try await bench.list(store)
    #expect(files.map(\.kind) == [.event])
    let file = try #require(files.first)
    #expect((5_000...6_000).contains(noon + 20_000 - file.startTime), "from a key frame 5 s before it")
    #expect((9_900...11_000).contains(file.endTime - noon - 25_000), "to 10 s after the second")
  }

  @Test func anEventWithinContinuousRecordingIsFoundByItsKind() async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    let recorder = await bench.recorder(store)
    bench.see(0..<30, through: recorder)
    recorder.inlet.put(event: "bell")
    bench.see(30..<90, through: recorder)
    await recorder.stop()
    let events = try await bench.list(store, .stretches, kind: .event)
    #expect(events.map(\.startTime) == [noon + 24_960])
    #expect(events.map(\.endTime) == [noon + 39_960])
  }

  @Test func theOldestGoFirstAndLockedOnesNever() async throws {
    let bench = try await RecordingBench()
    let store = bench.store(RecordingLimits(bytes: RecordingLimits.smallest, age: .seconds(3600)))
    let recorder = await bench.recorder(store)
    bench.see(0..<180, through: recorder)
    await recorder.stop()
    try await store.lock(noon + 1_000..<noon + 2_000, cameraNo: 1, isLocked: true)
    // By age: an hour later the second file is too old, and the locked first one stays.
    bench.now.withLock { $0 = noon + 3_000_000 }
    try await store.keepLimits()
    #expect(try await bench.list(store).count == 3)
    bench.now.withLock { $0 = noon + 3_600_000 + 120_001 }
    try await store.keepLimits()
    #expect(try await bench.list(store).map(\.startTime) == [noon, noon + 120_000])
    #expect(bench.paths.count == 2)
    try await store.lock(noon..<noon + 2_000, cameraNo: 1, isLocked: false)
    try await store.keepLimits()
    #expect(try await bench.list(store).map(\.startTime) == [noon + 120_000])
  }

  @Test func whereRoomIsShortWhatWaitsForTheCloudGoesLast() async throws {
    let bench = try await RecordingBench()
    let store = bench.store(RecordingLimits(bytes: 64_000_000, age: .seconds(86_400)))
    try await store.open()
    await store.setUploadChoice(.all)
    // Ten of 15 MB where there is room for four.
    try await store.enterMinutes(from: noon, count: 10)
    let id = { (minute: Int64) in
      try await store.file(covering: noon + minute * 60_000, cameraNo: 1)?.id ?? ""
    }
    try await store.markUploaded(id(7))
    try await store.giveUp(id(8), because: .recordNotFound)
    try await store.lock(noon..<noon + 1, cameraNo: 1, isLocked: true)
    await store.close()
    try await store.open()
    try await store.keepLimits()
    let left = try await bench.list(store).map { ($0.startTime - noon) / 60_000 }
    #expect(left == [0, 5, 6, 9], "the locked one, and the newest of those that wait")
  }

  @Test func aFileThatIsDeletedWhileItGrowsIsToldAndTheNextOneBegun() async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    let recorder = await bench.recorder(store)
    bench.see(0..<5, through: recorder)
    for _ in 0..<500 where bench.paths.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    let first = try #require(bench.paths.first)
    unlink(bench.folder + "/" + first)
    bench.see(5..<15, through: recorder)
    await recorder.stop()
    #expect(
      bench.failures.withLock { $0.contains { $0?.code == .recordingsFolder } && $0.last == .some(nil) })
    let files = try await bench.list(store)
    #expect(files.count == 1 && bench.paths.count == 1 && bench.paths.first != first)
    #expect((6_000...14_000).contains(files[0].endTime - files[0].startTime))
  }

  @Test func aFolderThatCannotBeWrittenIsANumberAndRecordingGoesOnByItself() async throws {
    let bench = try await RecordingBench()
    try FileManager.default.createDirectory(atPath: bench.folder, withIntermediateDirectories: true)
    let store = bench.store()
    let recorder = await bench.recorder(store)
    bench.see(0..<5, through: recorder)
    try await settle(recorder)
    // Another disk is mounted in its place: an empty folder of the same name.
    try FileManager.default.moveItem(atPath: bench.folder, toPath: bench.folder + "-away")
    defer { try? FileManager.default.removeItem(atPath: bench.folder + "-away") }
    try FileManager.default.createDirectory(atPath: bench.folder, withIntermediateDirectories: true)
    bench.see(5..<70, through: recorder)
    try await settle(recorder)
    #expect(bench.failures.withLock { $0.last??.code } == .recordingsMoved)
    #expect(bench.paths.isEmpty, "nothing is written to a disk that is not ours")
    try FileManager.default.removeItem(atPath: bench.folder)
    try FileManager.default.moveItem(atPath: bench.folder + "-away", toPath: bench.folder)
    bench.see(70..<80, through: recorder)
    await recorder.stop()
    #expect(bench.failures.withLock { $0.last! } == nil)
    let files = try await bench.list(store)
    #expect(files.map(\.startTime).first == noon)
    #expect(files.last?.endTime == noon + 80_000)
  }

  private func settle(_ recorder: Recorder) async throws {
    while recorder.inlet.isBusy { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(100))
  }
}
