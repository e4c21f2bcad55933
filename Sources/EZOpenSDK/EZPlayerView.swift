public import Foundation
public import OrielKit
import OrielModel
import Synchronization

/// Where a player shows its pictures: a window, or what a program does with the frames.
public final class EZPlayerView: NSObject, Sendable {
  let surface: any FrameSurface

  /// A window with this title.
  /// - Throws: an error with code 750001 when there is no screen.
  public init(title: String) throws {
    do { surface = try MediaOutputs.system.window(title) } catch { throw NSError.numbered(error) }
    super.init()
  }

  /// No window: `frames` is called with each picture, one call at a time, on a thread of the player's; it must not
  /// wait for the thread that stops the player.
  public init(frames: @escaping @Sendable (VideoFrame) -> Void) {
    surface = FrameSink(frames)
    super.init()
  }

  /// Shows pictures on a surface of the program's own.
  public init(surface: any FrameSurface) {
    self.surface = surface
    super.init()
  }

  /// Closes the window.
  public func close() { surface.close() }
}

private final class FrameSink: FrameSurface {
  private let sink: @Sendable (VideoFrame) -> Void

  init(_ sink: @escaping @Sendable (VideoFrame) -> Void) { self.sink = sink }

  func show(_ frame: VideoFrame) { sink(frame) }
  func close() {}
}

/// A picture that was taken from a view; on Apple's systems this is a `UIImage`.
public final class EZPicture: NSObject, Sendable {
  /// The picture as JPEG.
  public let jpegData: Data
  /// Pixels.
  public let width: Int
  public let height: Int

  init(jpegData: Data, width: Int, height: Int) {
    self.jpegData = jpegData
    self.width = width
    self.height = height
    super.init()
  }
}
