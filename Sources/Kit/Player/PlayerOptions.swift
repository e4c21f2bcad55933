public import OrielModel

/// How a player works.
public struct PlayerOptions: Sendable {
  /// The definition to begin with; nil: the one that is set for the camera.
  public var videoLevel: VideoLevel?
  /// How long the first picture may take. After that the view fails with the number of what did not come:
  /// 120008 no answer, 740001 no path, 380209 no picture, 400041 nothing that can be decoded.
  public var connectTimeout: Duration = .seconds(20)
  /// How long a lost view is tried again before it ends with 740002.
  public var lossTimeout: Duration = .seconds(30)
  /// Only relayed paths are used (tests of a TURN server).
  public var relayOnly = false
  /// No picture: a session for talk alone.
  var isVoiceOnly = false
  /// What decodes, sounds and shows.
  public var outputs: MediaOutputs = .system

  public init(videoLevel: VideoLevel? = nil) { self.videoLevel = videoLevel }
}
