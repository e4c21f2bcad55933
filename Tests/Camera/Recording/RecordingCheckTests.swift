import Foundation
import Glibc
import OrielMedia
import OrielModel
import Testing

@testable import OrielCamera

@Suite struct RecordingCheckTests {
  private let noon = RecordingBench.noon

  /// Three recordings, the last of 30 s, and nobody who uses the folder.
  private func recorded() async throws -> (RecordingBench, [RecordFile]) {
    let bench = try await RecordingBench()
    let store = bench.store()
    let recorder = await bench.recorder(store)
    bench.see(0..<150, through: recorder)
    await recorder.stop()
    let files = try await bench.list(store)
    await store.close()
    return (bench, files)
  }

  private func path(_ bench: RecordingBench, _ number: Int) -> String {
    bench.folder + "/" + bench.paths[number]
  }

  private func check(_ bench: RecordingBench, mends: Bool) async throws -> CheckReport {
    let store = bench.store()
    try await store.openForCheck(isExclusive: mends)
    let report = try await store.check(mends: mends)
    await store.close()
    return report
  }

  @Test func aSoundFolderHasNothingToMend() async throws {
    let (bench, files) = try await recorded()
    let report = try await check(bench, mends: false)
    #expect(report.findings.isEmpty && report.files == 3)
    #expect(report.bytes == files.reduce(0) { $0 + $1.size })
  }

  @Test(arguments: ["absent", "zeros", "text"])
  func aLostIndexIsMadeAnewFromTheFiles(how: String) async throws {
    let (bench, files) = try await recorded()
    let lock = bench.store()
    try await lock.open()
    try await lock.lock(noon..<noon + 1_000, cameraNo: 1, isLocked: true)
    try await lock.note(
      RecordedEvent(cameraNo: 1, startTime: noon + 70_000, endTime: noon + 80_000, name: "bell"))
    await lock.close()
    let index = bench.folder + "/index.sqlite"
    for suffix in ["-wal", "-shm"] { unlink(index + suffix) }
    unlink(index)
    if how == "zeros" { try Data(count: 8192).write(to: URL(fileURLWithPath: index)) }
    if how == "text" { try Data("no database\n".utf8).write(to: URL(fileURLWithPath: index)) }
    let store = bench.store()
    try await store.prepare()
    var expected = files
    expected[0].isLocked = true
    #expect(try await bench.list(store) == expected)
    #expect(try await bench.list(store, .stretches, kind: .event).map(\.startTime) == [noon + 70_000])
  }

  @Test func aPowerCutBetweenFileAndIndexInEitherOrderIsMended() async throws {
    let (bench, files) = try await recorded()
    // The file is there and its row is not; the row is there and its file is not.
    let store = bench.store()
    try await store.open()
    try await store.forget(RecordingKey(cameraNo: 1, stream: .main, startTime: noon + 120_000))
    await store.close()
    unlink(path(bench, 0))
    let before = try await check(bench, mends: false)
    #expect(Set(before.findings.map(\.kind)) == [.entryWithoutFile, .fileWithoutEntry] && !before.isSound)
    let report = try await check(bench, mends: true)
    #expect(report.findings.count == 2 && report.isSound)
    let after = bench.store()
    try await after.prepare()
    #expect(try await bench.list(after) == Array(files.dropFirst()))
    #expect(try await check(bench, mends: false).findings.isEmpty)
  }

  @Test func aRecorderThatWasKilledLeavesAWholeRecording() async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    let recorder = await bench.recorder(store)
    bench.see(0..<10, through: recorder)
    while recorder.inlet.isBusy { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(100))
    // As the kernel leaves it: the files are copied while they are being written.
    let copy = bench.folder + "-copy"
    try FileManager.default.copyItem(atPath: bench.folder, toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    await recorder.stop()
    let after = RecordingStore(folder: copy)
    try await after.prepare()
    let files = try await after.files(RecordQuery(cameraNo: 1, from: 0, to: .max, form: .files)).files
    #expect(files.count == 1)
    let file = try #require(files.first)
    #expect(file.startTime == noon && (9_000...10_000).contains(file.endTime - noon))
    #expect(try await after.file(covering: noon, cameraNo: 1)?.isGrowing == false)
  }

  @Test func whatIsNoRecordingIsPutAsideAndWhatIsTornIsCut() async throws {
    let (bench, files) = try await recorded()
    let day = bench.folder + "/2026-12-01"
    try Data("this is no film".utf8).write(to: URL(fileURLWithPath: day + "/1-main-130000.000Z.mp4"))
    try Data(count: 50_000).write(to: URL(fileURLWithPath: day + "/1-main-130100.000Z.mp4"))
    try Data().write(to: URL(fileURLWithPath: day + "/1-main-130200.000Z.mp4"))
    try FileManager.default.copyItem(atPath: path(bench, 0), toPath: day + "/1-main-130300.000Z.mp4")
    let torn = try FileHandle(forWritingTo: URL(fileURLWithPath: path(bench, 1)))
    try torn.truncate(atOffset: UInt64(files[1].size) * 3 / 4)
    try torn.close()
    let report = try await check(bench, mends: true)
    #expect(
      report.findings.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [
        .empty, .empty, .notARecording, .overlap, .torn, .wrongEntry,
      ])
    #expect(try await check(bench, mends: false).findings.isEmpty)
    let store = bench.store()
    try await store.prepare()
    let after = try await bench.list(store)
    #expect(after.map(\.startTime) == files.map(\.startTime))
    #expect((30_000...46_000).contains(after[1].endTime - after[1].startTime))
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/damaged").count == 2)
  }

  @Test func nothingThatSomebodyElseMadeIsLost() async throws {
    let (bench, _) = try await recorded()
    let path = bench.folder + "/2026-12-01/disk.mp4"
    // It begins with zeros, as an image of a disk does, and comes twice.
    for round in 1...2 {
      try (Data(count: 300_000) + Data("round \(round)".utf8)).write(to: URL(fileURLWithPath: path))
      let report = try await check(bench, mends: true)
      #expect(report.findings.map(\.kind) == [.notARecording] && report.isSound)
    }
    let aside = try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/damaged").sorted()
    #expect(aside == ["2026-12-01_disk.mp4", "2_2026-12-01_disk.mp4"])
    #expect(
      try aside.map { try Data(contentsOf: URL(fileURLWithPath: bench.folder + "/damaged/" + $0)).suffix(7) }
        == [Data("round 1".utf8), Data("round 2".utf8)])
  }

  @Test func linksAndWhatElseIsNoFileAreLeftAlone() async throws {
    let (bench, _) = try await recorded()
    let day = bench.folder + "/2026-12-01"
    let elsewhere = NSTemporaryDirectory() + "oriel-elsewhere-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    let other = elsewhere + "/1-main-130000.000Z.mp4"
    try Data("somebody's".utf8).write(to: URL(fileURLWithPath: other))
    #expect(symlink(elsewhere, bench.folder + "/2026-11-30") == 0)
    #expect(symlink(other, day + "/1-main-130000.000Z.mp4") == 0)
    #expect(mkdir(day + "/1-main-130100.000Z.mp4", 0o700) == 0)
    #expect(mkfifo(day + "/1-main-130200.000Z.mp4", 0o600) == 0)
    let report = try await check(bench, mends: true)
    #expect(report.findings.isEmpty && report.files == 3)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "somebody's")
    #expect(!FileManager.default.fileExists(atPath: bench.folder + "/damaged"))
  }

  @Test func aFolderInUseIsCheckedButNotMended() async throws {
    let (bench, _) = try await recorded()
    let user = bench.store()
    try await user.open()
    #expect(try await check(bench, mends: false).findings.isEmpty)
    await #expect { try await check(bench, mends: true) } throws: {
      ($0 as? OrielError)?.code == .recordingsInUse
    }
    await user.close()
  }
}
