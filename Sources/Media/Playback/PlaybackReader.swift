/// Where a playback finds recordings: a camera's own storage, or the cloud over HTTP.
public protocol PlaybackArchive: Sendable {
  /// The recording that holds a time, UTC milliseconds; of several, one that is not `except`.
  /// - Throws: `PlaybackFailure.number` when the archive cannot say.
  func recording(covering time: Int64, stream: MediaStream, except: String?) async throws
    -> (any ReadableRecording)?
  /// The first recording that begins at that time or later.
  func recording(after time: Int64, stream: MediaStream, except: String?) async throws
    -> (any ReadableRecording)?
}

/// A recording that was opened.
public protocol ReadableRecording: Sendable {
  var stretch: PlaybackStretch { get }
  /// The samples of these fragments, each in the order of time.
  /// - Throws: `PlaybackFailure.unreadable` when they are not what the map says, `.number` when they cannot be got.
  func samples(of indices: [Int], keyFramesOnly: Bool) async throws
    -> [(index: Int, samples: [PlaybackSample])]
  /// The file's own bytes: its head, and a fragment. One after the other they are a recording again.
  /// - Throws: as `samples`.
  func head() async throws -> [UInt8]
  func bytes(of index: Int) async throws -> [UInt8]
  /// Bytes of the head.
  var headSize: Int64 { get }
  /// With what was written since; nil when it is gone.
  func extended() async throws -> (any ReadableRecording)?
}

/// Does the reading that a `PlaybackState` asks for; remembers the recording it found last.
public actor PlaybackReader {
  private let archive: any PlaybackArchive
  private var recording: (any ReadableRecording)?

  public init(archive: any PlaybackArchive) { self.archive = archive }

  public func perform(_ work: PlaybackWork) async -> PlaybackOutcome {
    do {
      switch work {
      case .find(let time, let stream, let except):
        let found = try await find(time, stream, except)
        if let found { recording = found }
        return .found(found?.stretch)
      case .load(let indices, let keyFramesOnly):
        guard let recording else { return .failed(.unreadable) }
        return .loaded(try await recording.samples(of: indices, keyFramesOnly: keyFramesOnly))
      case .extend:
        let extended = try await recording?.extended()
        if let extended { recording = extended }
        return .found(extended?.stretch)
      }
    } catch {
      return .failed(error as? PlaybackFailure ?? .unreadable)
    }
  }

  /// One that is in the way, though it cannot be read, is passed over.
  private func find(_ time: Int64, _ stream: MediaStream, _ except: String?) async throws
    -> (any ReadableRecording)?
  {
    if let found = try await archive.recording(covering: time, stream: stream, except: except),
      found.stretch.endTime > time
    {
      return found
    }
    return try await archive.recording(after: time, stream: stream, except: except)
  }
}
