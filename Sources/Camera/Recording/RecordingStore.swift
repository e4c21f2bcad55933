import Foundation
import Glibc
public import OrielMedia
import OrielModel

/// The recordings of one agent: a folder of files, and the index that finds them.
///
/// Everything waits for the disk on a queue of its own. A folder that is full, gone or another one is a number, and the
/// store opens again by itself once it can.
public actor RecordingStore {
  nonisolated let folder: RecordingFolder
  nonisolated let limits: RecordingLimits
  nonisolated let clock: WallClock
  /// A recording was finished: there may be something to upload.
  nonisolated let finished: AsyncStream<Void>
  /// What is uploaded: it decides what goes first when room is short.
  private(set) var uploadChoice = UploadChoice.none

  var growing: [RecordingKey: (endTime: Int64, size: Int64)] = [:]
  /// Bytes of what is finished.
  var usage: Int64 = 0
  var retentionClock = RetentionClock()
  private var state = State.closed
  private var recovery: Task<Void, Never>?
  private let memory: FolderMemory
  private let queue = DiskQueue("oriel.recordings")
  private let continuation: AsyncStream<Void>.Continuation

  private enum State {
    case closed
    case open(Opened)
  }

  /// The index, and what tells that the folder is still the same.
  private final class Opened {
    let index: RecordingIndex
    let identity: FileIdentity?
    let lock: Int32

    init(index: RecordingIndex, identity: FileIdentity?, lock: Int32) {
      self.index = index
      self.identity = identity
      self.lock = lock
    }

    deinit {
      index.close()
      if lock >= 0 { Glibc.close(lock) }
    }
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(
    folder: String, limits: RecordingLimits = RecordingLimits(), memory: FolderMemory = FolderMemory(),
    clock: WallClock = .system
  ) {
    self.folder = RecordingFolder(folder)
    self.limits = limits
    self.memory = memory
    self.clock = clock
    (finished, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit { continuation.finish() }

  func setUploadChoice(_ choice: UploadChoice) { uploadChoice = choice }

  // MARK: Opening

  /// Opens the folder, or sees that it is open and still the one it was.
  /// - Returns: whether it was opened anew.
  /// - Throws: `OrielError` 720101 when the folder cannot be used, 720102 when it is another one than before, 720106
  ///   when another agent records into it, 720001 when the disk is full.
  @discardableResult
  func open() throws -> Bool {
    if case .open(let opened) = state {
      if let now = folder.identity(), now == opened.identity { return false }
      close()
    }
    let lock = try claim()
    do {
      let (index, isNew) = try openIndex()
      state = .open(Opened(index: index, identity: folder.identity(), lock: lock))
      usage = try self.index.sizes().all
      retentionClock = RetentionClock(newest: try self.index.latestEnd(), now: clock.now())
      needsRebuild = isNew
      return true
    } catch {
      if case .closed = state { Glibc.close(lock) }
      state = .closed
      throw error
    }
  }

  /// Opens the folder where it is not open, and has the index know what lies there.
  /// - Throws: as ``open()``.
  func prepare() async throws {
    if try open() { recovery = Task { await recover() } }
    await recovery?.value
    recovery = nil
  }

  /// The index was made anew, so that it does not know yet what the folder holds.
  private(set) var needsRebuild = false

  func rebuilt() { needsRebuild = false }

  func close() {
    state = .closed
    growing = [:]
  }

  /// - Throws: `OrielError` 720101 while the folder is not open.
  var index: RecordingIndex {
    get throws {
      guard case .open(let opened) = state else { throw OrielError(.recordingsFolder, folder.path) }
      return opened.index
    }
  }

  /// Opens the folder for a check.
  /// - Parameter isExclusive: nobody else may use it, and it is the folder that is used from now on.
  /// - Throws: as ``open()``; 720101 when there is no such folder.
  func openForCheck(isExclusive: Bool) throws {
    guard folder.identity() != nil else { throw OrielError(.recordingsFolder, folder.path) }
    if isExclusive {
      // A new folder in the place of the one before is taken over, whether it was marked or not.
      if memory.id(of: folder.path) != nil {
        memory.remember(try folder.markerID() ?? folder.mark(), of: folder.path)
      }
      try open()
    } else {
      guard FileIdentity(folder.indexPath) != nil else {
        throw OrielError(.recordingsFolder, "\(folder.path) holds no index: use --mend")
      }
      let index = try RecordingIndex(path: folder.indexPath, folder: folder.path)
      state = .open(Opened(index: index, identity: folder.identity(), lock: -1))
      // What somebody else is writing is passed over, as our own would be.
      guard isInUse else { return }
      for recording in try index.growing() { growing[recording.key] = (recording.endTime, recording.size) }
    }
  }

  /// Whether an agent records into the folder.
  private var isInUse: Bool {
    let descriptor = Glibc.open(folder.markerPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }

  /// Makes sure that this is the folder that was used before, and that nobody else uses it.
  private func claim() throws -> Int32 {
    let known = memory.id(of: folder.path)
    if known == nil {
      try? FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
    }
    guard folder.identity() != nil else { throw OrielError(.recordingsFolder, folder.path) }
    let found = folder.markerID()
    if let known, known != found { throw OrielError(.recordingsMoved, folder.path) }
    let id = try found ?? folder.mark()
    let lock = Glibc.open(folder.markerPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard lock >= 0 else { throw OrielError(.recordingsFolder, folder.path) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      Glibc.close(lock)
      throw OrielError(.recordingsInUse, folder.path)
    }
    if known == nil { memory.remember(id, of: folder.path) }
    return lock
  }

  /// A damaged index is put away: all it says can be read from the files.
  private func openIndex() throws -> (RecordingIndex, isNew: Bool) {
    let isNew = FileIdentity(folder.indexPath) == nil
    do {
      return (try RecordingIndex(path: folder.indexPath, folder: folder.path), isNew)
    } catch let error as OrielError where error.code == .serverDataError {
      RecordingIndex.putAway(folder.indexPath)
      return (try RecordingIndex(path: folder.indexPath, folder: folder.path), true)
    } catch let error as OrielError where error.code == .dataFolder {
      throw OrielError(.recordingsFolder, folder.path)
    }
  }

  // MARK: Writing

  /// What is recorded from a time on: first what covers it, then some of what follows.
  private func taken(from time: Int64, _ cameraNo: Int, _ stream: MediaStream) throws -> [Range<Int64>] {
    try overlapping(time..<Int64.max, cameraNo, stream, limit: Self.rowBatch)
      .map { $0.startTime..<max($0.endTime, $0.startTime + 1) }
  }

  /// Where the newest recording of a stream ends.
  func latestEnd(_ cameraNo: Int, _ stream: MediaStream) throws -> Int64? {
    try index.last(startingUntil: .max, cameraNo, stream).map { current($0).endTime }
  }

  /// Where a new recording is to lie, on the disk and in time; its day's folder is there then, and there is room for it.
  /// - Parameters:
  ///   - clock: the time of day of its first picture, UTC milliseconds.
  ///   - room: milliseconds that it may take.
  /// - Returns: `limit` is where the next recording begins.
  /// - Throws: `OrielError` 720001, 720101, 720102, 720104, 720106.
  func place(_ cameraNo: Int, _ stream: MediaStream, clock: Int64, room: Int64) async throws -> (
    key: RecordingKey, path: String, limit: Int64
  ) {
    try await prepare()
    try keepLimits()
    let wanted = RecordingTimeline.wanted(clock: clock, latestEnd: try latestEnd(cameraNo, stream))
    let free = try RecordingTimeline.free(from: wanted, room: room) { try taken(from: $0, cameraNo, stream) }
    let key = RecordingKey(cameraNo: cameraNo, stream: stream, startTime: free.lowerBound)
    let path = folder.path(of: key)
    try folder.makeParent(of: path)
    return (key, path, free.upperBound)
  }

  /// A recording's file is there, and is being written.
  func began(_ recording: StoredRecording) throws {
    growing[recording.key] = (recording.endTime, recording.size)
    try index.put(recording)
  }

  /// What is surely in the file. Kept in memory only: after a crash the file itself tells.
  /// - Throws: `OrielError` 720101 when the file is gone: what is written into it is lost.
  func grew(_ key: RecordingKey, endTime: Int64, size: Int64) throws {
    guard growing[key] != nil else { return }
    guard FileIdentity(folder.path(of: key)) != nil else { throw OrielError(.recordingsFolder, folder.path) }
    growing[key] = (endTime, size)
    if usage + growing.values.reduce(0, { $0 + $1.size }) > limits.bytes { try keepLimits() }
  }

  /// A recording was ended; one without anything in it, or whose file is gone, is forgotten.
  func ended(_ key: RecordingKey, endTime: Int64, size: Int64) throws {
    growing[key] = nil
    guard endTime > key.startTime, FileIdentity(folder.path(of: key)) != nil else {
      unlink(folder.path(of: key))
      try index.remove(key)
      return
    }
    try index.finish(key, endTime: endTime, size: size)
    usage += size
    try keepLimits()
    continuation.yield()
  }

  /// With what is known of it while it grows.
  func current(_ recording: StoredRecording) -> StoredRecording {
    var recording = recording
    if let now = growing[recording.key] {
      (recording.endTime, recording.size, recording.isGrowing) = (now.endTime, now.size, true)
    } else {
      recording.isGrowing = false
    }
    return recording
  }

  // MARK: Looking up

  /// The recording that holds an instant.
  /// - Throws: `OrielError` 720101 while the folder cannot be used.
  public func file(covering time: Int64, cameraNo: Int, stream: MediaStream = .main) throws
    -> StoredRecording?
  {
    guard let found = try index.last(startingUntil: time, cameraNo, stream).map(current) else { return nil }
    return found.endTime > time ? found : nil
  }

  /// The first recording that begins at this time or later.
  /// - Throws: `OrielError` 720101 while the folder cannot be used.
  public func file(after time: Int64, cameraNo: Int, stream: MediaStream = .main) throws -> StoredRecording? {
    var time = time
    // One that has just begun has nothing to show yet.
    while let found = try index.first(startingFrom: time, cameraNo, stream).map(current) {
      if found.endTime > found.startTime { return found }
      time = found.startTime + 1
    }
    return nil
  }

  /// Where the recordings of a camera begin, UTC milliseconds.
  public func startTime(of cameraNo: Int, stream: MediaStream = .main) throws -> Int64? {
    try file(after: 0, cameraNo: cameraNo, stream: stream)?.startTime
  }
}
