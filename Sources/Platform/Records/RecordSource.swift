import OrielModel

/// Where the recordings of a camera are asked for: the device itself, or the cloud. Who asks owns the device.
protocol RecordSource: Sendable {
  /// - Throws: `OrielError` with the number of why there is no answer; an answer without entries is none.
  func page(_ query: RecordQuery, of serial: DeviceSerial) async throws -> RecordPage
  /// A JPEG of what was recorded at that moment, UTC milliseconds.
  func picture(at time: Int64, of cameraNo: Int, on serial: DeviceSerial) async throws -> [UInt8]
  /// Keeps what was recorded between two UTC milliseconds, or gives it free again.
  func lock(_ range: Range<Int64>, of cameraNo: Int, on serial: DeviceSerial, isLocked: Bool) async throws
}

/// The camera's own storage, asked for over the device's link.
struct DeviceRecords: RecordSource {
  let switchboard: Switchboard

  func page(_ query: RecordQuery, of serial: DeviceSerial) async throws -> RecordPage {
    let result = try await ask(.findRecordings(query), serial, within: DeviceRegistry.commandLimit)
    guard let page = result.recordings else { throw OrielError(.deviceNetworkAnomaly) }
    return Self.accept(page, for: query)
  }

  func picture(at time: Int64, of cameraNo: Int, on serial: DeviceSerial) async throws -> [UInt8] {
    let result = try await ask(
      .recordedPicture(cameraNo: cameraNo, time: time), serial, within: DeviceRegistry.captureLimit)
    guard let jpeg = result.jpeg.flatMap(DeviceLinkState.picture) else { throw OrielError(.captureFailed) }
    return jpeg
  }

  func lock(_ range: Range<Int64>, of cameraNo: Int, on serial: DeviceSerial, isLocked: Bool) async throws {
    _ = try await ask(
      .lockRecordings(cameraNo: cameraNo, from: range.lowerBound, to: range.upperBound, isLocked: isLocked),
      serial, within: DeviceRegistry.commandLimit)
  }

  func recordEvent(_ name: String, of cameraNo: Int, on serial: DeviceSerial) async throws {
    _ = try await ask(
      .recordEvent(cameraNo: cameraNo, name: name), serial, within: DeviceRegistry.commandLimit)
  }

  private func ask(_ request: Command.Request, _ serial: DeviceSerial, within limit: Duration) async throws
    -> CommandResult
  {
    let result = try await switchboard.command(request, to: serial, within: limit)
    try DeviceRegistry.check(result)
    return result
  }

  /// A device's answer holds only what was asked for: what else it says is left out.
  static func accept(_ page: RecordPage, for query: RecordQuery) -> RecordPage {
    var page = page
    page.files = page.files.prefix(query.limit).compactMap { file in
      var file = file
      file.cameraNo = query.cameraNo
      file.store = .device
      file.downloadPath = nil
      let isSound =
        file.startTime < file.endTime && file.startTime < query.to && file.endTime > query.from
        && file.size >= 0 && SignalLimits.isSessionId(file.fileId)
      return isSound ? file : nil
    }
    if let next = page.nextTime, next <= query.from || next >= query.to { page.nextTime = nil }
    if let days = page.days { page.days = days.filter { query.dayStarts?.contains($0) == true } }
    return page
  }
}
