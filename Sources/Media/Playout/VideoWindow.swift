internal import Foundation
internal import Synchronization

/// A window that shows frames.
public final class VideoWindow: Sendable {
  /// Ends when the person closes the window, or after ``close()``.
  public let closed: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  private struct State {
    var pipeline: Pipeline
    var input: PipelineElement
    var size = (width: 0, height: 0)
    var count: UInt64 = 0
  }

  private let title: String
  private let state: Mutex<State?>

  /// - Throws: ``MediaFailure/noDisplay`` when there is no screen.
  public init(title: String) throws {
    let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
    self.closed = closed
    self.continuation = continuation
    let environment = ProcessInfo.processInfo.environment
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
      throw MediaFailure.noDisplay
    }
    // Named one by one: the automatic choice also tries sinks that crash where there is no screen (DirectFB).
    let sinks =
      environment["DISPLAY"]?.isEmpty == false ? ["xvimagesink", "ximagesink"] : ["waylandsink"]
    let opened = Pipeline.firstThatOpens(
      sinks.map {
        """
        appsrc name=in format=time is-live=true max-buffers=2 max-bytes=0 max-time=0 leaky-type=downstream \
        ! videoconvert ! videoscale ! \($0) sync=false
        """
      }, onMessage: { if case .error = $0 { continuation.finish() } })
    guard let pipeline = opened, let input = pipeline.element("in") else { throw MediaFailure.noDisplay }
    self.title = title
    state = Mutex(State(pipeline: pipeline, input: input))
  }

  deinit { shut() }

  /// Shows the frame and returns at once; a window that is slow shows the newest.
  public func show(_ frame: VideoFrame) {
    state.withLock { state in
      guard let input = state?.input else { return }
      if state?.size.width != frame.width || state?.size.height != frame.height {
        state?.size = (frame.width, frame.height)
        input.setCaps(frame.caps)
      }
      let time = (state?.count ?? 0) * 1_000_000
      // The title follows the first picture: before it the stream has not begun.
      if state?.count == 1 { input.setTitle(title) }
      state?.count += 1
      frame.standardLayout().withUnsafeBytes { _ = input.push($0, at: time) }
    }
  }

  public func close() { shut() }

  private func shut() {
    let old = state.withLock { state in
      defer { state = nil }
      return state?.pipeline
    }
    continuation.finish()
    old?.stop()
  }
}
