import OrielDatabase
import OrielModel

extension SQLiteStore {
  func register(
    _ serial: DeviceSerial, signingKey: [UInt8], agreementKey: [UInt8], report: DeviceReport, at time: Int64
  ) throws -> Int64? {
    try database.transaction {
      let known = try database.row(
        "SELECT signing_key, agreement_key, owner FROM devices WHERE serial = ?", .text(serial.value)
      ) { (signing: $0.blob(0), agreement: $0.blob(1), owner: $0.optionalInteger(2)) }
      if let known {
        guard known.signing == signingKey else { throw OrielError(.serialTaken) }
        if known.agreement != agreementKey {
          try database.run(
            "UPDATE devices SET agreement_key = ? WHERE serial = ?", .blob(agreementKey), .text(serial.value))
        }
      } else {
        try database.run(
          """
          INSERT INTO devices (serial, signing_key, agreement_key, reported_name, model, version, talk, updated)
          VALUES (?, ?, ?, '', '', '', 0, ?)
          """, .text(serial.value), .blob(signingKey), .blob(agreementKey), .integer(time))
      }
      _ = try replaceReport(report, of: serial, at: time)
      return known?.owner
    }
  }

  func saveReport(_ report: DeviceReport, of serial: DeviceSerial, at time: Int64) throws -> Bool {
    try database.transaction { try replaceReport(report, of: serial, at: time) }
  }

  /// Writes only when something changed, so that a thousand devices that come back cost reads alone.
  private func replaceReport(_ report: DeviceReport, of serial: DeviceSerial, at time: Int64) throws -> Bool {
    guard let known = try device(serial) else { return false }
    let isSame =
      known.reportedName == report.name && known.model == report.model && known.version == report.version
      && known.talk == report.talk && known.cameras.map(\.record) == report.cameras
    guard !isSame else { return false }
    try database.run(
      "UPDATE devices SET reported_name = ?, model = ?, version = ?, talk = ?, updated = ? WHERE serial = ?",
      .text(report.name), .text(report.model), .text(report.version), .integer(report.talk.rawValue),
      .integer(time), .text(serial.value))
    try database.run("DELETE FROM cameras WHERE serial = ?", .text(serial.value))
    for camera in report.cameras {
      try database.run(
        """
        INSERT INTO cameras (serial, camera, name, video_level, main_stream, sub_stream, delivery, note, cover)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, .text(serial.value), .integer(camera.cameraNo), .text(camera.name),
        .integer(camera.videoLevel.rawValue), .text(camera.mainStream), .text(camera.subStream),
        .optional(camera.delivery?.rawValue), .optional(camera.note),
        .optional(known.cameras.first { $0.record.cameraNo == camera.cameraNo }?.cover))
    }
    return true
  }

  // MARK: Reading

  private static let deviceColumns =
    """
    d.serial, d.reported_name, d.given_name, d.model, d.version, d.talk, d.owner, d.claim, d.added, d.updated
    """
  private static let cameraColumns =
    "c.serial, c.camera, c.name, c.video_level, c.main_stream, c.sub_stream, c.delivery, c.note, c.cover"

  private static func device(_ row: SQLiteRow) throws -> StoredDevice {
    StoredDevice(
      serial: try DeviceSerial(row.text(0)), reportedName: row.text(1), givenName: row.optionalText(2),
      model: row.text(3), version: row.text(4), talk: TalkCapability(rawValue: Int(row.integer(5))) ?? .none,
      owner: row.optionalInteger(6), claim: row.integer(7), added: row.integer(8), updated: row.integer(9))
  }

  private static func camera(_ row: SQLiteRow, from first: Int32 = 0) throws -> StoredCamera {
    let record = CameraRecord(
      cameraNo: Int(row.integer(first + 1)), name: row.text(first + 2),
      videoLevel: VideoLevel(rawValue: Int(row.integer(first + 3))) ?? .high,
      mainStream: row.text(first + 4), subStream: row.text(first + 5),
      delivery: row.optionalText(first + 6).flatMap(VideoDelivery.init), note: row.optionalText(first + 7))
    return StoredCamera(
      serial: try DeviceSerial(row.text(first)), record: record, cover: row.optionalInteger(first + 8))
  }

  private func withCameras(_ device: StoredDevice) throws -> StoredDevice {
    var device = device
    device.cameras = try database.rows(
      "SELECT \(Self.cameraColumns) FROM cameras c WHERE c.serial = ? ORDER BY c.camera",
      .text(device.serial.value)
    ) { try Self.camera($0) }
    return device
  }

  func device(_ serial: DeviceSerial) throws -> StoredDevice? {
    try database.row(
      "SELECT \(Self.deviceColumns) FROM devices d WHERE d.serial = ?", .text(serial.value), read: Self.device
    ).map(withCameras)
  }

  func devices(of account: Int64, from offset: Int, count: Int) throws -> Page<StoredDevice> {
    let devices = try database.rows(
      "SELECT \(Self.deviceColumns) FROM devices d WHERE d.owner = ? ORDER BY d.claim LIMIT ? OFFSET ?",
      .integer(account), .integer(count), .integer(offset), read: Self.device)
    return Page(elements: try devices.map(withCameras), total: try deviceCount(of: account))
  }

  func devices(of account: Int64, after claim: Int64, count: Int) throws -> Page<StoredDevice> {
    let devices = try database.rows(
      """
      SELECT \(Self.deviceColumns) FROM devices d WHERE d.owner = ? AND d.claim > ? ORDER BY d.claim LIMIT ?
      """, .integer(account), .integer(claim), .integer(count), read: Self.device)
    return Page(elements: try devices.map(withCameras), total: try deviceCount(of: account))
  }

  private func deviceCount(of account: Int64) throws -> Int {
    Int(
      try database.row("SELECT COUNT(*) FROM devices WHERE owner = ?", .integer(account)) { $0.integer(0) }
        ?? 0)
  }

  func cameras(of account: Int64, from offset: Int, count: Int) throws -> Page<(StoredDevice, StoredCamera)> {
    let joined = "FROM devices d JOIN cameras c ON c.serial = d.serial WHERE d.owner = ?"
    let rows = try database.rows(
      """
      SELECT \(Self.deviceColumns), \(Self.cameraColumns) \(joined)
      ORDER BY d.claim, c.camera LIMIT ? OFFSET ?
      """, .integer(account), .integer(count), .integer(offset)
    ) { (try Self.device($0), try Self.camera($0, from: 10)) }
    let total = try database.row("SELECT COUNT(*) \(joined)", .integer(account)) { $0.integer(0) }
    return Page(elements: rows, total: Int(total ?? 0))
  }

  // MARK: Ownership

  func claim(_ serial: DeviceSerial, by account: Int64, name: String?, at time: Int64) throws {
    try database.transaction {
      let changed = try database.run(
        """
        UPDATE devices SET owner = ?, given_name = ?, added = ?,
          claim = (SELECT COALESCE(MAX(claim), 0) + 1 FROM devices)
        WHERE serial = ? AND owner IS NULL
        """, .integer(account), .optional(name), .integer(time), .text(serial.value))
      guard changed == 0 else { return }
      guard let device = try device(serial) else { throw OrielError(.deviceNotFound) }
      throw OrielError(device.owner == account ? .deviceAddedByMyself : .addedByAnother)
    }
  }

  func release(_ serial: DeviceSerial, by account: Int64) throws {
    try database.transaction {
      let changed = try database.run(
        "UPDATE devices SET owner = NULL, given_name = NULL, added = 0 WHERE serial = ? AND owner = ?",
        .text(serial.value), .integer(account))
      guard changed == 1 else { throw OrielError(.notMyDevice) }
      try database.run("UPDATE cameras SET cover = NULL WHERE serial = ?", .text(serial.value))
      // What it has stored in the cloud goes with it.
      try database.run(
        "UPDATE cloud_files SET state = 2 WHERE account = ? AND serial = ?", .integer(account),
        .text(serial.value))
    }
  }

  func rename(_ serial: DeviceSerial, to name: String, by account: Int64) throws {
    let changed = try database.run(
      "UPDATE devices SET given_name = ? WHERE serial = ? AND owner = ?", .text(name), .text(serial.value),
      .integer(account))
    guard changed == 1 else { throw OrielError(.notMyDevice) }
  }

  func setVideoLevel(_ level: VideoLevel, of camera: Int, on serial: DeviceSerial) throws {
    try database.run(
      "UPDATE cameras SET video_level = ? WHERE serial = ? AND camera = ?", .integer(level.rawValue),
      .text(serial.value), .integer(camera))
  }

  func saveCoverTime(_ time: Int64, of camera: Int, on serial: DeviceSerial, owner: Int64) throws -> Bool {
    try database.transaction {
      let isFirst = try database.row(
        "SELECT cover IS NULL FROM cameras WHERE serial = ? AND camera = ?", .text(serial.value),
        .integer(camera)
      ) { $0.integer(0) != 0 }
      let changed = try database.run(
        """
        UPDATE cameras SET cover = ? WHERE serial = ? AND camera = ?
          AND EXISTS (SELECT 1 FROM devices d WHERE d.serial = cameras.serial AND d.owner = ?)
        """, .integer(time), .text(serial.value), .integer(camera), .integer(owner))
      return changed == 1 && isFirst == true
    }
  }
}
