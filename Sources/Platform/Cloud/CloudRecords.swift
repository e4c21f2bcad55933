import OrielModel

/// The cloud's recordings, asked for in the same way as a device's own.
struct CloudRecords: RecordSource {
  /// Files that follow each other with no more than this between them are one stretch.
  static let gap: Int64 = 1_000
  private static let batch = 2_000

  let cloud: Cloud
  let devices: any Store

  func page(_ query: RecordQuery, of serial: DeviceSerial) async throws -> RecordPage {
    guard let owner = try await devices.device(serial)?.owner else { throw OrielError(.notMyDevice) }
    switch query.form {
    case .files: return try await files(query, serial, owner)
    case .stretches: return try await stretches(query, serial, owner)
    case .days: return try await days(query, serial, owner)
    }
  }

  func picture(at time: Int64, of cameraNo: Int, on serial: DeviceSerial) async throws -> [UInt8] {
    // No codec runs on the platform: a viewer decodes the key frame that the fragment map names.
    throw OrielError(.commandNotSupported, "the cloud has no pictures of its own")
  }

  func lock(_ range: Range<Int64>, of cameraNo: Int, on serial: DeviceSerial, isLocked: Bool) async throws {
    throw OrielError(.commandNotSupported, "recordings of the cloud are kept for a time, not locked")
  }

  // MARK: Forms

  private func files(_ query: RecordQuery, _ serial: DeviceSerial, _ owner: Int64) async throws -> RecordPage
  {
    let found = try await find(query, serial, owner, from: query.from, count: query.limit + 1)
    let listed = found.prefix(query.limit)
    return RecordPage(
      files: listed.map { record(of: $0, path: cloud.downloadPath(of: $0)) },
      nextTime: found.count > query.limit ? found[query.limit].startTime : nil)
  }

  private func stretches(_ query: RecordQuery, _ serial: DeviceSerial, _ owner: Int64) async throws
    -> RecordPage
  {
    var stretches: [RecordFile] = []
    var from = query.from
    var seen: Set<String> = []
    while true {
      let found = try await find(query, serial, owner, from: from, count: Self.batch)
      for file in found where seen.insert(file.id).inserted {
        if var last = stretches.last, last.kind == file.kind, last.isEncrypted == file.isEncrypted,
          file.startTime - last.endTime <= Self.gap
        {
          last.endTime = max(last.endTime, file.endTime)
          last.size += file.size
          stretches[stretches.count - 1] = last
        } else if stretches.count == query.limit {
          return RecordPage(files: stretches, nextTime: file.startTime)
        } else {
          stretches.append(record(of: file, path: nil))
        }
      }
      guard found.count == Self.batch, let last = found.last else { return RecordPage(files: stretches) }
      from = last.startTime
    }
  }

  private func days(_ query: RecordQuery, _ serial: DeviceSerial, _ owner: Int64) async throws -> RecordPage {
    let starts = query.dayStarts ?? []
    var days: [Int64] = []
    for (index, start) in starts.enumerated() {
      let end = min(index + 1 < starts.count ? starts[index + 1] : query.to, query.to)
      guard max(start, query.from) < end else { continue }
      let first = try await cloud.index.cloudFiles(
        of: owner, serial: serial, cameraNo: query.cameraNo, from: max(start, query.from), to: end,
        kind: query.kind, count: 1)
      if !first.isEmpty { days.append(start) }
    }
    return RecordPage(files: [], days: days)
  }

  private func find(
    _ query: RecordQuery, _ serial: DeviceSerial, _ owner: Int64, from: Int64, count: Int
  ) async throws -> [CloudFile] {
    try await cloud.index.cloudFiles(
      of: owner, serial: serial, cameraNo: query.cameraNo, from: from, to: query.to, kind: query.kind,
      count: count)
  }

  private func record(of file: CloudFile, path: String?) -> RecordFile {
    RecordFile(
      fileId: file.id, cameraNo: file.cameraNo, store: .cloud, kind: file.kind, startTime: file.startTime,
      endTime: file.endTime, size: file.size, isEncrypted: file.isEncrypted, downloadPath: path)
  }
}
