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

/// Writes access units and Opus packets to an MP4 file as they are, without transcoding.
///
/// While it grows the file is a fragmented MP4, so that what was written survives a crash;
/// ``finish()`` makes it one that every player opens.
public final class ClipWriter: Sendable {
  /// - Throws: ``MediaFailure/notWritable`` when the file cannot be made. An existing file is replaced.
  public init(path: String, video: VideoCodec, hasAudio: Bool) throws {}

  /// Units before the first key frame are passed over.
  /// - Throws: ``MediaFailure/storageFull(kept:)``, ``MediaFailure/codecChanged``, ``MediaFailure/closed``.
  public func write(_ unit: AccessUnit) throws {}

  /// Sound before the first picture is passed over.
  public func write(_ packet: AudioPacket) throws {}

  /// - Throws: ``MediaFailure/nothingRecorded`` when no picture came; ``MediaFailure/storageFull(kept:)``.
  public func finish() async throws -> ClipSummary { throw MediaFailure.nothingRecorded }
}
