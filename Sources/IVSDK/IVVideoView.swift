public import OrielKit
import OrielModel
import Synchronization

/// Shows one lens of a camera: put a window on it, or take the frames. It is itself a place where any player may show
/// its pictures, an `EZPlayer` too.
public final class IVVideoView: FrameSurface {
  private struct State {
    var frames: (@Sendable (VideoFrame) -> Void)?
    var surface: (any FrameSurface)?
  }

  private let state = Mutex(State())

  public init() {}

  /// Calls `frames` with each picture, on a thread of the player's; nil ends it.
  public func onFrame(_ frames: (@Sendable (VideoFrame) -> Void)?) { state.withLock { $0.frames = frames } }

  /// Shows the pictures there; nil: nowhere.
  public func show(on surface: (any FrameSurface)?) { state.withLock { $0.surface = surface } }

  /// Opens a window and shows the pictures in it.
  /// - Throws: `OrielError` 750001 when there is no screen.
  public func openWindow(title: String) throws { show(on: try MediaOutputs.system.window(title)) }

  /// Shows a picture.
  public func show(_ frame: VideoFrame) {
    let (frames, surface) = state.withLock { ($0.frames, $0.surface) }
    surface?.show(frame)
    frames?(frame)
  }

  /// Closes its window, if it has one.
  public func close() { state.withLock { $0.surface }?.close() }
}
