/// What a playback learns.
public enum PlaybackInput: Sendable {
  /// Begin at the start of the range.
  case start
  case play
  case pause
  /// UTC milliseconds.
  case seek(to: Int64, requestId: Int?)
  /// 0.0625...16.
  case rate(Double, requestId: Int?)
  /// The next picture; pauses.
  case step(requestId: Int?)
  /// Go on with this stream where playback is.
  case stream(MediaStream)
  /// The viewer lost the picture: decoding begins anew where playback is.
  case refresh
  /// Time has passed.
  case tick
  /// What was asked for by `PlaybackEffect.work`.
  case done(PlaybackOutcome)
}

/// Reading that a playback asks for; one at a time.
public enum PlaybackWork: Sendable, Equatable {
  /// The recording that holds this time, or the next one after it; not `except`.
  case find(time: Int64, stream: MediaStream, except: String?)
  /// These fragments of the recording found last; of each only the key frame it begins with, or everything.
  case load([Int], keyFramesOnly: Bool)
  /// What was written since.
  case extend
}

public enum PlaybackOutcome: Sendable {
  /// Nil: nothing follows.
  case found(PlaybackStretch?)
  /// The samples of each fragment, in the order of time.
  case loaded([(index: Int, samples: [PlaybackSample])])
  case failed(PlaybackFailure)
}

/// A picture or sound on its way to the viewer.
public struct PlaybackUnit: Sendable {
  public var sample: PlaybackSample
  /// When it is to be shown, on the session's own clock; rises strictly for pictures.
  public var presentation: Duration
  /// Only needed for decoding what follows.
  public var isPreroll: Bool
}

/// Where playback is: the picture shown at `presentation` was taken at `time`, and from there on time passes `rate`
/// times as fast.
public struct PlaybackAnchor: Sendable, Equatable {
  /// UTC milliseconds.
  public var time: Int64
  public var presentation: Duration
  public var rate: Double
}

/// What a playback tells its viewer.
public enum PlaybackNews: Sendable, Equatable {
  /// A seek was carried out: pictures from `first` on belong to it, those before the anchor's are not to be shown.
  case moved(requestId: Int?, PlaybackAnchor, first: Duration)
  /// It runs from the anchor on; `first` as above, when decoding began anew.
  case playing(requestId: Int?, PlaybackAnchor, first: Duration?)
  case paused(requestId: Int?, PlaybackAnchor)
  case gap(from: Int64, to: Int64, PlaybackAnchor)
  /// Said about twice a second.
  case position(PlaybackAnchor)
  /// Not done; playback goes on as it was.
  case refused(requestId: Int?, PlaybackFailure)
  /// The end: of what there is (nil), or because of a failure. Only a seek leads back.
  case ended(requestId: Int?, time: Int64, PlaybackFailure?)
}

public enum PlaybackEffect: Sendable {
  case work(PlaybackWork)
  case send(PlaybackUnit)
  case tell(PlaybackNews)
  /// What was sent and has not left is of no use any more.
  case discardUnsent
  /// Say `tick` then; replaces what was said before.
  case wake(at: Duration)
}
