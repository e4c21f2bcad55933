import OrielDatabase
import OrielModel

extension SQLiteStore: CloudIndex {
  /// A stretch is no longer than this, so that those that overlap a moment are found by their start.
  static let longestStretch: Int64 = 3_600_000
  /// Uploads that a device may have under way: it sends one at a time, and others only when that was let be.
  static let pendingLimit = 100
  /// How much two recordings of a camera may overlap: clocks and rounding.
  static let overlap: Int64 = 1_000

  private static let cloudColumns =
    "id, account, serial, camera, kind, start_time, end_time, size, digest, is_encrypted, state"

  private static func cloudFile(_ row: SQLiteRow) throws -> CloudFile {
    CloudFile(
      id: row.text(0), account: row.integer(1), serial: try DeviceSerial(row.text(2)),
      cameraNo: Int(row.integer(3)), kind: RecordKind(rawValue: row.text(4)) ?? .continuous,
      startTime: row.integer(5), endTime: row.integer(6), size: row.integer(7), digest: row.blob(8),
      isEncrypted: row.integer(9) != 0, state: CloudFile.State(rawValue: row.integer(10)) ?? .condemned)
  }

  /// A transaction that is on the disk when it returns; the store's others may lose the last moments.
  private func durably<Value>(_ body: () throws -> Value) throws -> Value {
    try database.execute("PRAGMA synchronous=FULL")
    defer { try? database.execute("PRAGMA synchronous=NORMAL") }
    return try database.transaction(body)
  }

  // MARK: Taking in

  func admit(_ file: CloudFile, fragments: String?, limits: CloudLimits, at time: Int64) throws -> CloudFile {
    try durably {
      let neighbours = try database.rows(
        """
        SELECT \(Self.cloudColumns) FROM cloud_files WHERE serial = ? AND camera = ? AND start_time > ?
          AND start_time < ? AND end_time > ? AND account = ? AND state < 2
        """, .text(file.serial.value), .integer(file.cameraNo),
        .integer(file.startTime - Self.longestStretch),
        .integer(file.endTime), .integer(file.startTime), .integer(file.account), read: Self.cloudFile)
      let same = { (known: CloudFile) in
        known.startTime == file.startTime && known.size == file.size && known.digest == file.digest
      }
      if let known = neighbours.first(where: same) {
        try database.run("UPDATE cloud_files SET heard = ? WHERE id = ?", .integer(time), .text(known.id))
        return known
      }
      for known in neighbours {
        let shared = min(known.endTime, file.endTime) - max(known.startTime, file.startTime)
        guard known.startTime != file.startTime, shared <= Self.overlap else {
          throw OrielError(.cloudOverlap)
        }
      }
      let pending = try database.row(
        "SELECT COUNT(*) FROM cloud_files WHERE state = 0 AND serial = ?", .text(file.serial.value)
      ) { $0.integer(0) }
      guard pending ?? 0 < Self.pendingLimit else { throw OrielError(.tooFrequent) }
      try makeRoom(for: file, quota: limits.quota)
      try database.run(
        """
        INSERT INTO cloud_files (id, account, serial, camera, kind, start_time, end_time, size, digest,
          is_encrypted, state, heard) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
        """, .text(file.id), .integer(file.account), .text(file.serial.value), .integer(file.cameraNo),
        .text(file.kind.rawValue), .integer(file.startTime), .integer(file.endTime), .integer(file.size),
        .blob(file.digest), .integer(file.isEncrypted ? 1 : 0), .integer(time))
      if let fragments {
        try database.run("INSERT INTO cloud_fragments VALUES (?, ?)", .text(file.id), .text(fragments))
      }
      return file
    }
  }

  /// Condemns what is older than the newcomer, oldest first, until it has room.
  private func makeRoom(for file: CloudFile, quota: Int64) throws {
    var left = quota - file.size - (try usage(of: file.account).bytes)
    guard left < 0 else { return }
    let older = try database.rows(
      """
      SELECT id, size FROM cloud_files WHERE account = ? AND state < 2 AND start_time < ?
      ORDER BY start_time
      """, .integer(file.account), .integer(file.startTime)
    ) { (id: $0.text(0), size: $0.integer(1)) }
    for old in older where left < 0 {
      try database.run("UPDATE cloud_files SET state = 2 WHERE id = ?", .text(old.id))
      left += old.size
    }
    // Thrown inside the transaction: nothing was condemned for nothing.
    guard left >= 0 else { throw OrielError(.cloudFull) }
  }

  func cloudFile(_ id: String) throws -> CloudFile? {
    try database.row(
      "SELECT \(Self.cloudColumns) FROM cloud_files WHERE id = ? AND state < 2", .text(id),
      read: Self.cloudFile)
  }

  func markStored(_ id: String, at time: Int64) throws -> Bool {
    try durably {
      try database.run(
        "UPDATE cloud_files SET state = 1, heard = ? WHERE id = ? AND state < 2", .integer(time), .text(id))
        == 1
    }
  }

  func fragments(of id: String) throws -> String? {
    try database.row("SELECT list FROM cloud_fragments WHERE id = ?", .text(id)) { $0.text(0) }
  }

  // MARK: Reading

  func cloudFiles(
    of account: Int64, serial: DeviceSerial, cameraNo: Int, from: Int64, to: Int64, kind: RecordKind?,
    count: Int
  ) throws -> [CloudFile] {
    try database.rows(
      """
      SELECT \(Self.cloudColumns) FROM cloud_files WHERE serial = ? AND camera = ? AND start_time > ?
        AND start_time < ? AND end_time > ? AND account = ? AND state = 1 AND kind = COALESCE(?, kind)
      ORDER BY start_time LIMIT ?
      """, .text(serial.value), .integer(cameraNo),
      .integer(
        from.subtractingReportingOverflow(Self.longestStretch + 1).overflow
          ? Int64.min : from - Self.longestStretch - 1),
      .integer(to), .integer(from), .integer(account), .optional(kind?.rawValue), .integer(count),
      read: Self.cloudFile)
  }

  func usage(of account: Int64) throws -> CloudUsage {
    try database.row(
      "SELECT COUNT(*), COALESCE(SUM(size), 0) FROM cloud_files WHERE account = ? AND state < 2",
      .integer(account)
    ) { CloudUsage(files: Int($0.integer(0)), bytes: $0.integer(1)) } ?? CloudUsage()
  }

  func cloudSpan(of account: Int64, serial: DeviceSerial, cameraNo: Int) throws -> Range<Int64>? {
    try database.row(
      """
      SELECT MIN(start_time), MAX(end_time) FROM cloud_files
      WHERE serial = ? AND camera = ? AND account = ? AND state = 1
      """, .text(serial.value), .integer(cameraNo), .integer(account)
    ) { row -> Range<Int64>? in
      guard let start = row.optionalInteger(0), let end = row.optionalInteger(1), start < end else {
        return nil
      }
      return start..<end
    } ?? nil
  }

  // MARK: Deleting

  func condemn(_ id: String) throws -> Bool {
    try durably {
      try database.run("UPDATE cloud_files SET state = 2 WHERE id = ? AND state < 2", .text(id)) == 1
    }
  }

  func condemnOld(standard: CloudLimits, at time: Int64, abandoned: Int64) throws {
    try durably {
      for account in try database.rows("SELECT id FROM accounts", read: { $0.integer(0) }) {
        let limits = try cloudLimits(of: account) ?? standard
        // What says it ended in the future is as old as its arrival.
        _ = try database.run(
          """
          UPDATE cloud_files SET state = 2 WHERE account = ? AND state < 2 AND MIN(end_time, heard) < ?
          """, .integer(account), .integer(time - limits.retention.milliseconds))
      }
      _ = try database.run(
        "UPDATE cloud_files SET state = 2 WHERE state = 0 AND heard < ?", .integer(abandoned))
    }
  }

  func condemned(count: Int) throws -> [String] {
    try database.rows("SELECT id FROM cloud_files WHERE state = 2 LIMIT ?", .integer(count)) { $0.text(0) }
  }

  func forget(_ id: String) throws {
    try database.run("DELETE FROM cloud_files WHERE id = ? AND state = 2", .text(id))
  }

  // MARK: Limits

  func cloudLimits(of account: Int64) throws -> CloudLimits? {
    try database.row("SELECT retention, quota FROM cloud_limits WHERE account = ?", .integer(account)) {
      CloudLimits(retention: .milliseconds($0.integer(0)), quota: $0.integer(1))
    }
  }

  func saveCloudLimits(_ limits: CloudLimits?, of account: Int64) throws {
    if let limits {
      try database.run(
        "INSERT OR REPLACE INTO cloud_limits VALUES (?, ?, ?)", .integer(account),
        .integer(limits.retention.milliseconds), .integer(limits.quota))
    } else {
      try database.run("DELETE FROM cloud_limits WHERE account = ?", .integer(account))
    }
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
