internal import Dispatch
internal import Synchronization

/// What a finished clip holds.
public struct ClipSummary: Sendable, Equatable {
  public var path: String
  public var duration: Duration
  public var pictures: Int
  public var audioPackets: Int
  /// Size of the file in bytes.
  public var size: Int64

  public init(path: String, duration: Duration, pictures: Int, audioPackets: Int, size: Int64) {
    self.path = path
    self.duration = duration
    self.pictures = pictures
    self.audioPackets = audioPackets
    self.size = size
  }
}

/// Writes access units and packets of sound to an MP4 file as they are, without transcoding.
///
/// While it grows the file is a fragmented MP4, so that what was written survives a crash;
/// ``finish()`` makes it one that every player opens. The disk is written on a queue of its own: `write`
/// returns at once.
public final class ClipWriter: Sendable {
  private let path: String
  private let codec: VideoCodec
  private let queue = DispatchQueue(label: "oriel.clip")
  private let recording: Mutex<ClipRecording>
  /// Known trouble, for the next caller; also whether the clip has ended.
  private let state = Mutex(State())

  private struct State {
    var failure: MediaFailure?
    var isFinished = false
    /// Bytes handed to the queue and not yet dealt with.
    var backlog = 0
  }

  /// A disk that is so far behind, in bytes, is as good as full.
  static let backlogLimit = 64 << 20

  /// - Parameter sound: how its sound is encoded; nil makes a clip without. Packets of another form are passed over.
  /// - Throws: ``MediaFailure/notWritable`` when the file cannot be made. An existing file is replaced when the
  ///   first picture comes.
  public init(path: String, video: VideoCodec, sound: AudioForm?) throws {
    self.path = path
    codec = video
    recording = Mutex(try ClipRecording(path: path, codec: video, sound: sound))
  }

  /// Units before the first key frame are passed over.
  /// - Throws: ``MediaFailure/storageFull(kept:)``, ``MediaFailure/notWritable``,
  ///   ``MediaFailure/codecChanged``, ``MediaFailure/closed``: what went wrong up to now.
  public func write(_ unit: AccessUnit) throws {
    guard unit.codec == codec else { throw MediaFailure.codecChanged }
    try enqueue(unit.bytes.count) { try $0.add(unit) }
  }

  /// Sound before the first picture is passed over, and all sound when the clip was made without.
  public func write(_ packet: AudioPacket) throws {
    try enqueue(packet.bytes.count) { try $0.add(packet) }
  }

  /// Returns when what was given so far is on the disk, or has failed: for who is faster than the disk.
  public func settle() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  /// Ends the clip.
  /// - Throws: ``MediaFailure/nothingRecorded`` when no picture came; ``MediaFailure/storageFull(kept:)``;
  ///   ``MediaFailure/closed`` the second time.
  public func finish() async throws -> ClipSummary {
    try state.withLock { state in
      guard !state.isFinished else { throw MediaFailure.closed }
      state.isFinished = true
    }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          with: Result { try recording.withLock { try $0.finish() } })
      }
    }
  }

  private func enqueue(_ size: Int, _ work: @escaping @Sendable (inout ClipRecording) throws -> Void) throws {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      guard !state.isFinished else { throw MediaFailure.closed }
      guard state.backlog + size <= Self.backlogLimit else {
        state.failure = .notWritable
        throw MediaFailure.notWritable
      }
      state.backlog += size
    }
    queue.async { [self] in
      var failure: MediaFailure?
      recording.withLock { recording in
        do { try work(&recording) } catch { failure = (error as? MediaFailure) ?? .notWritable }
      }
      state.withLock { state in
        state.backlog -= size
        if state.failure == nil { state.failure = failure }
      }
    }
  }
}
