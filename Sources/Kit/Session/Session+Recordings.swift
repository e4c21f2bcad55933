public import OrielModel

extension Session {
  /// What a camera has recorded, in the order of time; every page is fetched.
  ///
  /// - Parameters:
  ///   - from: UTC milliseconds; nil: from the first recording on.
  ///   - to: UTC milliseconds, later than `from`; nil: until now.
  ///   - store: the camera's own storage, which answers only while the device is online, or the cloud.
  ///   - form: single files, or those that follow each other without a gap as one.
  ///   - kind: only this kind; nil: all.
  /// - Returns: what overlaps the range; empty when nothing was recorded.
  /// - Throws: `OrielError` 110001 for a range that is none, 120018, 120001, 120007 offline, 120008, 120019 no cloud
  ///   store, 160020 a device without storage.
  public func recordings(
    of serial: DeviceSerial, cameraNo: Int = 1, from: Int64? = nil, to: Int64? = nil,
    store: RecordStore = .device, form: RecordQuery.Form = .files, kind: RecordKind? = nil
  ) async throws -> [RecordFile] {
    var files: [RecordFile] = []
    var start = from
    while true {
      let page = try await recordPage(
        of: serial, cameraNo: cameraNo, from: start, to: to, store: store, form: form, kind: kind)
      files += page.files
      guard let next = page.nextTime, next > start ?? .min else { return files }
      start = next
    }
  }

  /// Which days have something: those of `dayStarts` (UTC milliseconds, rising, at most 400) whose day, which ends
  /// where the next one begins or 24 hours later, holds a recording.
  /// - Throws: as `recordings`.
  public func recordedDays(
    of serial: DeviceSerial, cameraNo: Int = 1, dayStarts: [Int64], store: RecordStore = .device
  ) async throws -> [Int64] {
    guard let first = dayStarts.first, let last = dayStarts.last else { return [] }
    return try await recordPage(
      of: serial, cameraNo: cameraNo, from: first, to: last + 86_400_000, store: store, form: .days,
      kind: nil, dayStarts: dayStarts
    ).days ?? []
  }

  func recordPage(
    of serial: DeviceSerial, cameraNo: Int, from: Int64?, to: Int64?, store: RecordStore,
    form: RecordQuery.Form, kind: RecordKind?, limit: Int? = nil, dayStarts: [Int64]? = nil
  ) async throws -> RecordPage {
    var query = [("store", store.rawValue), ("form", form.rawValue)]
    if let from { query.append(("from", String(from))) }
    if let to { query.append(("to", String(to))) }
    if let limit { query.append(("limit", String(limit))) }
    if let kind { query.append(("kind", kind.rawValue)) }
    if let dayStarts { query.append(("dayStarts", dayStarts.map(String.init).joined(separator: ","))) }
    return try await client.call(
      "GET", "/v1/devices/\(serial)/cameras/\(cameraNo)/recordings",
      query: query.map { (name: $0.0, value: $0.1) }, as: RecordPage.self)
  }

  /// A small picture of a recorded moment, UTC milliseconds: a JPEG.
  /// - Throws: as `recordings`; 395402 when nothing was recorded then.
  public func recordedPicture(
    of serial: DeviceSerial, cameraNo: Int = 1, at time: Int64, store: RecordStore = .device
  ) async throws -> [UInt8] {
    try await client.bytes(
      "GET", "/v1/devices/\(serial)/cameras/\(cameraNo)/recordings/picture",
      query: [(name: "time", value: String(time)), (name: "store", value: store.rawValue)],
      timeout: .seconds(20))
  }

  /// Keeps what was recorded between two UTC milliseconds when storage is short, or gives it free again.
  public func lockRecordings(
    of serial: DeviceSerial, cameraNo: Int = 1, from: Int64, to: Int64, isLocked: Bool
  ) async throws {
    struct Body: Encodable, Sendable {
      var from: Int64
      var to: Int64
      var locked: Bool
    }
    try await client.call(
      "POST", "/v1/devices/\(serial)/cameras/\(cameraNo)/recordings/lock",
      body: Body(from: from, to: to, locked: isLocked))
  }

  /// Has the camera record an event now, with what came before it.
  /// - Parameter name: 1...64 bytes.
  public func recordEvent(_ name: String, of serial: DeviceSerial, cameraNo: Int = 1) async throws {
    try await client.call(
      "POST", "/v1/devices/\(serial)/cameras/\(cameraNo)/events", body: ["name": name])
  }

  /// A player of what a camera has recorded. Nothing happens until it is started.
  public func playback(
    of serial: DeviceSerial, cameraNo: Int = 1, range: PlaybackRange,
    options: PlayerOptions = PlayerOptions()
  ) -> Player {
    Player(session: self, serial: serial, cameraNo: cameraNo, options: options, playback: range)
  }
}
