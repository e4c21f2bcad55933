/// Access units to frames, with no more delay than the codec needs.
public final class VideoDecoder: Sendable {
  public let codec: VideoCodec
  /// Frames as they are ready; the four newest are kept for a reader that is slow. Ends after ``close()``.
  public let frames: AsyncStream<VideoFrame>
  private let continuation: AsyncStream<VideoFrame>.Continuation

  /// - Throws: ``MediaFailure``.
  public init(codec: VideoCodec) throws {
    self.codec = codec
    (frames, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4))
  }

  /// Takes the next access unit and returns at once. Units before the first key frame are passed over.
  public func decode(_ unit: AccessUnit) {}

  public func close() { continuation.finish() }
}
