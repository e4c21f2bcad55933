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
  /// A playback holds its picture.
  case paused
  /// A playback goes on.
  case resumed
  /// A playback is at this time now, UTC milliseconds: its first picture comes next.
  case seeked(to: Int64)
  /// Nothing was recorded between these UTC milliseconds: the playback has jumped over it.
  case gap(from: Int64, to: Int64)
  /// A playback runs at this speed now.
  case rateChanged(Double)
  /// What was asked of a playback cannot be done; it goes on as it was.
  case refused(OrielError)
  /// A playback has shown everything. It stands there until it is sought in or stopped.
  case ended
  /// There is no sound, though it was asked for; the picture goes on.
  case soundFailed(OrielError)
  /// The camera hears this side, as it can (with half duplex only after `speak(true)`).
  case talkStarted(TalkCapability)
  /// Half duplex: the direction has been turned round.
  case talkTurned(isSpeaking: Bool)
  /// The talk was ended here, or by the camera without a reason.
  case talkEnded
  /// There is no talk, or none any more, for this reason; the picture goes on.
  case talkFailed(OrielError)
  /// The recording ended by itself; what was written until then is kept where that was possible.
  case recordingFailed(OrielError)
  /// The view has ended with this number. It may be started again.
  case failed(OrielError)
  /// The view was stopped; nothing follows until it is started again.
  case stopped
}
