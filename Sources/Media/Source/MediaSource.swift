/// A camera's pictures and sound, from wherever they come, in the form that viewers take.
///
/// It keeps trying by itself: what goes wrong is an event, not an end.
public final class MediaSource: Sendable {
  public let location: SourceLocation
  public let options: SourceOptions
  /// Everything that comes out; read it once. It ends after ``stop()``. A reader that falls 1024 events behind
  /// loses the oldest.
  public let events: AsyncStream<SourceEvent>
  private let continuation: AsyncStream<SourceEvent>.Continuation

  public init(_ location: SourceLocation, options: SourceOptions = SourceOptions()) {
    self.location = location
    self.options = options
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
  }

  /// Begins; returns at once.
  public func start() {}

  /// Ends, and returns when every thread and descriptor is given back. No event comes afterwards.
  public func stop() async { continuation.finish() }

  /// Turns the sub stream on or off; it costs nothing while it is off. On by itself it never is.
  public func setSubStream(_ active: Bool) {}

  /// Asks for a key frame soon. Does nothing for a stream that is passed on.
  public func requestKeyFrame(_ stream: MediaStream) {}

  /// Sets what an encoder made here aims at. Does nothing for a stream that is passed on.
  public func setBitrate(_ stream: MediaStream, bitsPerSecond: Int) {}
}
