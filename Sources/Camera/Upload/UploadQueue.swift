public import OrielModel

/// What of its recordings a camera uploads.
public enum UploadChoice: String, Sendable, Codable, CaseIterable {
  case all
  /// Only those around an event.
  case events
  case none
}

/// A finished recording on the camera's own storage that may be uploaded.
public struct UploadItem: Sendable, Equatable {
  /// Names it within the camera's storage.
  public var id: String
  public var path: String
  public var cameraNo: Int
  public var kind: RecordKind
  /// UTC milliseconds.
  public var startTime: Int64
  /// UTC milliseconds.
  public var endTime: Int64

  public init(
    id: String, path: String, cameraNo: Int, kind: RecordKind, startTime: Int64, endTime: Int64
  ) {
    self.id = id
    self.path = path
    self.cameraNo = cameraNo
    self.kind = kind
    self.startTime = startTime
    self.endTime = endTime
  }
}

/// The recordings that wait to be uploaded, kept by the camera's own storage.
///
/// What it deletes when room is short should be uploaded ones first, so that an outage loses none while there is room.
public protocol UploadQueue: Sendable {
  /// The oldest finished recording that was neither uploaded nor given up.
  func nextToUpload(_ choice: UploadChoice) async throws -> UploadItem?
  /// The cloud has it for good.
  func markUploaded(_ id: String) async throws
  /// The cloud will never take it: it is not offered again.
  func giveUp(_ id: String, because code: ErrorCode) async throws
}
