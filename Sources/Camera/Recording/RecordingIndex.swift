import Glibc
import OrielDatabase
import OrielMedia
import OrielModel

/// The index as it stands in `index.sqlite`: a row a file, a row an event. Everything in it can be made anew from
/// the files, except what the cloud has.
final class RecordingIndex {
  private let database: SQLiteDatabase
  /// The paths of the rows begin here.
  private let folder: String

  static let version: Int64 = 1

  /// - Throws: `OrielError` 149999 when the file is damaged or no index of ours.
  init(path: String, folder: String) throws {
    self.folder = folder + "/"
    database = try SQLiteDatabase(path: path)
    // Losing the last rows in a power cut is mended at the next start; a sync a row would cost the disk more than
    // the pictures do.
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    switch try database.row("PRAGMA user_version", read: { $0.integer(0) }) {
    case Self.version: break
    case 0:
      try database.execute("BEGIN IMMEDIATE; \(Self.schema); PRAGMA user_version = \(Self.version); COMMIT")
    default: throw OrielError(.serverDataError, "the recordings' index was written by another version")
    }
  }

  // Clustered by time: a day of one camera lies together.
  private static let schema = """
    CREATE TABLE recordings(
      camera INTEGER NOT NULL, stream INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
      size INTEGER NOT NULL, kind TEXT NOT NULL, growing INTEGER NOT NULL, locked INTEGER NOT NULL,
      uploaded INTEGER NOT NULL, sealed INTEGER NOT NULL, path TEXT NOT NULL,
      PRIMARY KEY(camera, stream, start)) WITHOUT ROWID;
    CREATE INDEX recordings_free ON recordings(start) WHERE locked = 0;
    CREATE INDEX recordings_start ON recordings(start);
    CREATE INDEX recordings_waiting ON recordings(start) WHERE uploaded = 0;
    CREATE UNIQUE INDEX recordings_path ON recordings(path);
    CREATE TABLE events(
      camera INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY(camera, start)) WITHOUT ROWID
    """

  private static let columns =
    "camera, stream, start, \"end\", size, kind, growing, locked, uploaded, sealed, path"

  func close() { database.close() }

  /// Gives a damaged index another name, and its journal with it.
  static func putAway(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { rename(path + suffix, path + ".damaged" + suffix) }
  }

  private func relative(_ path: String) -> String {
    path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  func transaction(_ body: () throws -> Void) throws { try database.transaction(body) }

  // MARK: Rows

  /// Adds a row, or puts it in the place of the one with the same camera, stream and start.
  func put(_ recording: StoredRecording) throws {
    try database.run(
      "INSERT OR REPLACE INTO recordings(\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      .integer(recording.cameraNo), .integer(recording.stream.rawValue), .integer(recording.startTime),
      .integer(recording.endTime), .integer(recording.size), .text(recording.kind.rawValue),
      .flag(recording.isGrowing), .flag(recording.isLocked), .integer(recording.isUploaded ? 1 : 0),
      .flag(recording.isEncrypted), .text(relative(recording.path)))
  }

  func finish(_ key: RecordingKey, endTime: Int64, size: Int64) throws {
    try database.run(
      "UPDATE recordings SET \"end\" = ?, size = ?, growing = 0 WHERE camera = ? AND stream = ? AND start = ?",
      .integer(endTime), .integer(size), .integer(key.cameraNo), .integer(key.stream.rawValue),
      .integer(key.startTime))
  }

  func remove(_ key: RecordingKey) throws {
    try database.run(
      "DELETE FROM recordings WHERE camera = ? AND stream = ? AND start = ?",
      .integer(key.cameraNo), .integer(key.stream.rawValue), .integer(key.startTime))
  }

  func set(_ key: RecordingKey, isLocked: Bool) throws {
    try database.run(
      "UPDATE recordings SET locked = ? WHERE camera = ? AND stream = ? AND start = ?",
      .flag(isLocked), .integer(key.cameraNo), .integer(key.stream.rawValue), .integer(key.startTime))
  }

  @discardableResult
  func setUploaded(_ key: RecordingKey, _ state: UploadMark) throws -> Bool {
    try database.run(
      "UPDATE recordings SET uploaded = ? WHERE camera = ? AND stream = ? AND start = ?",
      .integer(state.rawValue), .integer(key.cameraNo), .integer(key.stream.rawValue), .integer(key.startTime)
    ) > 0
  }

  // MARK: Looking up

  func recording(_ key: RecordingKey) throws -> StoredRecording? {
    try database.row(
      "SELECT \(Self.columns) FROM recordings WHERE camera = ? AND stream = ? AND start = ?",
      .integer(key.cameraNo), .integer(key.stream.rawValue), .integer(key.startTime), read: read)
  }

  func recording(atPath path: String) throws -> StoredRecording? {
    try database.row(
      "SELECT \(Self.columns) FROM recordings WHERE path = ?", .text(relative(path)), read: read)
  }

  /// The last one that begins at this time or before.
  func last(startingUntil time: Int64, _ cameraNo: Int, _ stream: MediaStream) throws -> StoredRecording? {
    try database.row(
      """
      SELECT \(Self.columns) FROM recordings WHERE camera = ? AND stream = ? AND start <= ?
      ORDER BY start DESC LIMIT 1
      """, .integer(cameraNo), .integer(stream.rawValue), .integer(time), read: read)
  }

  /// The first one that begins at this time or later.
  func first(startingFrom time: Int64, _ cameraNo: Int, _ stream: MediaStream) throws -> StoredRecording? {
    try database.row(
      """
      SELECT \(Self.columns) FROM recordings WHERE camera = ? AND stream = ? AND start >= ?
      ORDER BY start LIMIT 1
      """, .integer(cameraNo), .integer(stream.rawValue), .integer(time), read: read)
  }

  /// Those that begin in the range, in the order of time.
  func recordings(
    startingIn range: Range<Int64>, _ cameraNo: Int, _ stream: MediaStream, kind: RecordKind?, limit: Int
  ) throws -> [StoredRecording] {
    try database.rows(
      """
      SELECT \(Self.columns) FROM recordings WHERE camera = ? AND stream = ? AND start >= ? AND start < ?
        AND (?5 IS NULL OR kind = ?5) ORDER BY start LIMIT ?6
      """, .integer(cameraNo), .integer(stream.rawValue), .integer(range.lowerBound),
      .integer(range.upperBound), .optional(kind?.rawValue), .integer(limit), read: read)
  }

  /// All that begin in the range, of all cameras.
  func recordings(startingIn range: Range<Int64>) throws -> [StoredRecording] {
    try database.rows(
      """
      SELECT \(Self.columns) FROM recordings WHERE start >= ? AND start < ? ORDER BY camera, stream, start
      """, .integer(range.lowerBound), .integer(range.upperBound), read: read)
  }

  func growing() throws -> [StoredRecording] {
    try database.rows("SELECT \(Self.columns) FROM recordings WHERE growing = 1", read: read)
  }

  /// The oldest that may be deleted, of all cameras; with `sparing`, only such as do not wait to be uploaded.
  func oldestFree(sparing choice: UploadChoice = .none, limit: Int) throws -> [StoredRecording] {
    let spared =
      choice == .none
      ? "" : "AND (uploaded <> 0 OR stream <> 1 \(choice == .events ? "OR NOT \(Self.isEvent)" : ""))"
    return try database.rows(
      """
      SELECT \(Self.columns) FROM recordings INDEXED BY recordings_free
      WHERE locked = 0 AND growing = 0 \(spared) ORDER BY start LIMIT ?
      """, .integer(limit), read: read)
  }

  /// The oldest that waits to be uploaded.
  func oldestWaiting(_ choice: UploadChoice) throws -> StoredRecording? {
    guard choice != .none else { return nil }
    return try database.row(
      """
      SELECT \(Self.columns) FROM recordings INDEXED BY recordings_waiting
      WHERE uploaded = 0 AND growing = 0 AND stream = 1 \(choice == .events ? "AND \(Self.isEvent)" : "") ORDER BY start LIMIT 1
      """, read: read)
  }

  /// Recorded for an event, or touched by one.
  private static let isEvent = """
    (kind = 'event' OR EXISTS(SELECT 1 FROM events WHERE events.camera = recordings.camera
      AND events.start < recordings."end" AND events."end" > recordings.start))
    """

  /// Bytes of all finished ones, and of those that are locked.
  func sizes() throws -> (all: Int64, locked: Int64) {
    try database.row(
      "SELECT COALESCE(SUM(size), 0), COALESCE(SUM(size * locked), 0) FROM recordings WHERE growing = 0",
      read: { ($0.integer(0), $0.integer(1)) }) ?? (0, 0)
  }

  /// Where the newest of all ends.
  func latestEnd() throws -> Int64? {
    try database.row("SELECT MAX(\"end\") FROM recordings", read: { $0.optionalInteger(0) }) ?? nil
  }

  /// Where the oldest of all begins.
  func oldestStart() throws -> Int64? {
    try database.row("SELECT MIN(start) FROM recordings", read: { $0.optionalInteger(0) }) ?? nil
  }

  // MARK: Events

  func putEvent(_ event: RecordedEvent) throws {
    try database.run(
      "INSERT OR REPLACE INTO events(camera, start, \"end\", name) VALUES (?, ?, ?, ?)",
      .integer(event.cameraNo), .integer(event.startTime), .integer(event.endTime), .text(event.name))
  }

  func lastEvent(_ cameraNo: Int, startingUntil time: Int64) throws -> RecordedEvent? {
    try database.row(
      """
      SELECT camera, start, "end", name FROM events WHERE camera = ? AND start <= ? ORDER BY start DESC LIMIT 1
      """, .integer(cameraNo), .integer(time), read: Self.readEvent)
  }

  func events(startingIn range: Range<Int64>, _ cameraNo: Int, limit: Int) throws -> [RecordedEvent] {
    try database.rows(
      """
      SELECT camera, start, "end", name FROM events WHERE camera = ? AND start >= ? AND start < ?
      ORDER BY start LIMIT ?
      """, .integer(cameraNo), .integer(range.lowerBound), .integer(range.upperBound), .integer(limit),
      read: Self.readEvent)
  }

  /// Forgets events whose pictures are gone.
  func removeEvents(endingBefore time: Int64) throws {
    try database.run("DELETE FROM events WHERE \"end\" < ?", .integer(time))
  }

  // MARK: Reading

  private func read(_ row: SQLiteRow) throws -> StoredRecording {
    StoredRecording(
      path: folder + row.text(10), cameraNo: Int(row.integer(0)),
      stream: MediaStream(rawValue: Int(row.integer(1))) ?? .main,
      kind: RecordKind(rawValue: row.text(5)) ?? .continuous, startTime: row.integer(2),
      endTime: row.integer(3), size: row.integer(4), isGrowing: row.integer(6) != 0,
      isLocked: row.integer(7) != 0, isUploaded: row.integer(8) == 1, isEncrypted: row.integer(9) != 0)
  }

  private static func readEvent(_ row: SQLiteRow) throws -> RecordedEvent {
    RecordedEvent(
      cameraNo: Int(row.integer(0)), startTime: row.integer(1), endTime: row.integer(2), name: row.text(3))
  }
}

/// What has become of a recording's upload.
enum UploadMark: Int {
  case waiting = 0
  case uploaded = 1
  /// The cloud will never take it.
  case givenUp = 2
}

extension SQLiteValue {
  fileprivate static func flag(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
}
