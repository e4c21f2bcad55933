/// Where a recording lies.
public enum RecordStore: String, Sendable, Codable, CaseIterable {
  /// On the camera's own storage, reached through the device.
  case device
  /// On the platform.
  case cloud
}

/// Why something was recorded.
public enum RecordKind: String, Sendable, Codable, CaseIterable {
  /// Without a break, whatever happened.
  case continuous
  /// Around an event, with what came just before and after it.
  case event
}

/// One recorded stretch of one camera: a file of the camera's storage or of the cloud, or several that follow each
/// other without a gap.
public struct RecordFile: Sendable, Codable, Equatable {
  /// Names the file within its store: `[A-Za-z0-9-]`, at most 64 characters.
  public var fileId: String
  public var cameraNo: Int
  public var store: RecordStore
  public var kind: RecordKind
  /// UTC milliseconds; the first picture.
  public var startTime: Int64
  /// UTC milliseconds; where the last picture ends. Later than `startTime`.
  public var endTime: Int64
  /// Bytes.
  public var size: Int64
  /// Kept when storage is short, until it is unlocked.
  public var isLocked: Bool
  public var isEncrypted: Bool
  /// Where a cloud file is downloaded, relative to the platform, signed and short-lived; nil on the device.
  public var downloadPath: String?

  public init(
    fileId: String, cameraNo: Int, store: RecordStore, kind: RecordKind = .continuous, startTime: Int64,
    endTime: Int64, size: Int64, isLocked: Bool = false, isEncrypted: Bool = false,
    downloadPath: String? = nil
  ) {
    self.fileId = fileId
    self.cameraNo = cameraNo
    self.store = store
    self.kind = kind
    self.startTime = startTime
    self.endTime = endTime
    self.size = size
    self.isLocked = isLocked
    self.isEncrypted = isEncrypted
    self.downloadPath = downloadPath
  }
}

/// Asks for recordings of one camera.
public struct RecordQuery: Sendable, Codable, Equatable {
  /// What an answer lists.
  public enum Form: String, Sendable, Codable {
    /// Each file.
    case files
    /// Files of one kind that follow each other without a gap are one.
    case stretches
    /// Only which days have something: `RecordPage.days`.
    case days
  }

  /// The most entries of a page.
  public static let pageLimit = 500

  public var cameraNo: Int
  /// UTC milliseconds: what overlaps `from ..< to` is found.
  public var from: Int64
  public var to: Int64
  public var form: Form
  /// Only this kind; nil: all.
  public var kind: RecordKind?
  /// 1...500.
  public var limit: Int
  /// For `days`: minutes that local time is ahead of UTC at the start of each day are told by the caller as the UTC
  /// instants at which its days begin, rising; a day of 23 or 25 hours is no special case then.
  public var dayStarts: [Int64]?

  public init(
    cameraNo: Int, from: Int64, to: Int64, form: Form = .files, kind: RecordKind? = nil,
    limit: Int = RecordQuery.pageLimit, dayStarts: [Int64]? = nil
  ) {
    self.cameraNo = cameraNo
    self.from = from
    self.to = to
    self.form = form
    self.kind = kind
    self.limit = limit
    self.dayStarts = dayStarts
  }
}

/// A part of the recordings that were asked for, in the order of time.
public struct RecordPage: Sendable, Codable, Equatable {
  public var files: [RecordFile]
  /// Where to ask on from, UTC milliseconds; nil when this was all.
  public var nextTime: Int64?
  /// For `RecordQuery.Form.days`: those of `dayStarts` whose day has something.
  public var days: [Int64]?

  public init(files: [RecordFile], nextTime: Int64? = nil, days: [Int64]? = nil) {
    self.files = files
    self.nextTime = nextTime
    self.days = days
  }
}
