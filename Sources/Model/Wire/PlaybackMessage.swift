/// What a playback message asks for or tells. Raw values are the second manual's; `rate`, `step`, `fetch`
/// and `gap` are ours.
public enum PlaybackAction: String, Sendable, Codable, CaseIterable {
  // Viewer to camera
  case seek
  case play
  case pause
  /// Either way: which stretches there are between `startTime` and `endTime`; answered with `list`.
  case mediaInfo
  /// Either way: where the recordings begin; answered with `startTime`.
  case mediaInfoStartTime
  /// Speed: `rate`, 0.0625...16. Above 4 only key frames are sent.
  case rate
  /// The next picture, while paused.
  case step
  /// Either way: the recordings of the session's range as files, instead of pictures. Answered for each with one message
  /// that tells `timeMs` (its start) and `size`, and then with so many bytes in binary messages; `playbackEnd` is last.
  case fetch
  // Camera to viewer
  /// Where playback is, about twice a second.
  case tsTimeStamp
  case playing
  case pausing
  /// A seek was carried out: its pictures follow.
  case seeking
  /// Nothing was recorded between `startTime` and `endTime`: playback has jumped over it.
  case gap
  /// The definite end: all was sent (`errorCode` 0), or it ended with this number.
  case playbackEnd
}

/// A recorded stretch, epoch seconds.
public struct PlaybackMediaInfo: Sendable, Codable, Equatable {
  public var start: Int64
  public var end: Int64

  public init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }
}

/// The second manual's PlaybackMessage: JSON text on the data channel of a playback session.
///
/// Fields in epoch seconds are the manual's; those after `version` are ours and absent from a plain client's.
///
/// `seeking`, `playing`, `pausing`, `gap` and `tsTimeStamp` carry an anchor: the picture with `rtpTimestamp` was
/// taken at `timeMs`, and from there on time passes `rate` times as fast as on the RTP clock. So a viewer knows the
/// OSD time of every picture, and which pictures belong to the seek it asked for last.
public struct PlaybackMessage: Sendable, Codable, Equatable {
  /// The value of `type`.
  public static let type = "playback"

  public var senderClientId: String?
  public var type: String
  public var action: PlaybackAction
  /// Seek target or position, epoch seconds.
  public var time: Int64?
  public var startTime: Int64?
  public var endTime: Int64?
  public var list: [PlaybackMediaInfo]?
  /// Position report, epoch seconds.
  public var timeStamp: Int64?
  public var version: String?
  /// The same instant as `time` or `timeStamp`, UTC milliseconds.
  public var timeMs: Int64?
  /// Chosen by the viewer with `seek`, `rate`, `step`; the answer repeats it. The last one sent counts.
  public var requestId: Int?
  public var rate: Double?
  /// The RTP timestamp (90 kHz) of the first picture this message speaks of.
  public var rtpTimestamp: UInt32?
  /// With `seeking`, and with `playing` when decoding begins anew: pictures from this RTP timestamp on belong to it;
  /// those before `rtpTimestamp` are only needed to decode what follows and are not to be shown.
  public var firstRtpTimestamp: UInt32?
  public var errorCode: Int?
  /// With `fetch`: bytes that follow.
  public var size: Int64?

  public init(
    action: PlaybackAction, time: Int64? = nil, startTime: Int64? = nil, endTime: Int64? = nil
  ) {
    type = Self.type
    self.action = action
    self.time = time
    self.startTime = startTime
    self.endTime = endTime
  }
}
