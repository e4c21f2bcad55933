import Foundation
import OrielMedia
import OrielModel

/// Where pictures and events leave a player.
///
/// It holds the promise that nothing follows a stop: what comes from a run that is over is dropped, and a stop
/// waits for a sink that is being called on another thread. A sink may itself stop the player.
final class PlayerOutlet: @unchecked Sendable {
  // Every stored property is guarded by `lock`, which is recursive so that a sink may call the player.
  private let lock = NSRecursiveLock()
  private var run = 0
  private var isRunning = false
  private var last: VideoFrame?
  private var size: (width: Int, height: Int)?
  /// Counts the seeks that were asked for. From the asking on until the last one is answered nothing is shown.
  private var seeks = 0
  private var shownFrom = Duration.zero
  private var sink: (@Sendable (VideoFrame) -> Void)?
  private var surface: (any FrameSurface)?
  private var observer: (@Sendable (PlayerEvent) -> Void)?

  let events: AsyncStream<PlayerEvent>
  let frames: AsyncStream<VideoFrame>
  private let eventsEnd: AsyncStream<PlayerEvent>.Continuation
  private let framesEnd: AsyncStream<VideoFrame>.Continuation

  init() {
    (events, eventsEnd) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    (frames, framesEnd) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Begins a run.
  /// - Returns: its number, or nil when one is under way.
  func begin() -> Int? {
    lock.withLock {
      guard !isRunning else { return nil }
      isRunning = true
      run += 1
      size = nil
      last = nil
      shownFrom = .zero
      return run
    }
  }

  /// Ends the run from outside.
  /// - Returns: false when none is under way.
  func end() -> Bool {
    lock.withLock {
      guard isRunning else { return false }
      isRunning = false
      pass(.stopped)
      return true
    }
  }

  func emit(_ event: PlayerEvent, in run: Int) {
    lock.withLock {
      guard isRunning, run == self.run else { return }
      if case .failed = event { isRunning = false }
      pass(event)
    }
  }

  /// A seek was asked for: no picture that was decoded for an older one is shown from now on.
  /// - Returns: its number; nil when no view is under way.
  func beginSeek() -> Int? {
    lock.withLock {
      guard isRunning else { return nil }
      seeks += 1
      shownFrom = Self.never
      return seeks
    }
  }

  /// The pictures of a seek come, from this time stamp on; unless there was another seek since.
  func open(from timestamp: Duration, seek: Int) {
    lock.withLock {
      if seek == seeks { shownFrom = timestamp }
    }
  }

  private static let never = Duration.seconds(Int64.max / 2)

  private func isShown(_ frame: VideoFrame, in run: Int) -> Bool {
    isRunning && run == self.run && frame.timestamp >= shownFrom
  }

  /// Makes the frame the last one, without showing it yet.
  /// - Returns: false when it is not to be shown.
  func keep(_ frame: VideoFrame, in run: Int) -> Bool {
    lock.withLock {
      guard isShown(frame, in: run) else { return false }
      last = frame
      return true
    }
  }

  func show(_ frame: VideoFrame, in run: Int) {
    lock.withLock {
      guard isShown(frame, in: run) else { return }
      last = frame
      if size.map({ $0 != (frame.width, frame.height) }) ?? true {
        size = (frame.width, frame.height)
        pass(.sizeChanged(width: frame.width, height: frame.height))
        // The observer may have stopped the player.
        guard isRunning, run == self.run else { return }
      }
      framesEnd.yield(frame)
      surface?.show(frame)
      sink?(frame)
    }
  }

  /// The last picture; nil before the first. It stays after a stop.
  var lastFrame: VideoFrame? { lock.withLock { last } }
  /// When the last picture was taken, UTC milliseconds; 0 when nobody knows.
  var playbackTime: Int64? { lock.withLock { last.flatMap { $0.captureTime > 0 ? $0.captureTime : nil } } }
  var pictureSize: (width: Int, height: Int)? { lock.withLock { size } }
  var isActive: Bool { lock.withLock { isRunning } }

  func setSink(_ sink: (@Sendable (VideoFrame) -> Void)?) { lock.withLock { self.sink = sink } }
  func setSurface(_ surface: (any FrameSurface)?) { lock.withLock { self.surface = surface } }
  func setObserver(_ observer: (@Sendable (PlayerEvent) -> Void)?) {
    lock.withLock { self.observer = observer }
  }

  /// The player is gone.
  func finish() {
    lock.withLock {
      isRunning = false
      sink = nil
      surface = nil
      observer = nil
    }
    eventsEnd.finish()
    framesEnd.finish()
  }

  private func pass(_ event: PlayerEvent) {
    eventsEnd.yield(event)
    observer?(event)
  }
}
