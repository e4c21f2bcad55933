public import OrielModel

/// The recordings that wait to be uploaded.
extension RecordingStore: UploadQueue {
  public func nextToUpload(_ choice: UploadChoice) throws -> UploadItem? {
    try index.oldestWaiting(choice).map {
      UploadItem(
        id: $0.id, path: $0.path, cameraNo: $0.cameraNo, kind: $0.kind, startTime: $0.startTime,
        endTime: $0.endTime)
    }
  }

  public func markUploaded(_ id: String) throws { try mark(id, .uploaded) }

  public func giveUp(_ id: String, because code: ErrorCode) throws { try mark(id, .givenUp) }

  private func mark(_ id: String, _ mark: UploadMark) throws {
    guard let key = RecordingKey(id) else { throw OrielError(.recordNotFound) }
    try index.setUploaded(key, mark)
  }
}
