import Foundation
import Glibc
import OrielMedia
import OrielModel

/// What is deleted, and what never.
extension RecordingStore {
  /// Files that are deleted in one step.
  static let deletionBatch = 16
  /// Bytes that are made free when the disk is full.
  static let fullDiskStep: Int64 = 64_000_000

  /// Deletes the oldest recordings until size and age are within the limits.
  ///
  /// What waits to be uploaded goes after what does not; locked ones, and what is being written, never.
  /// - Throws: `OrielError` 720104 when locked ones alone are over the limit.
  func keepLimits() throws {
    let growingSize = growing.values.reduce(0) { $0 + $1.size }
    while usage + growingSize > limits.bytes {
      guard try deleteOldest(bytes: usage + growingSize - limits.bytes) else {
        if try index.sizes().locked + growingSize > limits.bytes { throw OrielError(.recordingsLocked) }
        return
      }
    }
    let now = clock.now()
    guard retentionClock.note(now) else { return }
    let oldest = now - limits.age.milliseconds
    while true {
      let old = try index.oldestFree(limit: Self.deletionBatch).filter { $0.endTime < oldest }
      guard !old.isEmpty else { break }
      try delete(old)
    }
  }

  /// The disk is full, though the limits are kept: the oldest recordings make room, as on any camera.
  /// - Returns: whether anything was deleted.
  func makeRoom() -> Bool { (try? deleteOldest(bytes: Self.fullDiskStep)) ?? false }

  /// - Returns: false when there is nothing that may be deleted.
  private func deleteOldest(bytes: Int64) throws -> Bool {
    var candidates = try index.oldestFree(sparing: uploadChoice, limit: Self.deletionBatch)
    if candidates.isEmpty { candidates = try index.oldestFree(limit: Self.deletionBatch) }
    var found: Int64 = 0
    let chosen = candidates.prefix { candidate in
      defer { found += candidate.size }
      return found < bytes
    }
    guard !chosen.isEmpty else { return false }
    try delete(Array(chosen))
    return true
  }

  /// The file first, then its row: whatever comes in between is a row without a file, which the check removes. The
  /// other way round a file would be left that nobody counts.
  private func delete(_ recordings: [StoredRecording]) throws {
    var gone: [StoredRecording] = []
    for recording in recordings {
      guard unlink(recording.path) == 0 || errno == ENOENT || errno == ENOTDIR else {
        if gone.isEmpty { throw OrielError(.recordingsFolder, recording.path) }
        break
      }
      gone.append(recording)
    }
    let removed = gone
    try index.transaction { for recording in removed { try index.remove(recording.key) } }
    usage -= removed.reduce(0) { $0 + $1.size }
    for day in Set(removed.map { ($0.path as NSString).deletingLastPathComponent }) { removeIfEmpty(day) }
    if let oldest = try index.oldestStart() { try index.removeEvents(endingBefore: oldest) }
  }

  /// A day without recordings needs no events either.
  private func removeIfEmpty(_ day: String) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: day),
      names.allSatisfy({ $0 == RecordingFolder.eventsName }),
      !growing.keys.contains(where: { folder.path(of: $0).hasPrefix(day + "/") })
    else { return }
    unlink(day + "/" + RecordingFolder.eventsName)
    rmdir(day)
  }

  // MARK: Locks

  /// Keeps what overlaps a range of UTC milliseconds, or gives it free. The file's mode says the same, so that a lock
  /// outlives the index.
  /// - Returns: how many recordings it touched.
  /// - Throws: `OrielError` 720101.
  @discardableResult
  func lock(_ range: Range<Int64>, cameraNo: Int, isLocked: Bool) throws -> Int {
    var count = 0
    for stream in MediaStream.allCases {
      for recording in try overlapping(range, cameraNo, stream, limit: .max) {
        guard chmod(recording.path, isLocked ? 0o440 : 0o640) == 0 || errno == ENOENT else {
          throw OrielError(.recordingsFolder, recording.path)
        }
        try index.set(recording.key, isLocked: isLocked)
        count += 1
      }
    }
    return count
  }
}
