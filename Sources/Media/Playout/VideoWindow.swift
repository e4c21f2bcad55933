/// A window that shows frames.
public final class VideoWindow: Sendable {
  /// Ends when the person closes the window, or after ``close()``.
  public let closed: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// - Throws: ``MediaFailure/noDisplay`` when there is no screen.
  public init(title: String) throws {
    (closed, continuation) = AsyncStream.makeStream()
  }

  public func show(_ frame: VideoFrame) {}
  public func close() { continuation.finish() }
}
