/// When a camera records.
public enum RecordingMode: String, Sendable, CaseIterable {
  /// All the time.
  case continuous
  /// From 5 s before an event to 10 s after it.
  case events
}
