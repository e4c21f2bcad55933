import OrielModel

extension RecordingStore {
  /// Notes that something happened; an event that touches the one before makes that longer.
  /// - Throws: `OrielError` 720101, 720001.
  func note(_ event: RecordedEvent) throws {
    var event = event
    if let last = try index.lastEvent(event.cameraNo, startingUntil: event.startTime),
      last.endTime >= event.startTime
    {
      event.startTime = last.startTime
      event.endTime = max(last.endTime, event.endTime)
      event.name = last.name
    }
    try index.putEvent(event)
    try folder.append(event)
  }
}
