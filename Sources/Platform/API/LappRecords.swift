import OrielModel
import OrielNet

/// `video/by/time`: the recordings of a camera, as the manual's platform lists them.
struct LappRecords: Sendable {
  let records: RecordsAPI

  /// Pages that the form without paging follows.
  private static let pageCount = 10

  func answer(_ fields: FormFields, channel: Int, of serial: DeviceSerial, _ caller: Caller) async throws
    -> HTTPResponse
  {
    let now = records.registry.time.wall()
    let times = 0...Int(RecordLimits.time.upperBound)
    let dayStart = now / 86_400_000 * 86_400_000
    var query = RecordQuery(
      cameraNo: channel, from: try fields.integer("startTime", in: times).map(Int64.init) ?? dayStart,
      to: try fields.integer("endTime", in: times).map(Int64.init) ?? now)
    let type = try fields.integer("recType", in: 0...2) ?? 0
    let isPaged = fields["version"] == "2.0"
    if isPaged, let size = try fields.integer("pageSize", in: 1...1000) {
      query.limit = min(size, RecordQuery.pageLimit)
    }
    let stores: [RecordStore] = [[.cloud, .device], [.cloud], [.device]][type]
    let (store, page) = try await first(of: stores, query, serial, caller)
    var files = page.files
    var next = page.nextTime
    if !isPaged {
      for _ in 1..<Self.pageCount {
        guard let from = next else { break }
        query.from = from
        let more = try await records.page(query, in: store, of: serial, by: caller)
        files += more.files
        next = more.nextTime
      }
    }
    let entries = files.map { LappRecord($0, of: serial) }
    if isPaged {
      return LappAPI.success(
        LappRecordPage(files: entries, isAll: next == nil, nextFileTime: next))
    }
    // Nothing is told as null, not as an empty list.
    return LappAPI.success(entries.isEmpty ? nil : entries)
  }

  /// The first store that has something; of several stores one that cannot answer counts as empty while another
  /// can.
  private func first(
    of stores: [RecordStore], _ query: RecordQuery, _ serial: DeviceSerial, _ caller: Caller
  ) async throws -> (RecordStore, RecordPage) {
    var failure: (any Error)?
    var empty: (RecordStore, RecordPage)?
    for store in stores {
      do {
        let page = try await records.page(query, in: store, of: serial, by: caller)
        if !page.files.isEmpty { return (store, page) }
        empty = (store, page)
      } catch { failure = error }
    }
    if let empty { return empty }
    throw failure ?? OrielError(.serverError)
  }
}

struct LappRecord: Encodable {
  let deviceSerial: String
  let channelNo: Int
  let recType: Int
  let startTime: Int64
  let endTime: Int64
  let fileId: String
  let downloadPath: String?
  let crypt: Int

  init(_ file: RecordFile, of serial: DeviceSerial) {
    deviceSerial = serial.value
    channelNo = file.cameraNo
    recType = file.store == .cloud ? 1 : 2
    startTime = file.startTime
    endTime = file.endTime
    fileId = file.fileId
    downloadPath = file.downloadPath
    crypt = file.isEncrypted ? 1 : 0
  }

  private enum Key: String, CodingKey {
    case deviceSerial, channelNo, recType, startTime, endTime, fileType, fileId, fileIndex, coverPic,
      downloadPath, crypt, keyChecksum
  }

  /// Absent values are written as null: clients look for the names.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(deviceSerial, forKey: .deviceSerial)
    try values.encode(channelNo, forKey: .channelNo)
    try values.encode(recType, forKey: .recType)
    try values.encode(startTime, forKey: .startTime)
    try values.encode(endTime, forKey: .endTime)
    try values.encode(1, forKey: .fileType)
    try values.encode(fileId, forKey: .fileId)
    try values.encode(fileId, forKey: .fileIndex)
    try values.encodeNil(forKey: .coverPic)
    try values.encode(downloadPath, forKey: .downloadPath)
    try values.encode(crypt, forKey: .crypt)
    try values.encodeNil(forKey: .keyChecksum)
  }
}

struct LappRecordPage: Encodable {
  let files: [LappRecord]
  let isAll: Bool
  /// The next call's startTime.
  let nextFileTime: Int64?
}
