/// What a talk message asks for or tells.
public enum TalkAction: String, Sendable, Codable, CaseIterable {
  // Viewer to camera
  /// Wants to talk. Answered with `started` or `ended`.
  case start
  /// Half duplex: the viewer speaks and the camera listens from now on.
  case speak
  /// Half duplex: the camera speaks and the viewer listens, as it is at first.
  case listen
  /// Still there, once a second; a talker that says nothing and sends no sound for four seconds loses the line.
  case alive
  case stop
  // Camera to viewer
  /// The line is the viewer's; `duplex` says how both may speak.
  case started
  /// The direction is turned round.
  case speaking
  case listening
  /// The talk is over, or was refused; `errorCode` says why, 0 is a normal end.
  case ended
}

/// A message about two-way audio: JSON text on the data channel of a session, live or playback.
///
/// The sound itself goes by RTP, both ways in the session's one audio section.
public struct TalkMessage: Sendable, Codable, Equatable {
  /// The value of `type`.
  public static let type = "talk"

  public var type: String
  public var action: TalkAction
  public var duplex: TalkCapability?
  public var errorCode: Int?

  public init(_ action: TalkAction, duplex: TalkCapability? = nil, errorCode: Int? = nil) {
    type = Self.type
    self.action = action
    self.duplex = duplex
    self.errorCode = errorCode
  }
}
