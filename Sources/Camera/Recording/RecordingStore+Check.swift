import Foundation
import Glibc
import OrielMedia
import OrielModel

/// Compares the index with the files. The files are right: whatever differs is set right in the index, and what can
/// never be shown is put aside, not deleted.
extension RecordingStore {
  /// Checks the days given, or all.
  ///
  /// What is being written is passed over.
  /// - Parameters:
  ///   - believesIndex: a finished entry whose file has its size is not looked into: it was written after the file
  ///     was synced.
  ///   - onProgress: told files done and files to do.
  /// - Throws: `OrielError` 720101 while the folder is not open.
  func check(
    days: [String]? = nil, mends: Bool, believesIndex: Bool = false,
    onProgress: @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws -> CheckReport {
    var report = CheckReport()
    if days == nil, needsRebuild { report.findings.append(finding(.indexLost, folder.indexPath, mends)) }
    try forgetMissing(in: days, mends, &report)
    let paths = recordingPaths(in: days)
    for (number, path) in paths.enumerated() {
      onProgress(number, paths.count)
      if believesIndex, try isAsEntered(path, &report) { continue }
      try await check(path, mends, &report)
    }
    if needsRebuild, mends { try restoreEvents() }
    if mends { usage = try index.sizes().all }
    onProgress(paths.count, paths.count)
    return report
  }

  /// After a start: ends what a former process was writing, and enters what the index lost when it was cut off. Only
  /// the newest days can hold such, unless the index is new.
  func recover() async {
    do {
      let open = try index.growing().filter { growing[$0.key] == nil }
      var days = Set(open.map { RecordingFolder.day(of: $0.startTime) })
      days.formUnion(folder.days().suffix(2))
      if let latest = try index.latestEnd() { days.insert(RecordingFolder.day(of: latest)) }
      _ = try await check(days: needsRebuild ? nil : days.sorted(), mends: true, believesIndex: true)
      rebuilt()
    } catch {}
  }

  private func finding(_ kind: CheckReport.Finding.Kind, _ path: String, _ isMended: Bool)
    -> CheckReport.Finding
  {
    CheckReport.Finding(kind: kind, path: folder.name(of: path), isMended: isMended)
  }

  private func recordingPaths(in days: [String]?) -> [String] {
    (days ?? folder.days()).flatMap { day in
      folder.names(ofDay: day).filter { $0 != RecordingFolder.eventsName }.map {
        folder.path + "/\(day)/\($0)"
      }
    }
  }

  private func forgetMissing(in days: [String]?, _ mends: Bool, _ report: inout CheckReport) throws {
    let ranges = days.map { $0.compactMap(RecordingFolder.range(ofDay:)) } ?? [0..<Int64.max]
    for range in ranges {
      for recording in try index.recordings(startingIn: range) where growing[recording.key] == nil {
        guard FileIdentity(recording.path) == nil else { continue }
        report.findings.append(finding(.entryWithoutFile, recording.path, mends))
        if mends { try index.remove(recording.key) }
      }
    }
  }

  private func isAsEntered(_ path: String, _ report: inout CheckReport) throws -> Bool {
    guard let entry = try index.recording(atPath: path), !entry.isGrowing else { return false }
    var status = stat()
    guard stat(path, &status) == 0, Int64(status.st_size) == entry.size, entry.size > 0,
      entry.isLocked == (status.st_mode & 0o200 == 0)
    else { return false }
    report.files += 1
    report.bytes += entry.size
    return true
  }

  private func check(_ path: String, _ mends: Bool, _ report: inout CheckReport) async throws {
    let before = try index.recording(atPath: path)
    if let before, growing[before.key] != nil { return }
    let inspection = await FileInspection.of(path)
    // It may have been begun or ended meanwhile.
    let entry = try index.recording(atPath: path)
    guard entry?.key == before?.key, entry.map({ growing[$0.key] == nil }) ?? true else { return }
    switch inspection {
    case .empty:
      report.findings.append(finding(.empty, path, mends))
      guard mends else { return }
      unlink(path)
      if let entry { try index.remove(entry.key) }
    case .foreign:
      report.findings.append(finding(.notARecording, path, try mends && putAside(path, entry)))
    case .recording(let map, let size):
      report.files += 1
      report.bytes += map.validSize
      if map.isTorn || size > map.validSize {
        report.findings.append(finding(.torn, path, mends))
        if mends { truncate(path, off_t(map.validSize)) }
      }
      try enter(map, path, entry, mends, &report)
    }
  }

  private func enter(
    _ map: FragmentMap, _ path: String, _ entry: StoredRecording?, _ mends: Bool, _ report: inout CheckReport
  ) throws {
    let head = map.head
    var status = stat()
    let isLocked = stat(path, &status) == 0 && status.st_mode & 0o200 == 0
    let found = StoredRecording(
      path: path, cameraNo: head.cameraNo, stream: head.stream,
      kind: RecordKind(rawValue: head.kind) ?? .continuous, startTime: head.startTime, endTime: map.endTime,
      size: map.validSize, isGrowing: false, isLocked: isLocked, isUploaded: entry?.isUploaded ?? false,
      isEncrypted: head.isEncrypted)
    if entry == found { return }
    let others = try overlapping(found.startTime..<found.endTime, found.cameraNo, found.stream, limit: 2)
    if others.contains(where: { $0.path != path }) {
      report.findings.append(finding(.overlap, path, try mends && putAside(path, entry)))
      return
    }
    report.findings.append(finding(entry == nil ? .fileWithoutEntry : .wrongEntry, path, mends))
    guard mends else { return }
    if let entry, entry.key != found.key { try index.remove(entry.key) }
    try index.put(found)
  }

  /// - Returns: false when it cannot be moved.
  private func putAside(_ path: String, _ entry: StoredRecording?) throws -> Bool {
    mkdir(folder.damagedPath, 0o750)
    let name = folder.name(of: path).replacingOccurrences(of: "/", with: "_")
    // What was put aside before under the same name stays.
    var place = folder.damagedPath + "/" + name
    var number = 1
    while FileIdentity(place) != nil {
      number += 1
      place = folder.damagedPath + "/\(number)_" + name
    }
    guard rename(path, place) == 0 else { return false }
    if let entry { try index.remove(entry.key) }
    return true
  }

  private func restoreEvents() throws {
    for day in folder.days() {
      for event in RecordingFolder.events(inFile: folder.path + "/\(day)/" + RecordingFolder.eventsName) {
        try index.putEvent(event)
      }
    }
  }
}

extension RecordingFolder {
  /// The days that have a folder, in the order of time. A link to another folder is none: what it holds is not ours.
  func days() -> [String] { Self.names(in: path, S_IFDIR).filter(Self.isDay) }

  /// UTC milliseconds of a day as its folder is called.
  static func range(ofDay day: String) -> Range<Int64>? {
    let parts = day.split(separator: "-").compactMap { Int32($0) }
    guard parts.count == 3 else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (parts[0] - 1900, parts[1] - 1, parts[2])
    let start = Int64(timegm(&time)) * 1000
    return start..<start + 86_400_000
  }

  /// The files of a day. Links, folders and devices are left alone.
  func names(ofDay day: String) -> [String] { Self.names(in: path + "/" + day, S_IFREG) }

  private static func names(in folder: String, _ kind: mode_t) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { name in
      var status = stat()
      return lstat(folder + "/" + name, &status) == 0 && status.st_mode & S_IFMT == kind
    }.sorted()
  }

  /// A path as it is within the folder.
  func name(of file: String) -> String {
    file.hasPrefix(path + "/") ? String(file.dropFirst(path.count + 1)) : file
  }
}
