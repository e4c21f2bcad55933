public import OrielMedia
public import OrielModel

/// A recording file as the index knows it.
public struct StoredRecording: Sendable, Equatable {
  /// Camera, stream and start, which no two recordings share: it stays the same when the index is made anew.
  public var id: String { "\(cameraNo)-\(stream.rawValue)-\(startTime)" }
  /// Where it lies, absolute.
  public var path: String
  public var cameraNo: Int
  public var stream: MediaStream
  public var kind: RecordKind
  /// UTC milliseconds.
  public var startTime: Int64
  /// UTC milliseconds: where what is readable now ends.
  public var endTime: Int64
  /// Bytes that are readable now.
  public var size: Int64
  /// It is being written.
  public var isGrowing: Bool
  public var isLocked: Bool
  public var isUploaded: Bool
  public var isEncrypted: Bool

  var key: RecordingKey { RecordingKey(cameraNo: cameraNo, stream: stream, startTime: startTime) }

  /// As a viewer is told of it.
  public var recordFile: RecordFile {
    RecordFile(
      fileId: id, cameraNo: cameraNo, store: .device, kind: kind, startTime: startTime, endTime: endTime,
      size: size, isLocked: isLocked, isEncrypted: isEncrypted)
  }
}

/// What names a recording: no two of one stream begin in the same millisecond.
struct RecordingKey: Sendable, Hashable {
  var cameraNo: Int
  var stream: MediaStream
  /// UTC milliseconds.
  var startTime: Int64

  init(cameraNo: Int, stream: MediaStream, startTime: Int64) {
    self.cameraNo = cameraNo
    self.stream = stream
    self.startTime = startTime
  }

  /// Reads a recording's id; nil when the text is none.
  init?(_ id: String) {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let cameraNo = Int(parts[0]), let number = Int(parts[1]),
      let stream = MediaStream(rawValue: number), let start = Int64(parts[2])
    else { return nil }
    self.init(cameraNo: cameraNo, stream: stream, startTime: start)
  }
}
