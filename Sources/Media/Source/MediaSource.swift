internal import Synchronization

/// A camera's pictures and sound, from wherever they come, in the form that viewers take.
///
/// It keeps trying by itself: what goes wrong is an event, not an end.
public final class MediaSource: Sendable {
  public let location: SourceLocation
  public let options: SourceOptions
  /// Everything that comes out; read it once. It ends after ``stop()``. A reader that falls 1024 events behind
  /// loses the oldest.
  public let events: AsyncStream<SourceEvent>

  private struct State {
    var main: Task<Void, Never>?
    var sub: Task<Void, Never>?
    var isStopped = false
  }

  private let continuation: AsyncStream<SourceEvent>.Continuation
  private let retirement: Retirement
  private let feed: SourceFeed
  /// The camera's own small stream, when there is one.
  private let subFeed: SourceFeed?
  private let state = Mutex(State())

  public init(_ location: SourceLocation, options: SourceOptions = SourceOptions()) {
    self.location = location
    self.options = options
    let (events, continuation) = AsyncStream.makeStream(
      of: SourceEvent.self, bufferingPolicy: .bufferingNewest(1024))
    self.events = events
    self.continuation = continuation
    let emit: @Sendable (SourceEvent) -> Void = { continuation.yield($0) }
    let timeline = SourceTimeline()
    let retirement = Retirement()
    self.retirement = retirement
    feed = SourceFeed(
      location, role: .main, options: options, timeline: timeline, retirement: retirement, emit: emit)
    subFeed = options.subLocation.map {
      SourceFeed(
        $0, role: .sub, options: options, timeline: timeline, retirement: retirement, emit: emit)
    }
  }

  deinit {
    state.withLock {
      $0.main?.cancel()
      $0.sub?.cancel()
    }
    continuation.finish()
  }

  /// Begins; returns at once. Does nothing the second time.
  public func start() {
    state.withLock { state in
      guard state.main == nil, !state.isStopped else { return }
      let feed = feed
      state.main = Task { await feed.run() }
    }
  }

  /// Ends, and returns when every thread and descriptor is given back. No event comes afterwards.
  public func stop() async {
    let tasks = state.withLock { state in
      state.isStopped = true
      defer {
        state.main = nil
        state.sub = nil
      }
      return [state.main, state.sub]
    }
    continuation.finish()
    for task in tasks { task?.cancel() }
    for task in tasks { await task?.value }
  }

  /// Turns the sub stream on or off; it costs nothing while it is off, as it is at first.
  public func setSubStream(_ active: Bool) {
    guard let subFeed else {
      feed.setSubStream(active)
      return
    }
    state.withLock { state in
      guard !state.isStopped else { return }
      if active, state.sub == nil {
        state.sub = Task { await subFeed.run() }
      } else if !active, let running = state.sub {
        running.cancel()
        state.sub = nil
      }
    }
  }

  /// Asks for a key frame soon. Does nothing for a stream that is passed on.
  public func requestKeyFrame(_ stream: MediaStream) {
    feed.requestKeyFrame(stream)
    if stream == .sub { subFeed?.requestKeyFrame(stream) }
  }

  /// Sets what an encoder made here aims at, 50,000...20,000,000. Does nothing for a stream that is passed on.
  public func setBitrate(_ stream: MediaStream, bitsPerSecond: Int) {
    let value = min(max(bitsPerSecond, 50_000), 20_000_000)
    feed.setBitrate(stream, value)
    if stream == .sub { subFeed?.setBitrate(stream, value) }
  }
}
