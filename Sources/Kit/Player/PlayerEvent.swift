public import OrielModel

/// What happens to a view.
public enum PlayerEvent: Sendable, Equatable {
  /// The start was taken up.
  case connecting
  /// The first picture is there.
  case started
  /// The picture's size is known, or another one; pixels.
  case sizeChanged(width: Int, height: Int)
  /// From here on pictures have this definition.
  case videoLevelChanged(VideoLevel)
  /// The connection was lost; it is being made again by itself.
  case reconnecting
  /// Pictures come again.
  case reconnected
  /// There is no sound, though it was asked for; the picture goes on.
  case soundFailed(OrielError)
  /// The recording ended by itself; what was written until then is kept where that was possible.
  case recordingFailed(OrielError)
  /// The view has ended with this number. It may be started again.
  case failed(OrielError)
  /// The view was stopped; nothing follows until it is started again.
  case stopped
}
