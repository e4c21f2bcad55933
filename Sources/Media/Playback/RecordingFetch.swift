/// Reads what was recorded in a range as files, without looking at a picture.
public actor RecordingFetch {
  public enum Piece: Sendable, Equatable {
    /// A recording of so many bytes follows; `time`: when it begins, UTC milliseconds.
    case file(time: Int64, size: Int64)
    case bytes([UInt8])
  }

  private let archive: any PlaybackArchive
  private let window: Range<Int64>
  private var position: Int64
  private var recording: (any ReadableRecording)?
  private var last: String?
  /// Fragments to come; nil: the head comes first.
  private var rest: [Int]?

  public init(archive: any PlaybackArchive, window: Range<Int64>) {
    self.archive = archive
    self.window = window
    position = window.lowerBound
  }

  /// - Returns: nil when that was all.
  /// - Throws: ``PlaybackFailure``.
  public func next() async throws -> Piece? {
    guard let recording else { return try await open() }
    guard var rest else {
      self.rest = Self.fragments(of: recording.stretch, in: window)
      return .bytes(try await recording.head())
    }
    guard let index = rest.first else {
      position = max(position, recording.stretch.endTime)
      last = recording.stretch.id
      self.recording = nil
      return try await open()
    }
    rest.removeFirst()
    self.rest = rest
    return .bytes(try await recording.bytes(of: index))
  }

  private func open() async throws -> Piece? {
    guard position < window.upperBound else { return nil }
    var found = try await archive.recording(covering: position, stream: .main, except: last)
    if found == nil { found = try await archive.recording(after: position, stream: .main, except: last) }
    guard let found, found.stretch.startTime < window.upperBound else { return nil }
    let indices = Self.fragments(of: found.stretch, in: window)
    guard !indices.isEmpty else { return nil }
    recording = found
    rest = nil
    let size = indices.reduce(found.headSize) { $0 + found.stretch.fragments[$1].size }
    return .file(time: found.stretch.startTime, size: size)
  }

  /// From the key frame before the range to its end.
  private static func fragments(of stretch: PlaybackStretch, in window: Range<Int64>) -> [Int] {
    let first = stretch.index(of: window.lowerBound)
    let key = stretch.fragments[...first].lastIndex(where: \.startsWithKeyFrame) ?? first
    return stretch.fragments.indices.filter { $0 >= key && stretch.fragments[$0].time < window.upperBound }
  }
}
