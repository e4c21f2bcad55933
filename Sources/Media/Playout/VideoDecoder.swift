internal import Synchronization

/// Access units to frames, with no more delay than the codec needs.
public final class VideoDecoder: Sendable {
  public let codec: VideoCodec
  /// Frames as they are ready; the four newest are kept for a reader that is slow. Ends after ``close()``.
  public let frames: AsyncStream<VideoFrame>
  private let continuation: AsyncStream<VideoFrame>.Continuation
  private let pipeline: Mutex<DecodePipeline?>

  /// Access units that may wait: for what is live.
  public static let waitingLimit = 30

  /// - Parameter waitingLimit: when more access units wait, they are passed over up to the next key frame.
  /// - Throws: ``MediaFailure``.
  public init(codec: VideoCodec, waitingLimit: Int = VideoDecoder.waitingLimit) throws {
    self.codec = codec
    let (frames, continuation) = AsyncStream.makeStream(
      of: VideoFrame.self, bufferingPolicy: .bufferingNewest(4))
    self.frames = frames
    self.continuation = continuation
    pipeline = Mutex(
      try DecodePipeline(
        codec: codec, waitingLimit: waitingLimit,
        onPicture: { sample, label in
          if let frame = VideoFrame(sample, label) { continuation.yield(frame) }
        },
        onFailure: { _ in continuation.finish() }))
  }

  deinit { shut() }

  /// Takes the next access unit and returns at once. Units before the first key frame are passed over.
  public func decode(_ unit: AccessUnit) {
    guard unit.codec == codec else { return }
    pipeline.withLock { $0 }?.push(unit)
  }

  /// Ends the frames and gives back all threads. Frames already given out stay valid.
  public func close() { shut() }

  private func shut() {
    let old = pipeline.withLock { $0.take() }
    continuation.finish()
    old?.stop()
  }
}
