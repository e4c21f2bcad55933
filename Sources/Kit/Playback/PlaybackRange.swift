public import OrielModel

/// What a playback shows: where it lies, and from when to when.
public struct PlaybackRange: Sendable, Equatable {
  public var store: RecordStore
  /// UTC milliseconds: the first picture, or the next one that was recorded.
  public var from: Int64
  /// UTC milliseconds, later than `from`: what is taken then is not shown any more. Nil: to the end of what is
  /// recorded; what is recorded while it plays is played too.
  public var to: Int64?

  public init(store: RecordStore = .device, from: Int64, to: Int64? = nil) {
    self.store = store
    self.from = from
    self.to = to
  }

  /// One recording.
  public init(_ file: RecordFile) {
    self.init(store: file.store, from: file.startTime, to: file.endTime)
  }
}
