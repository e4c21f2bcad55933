/// What the data channel carries in live view, beside the second manual's PlaybackMessage: the definition.
///
/// JSON text on the channel labelled `DataChannelMessage.label`.
public struct DataChannelMessage: Sendable, Codable, Equatable {
  /// The label of the one data channel of a session. The viewer opens it.
  public static let label = "oriel"

  public enum Kind: String, Sendable, Codable {
    /// Viewer to camera: send this definition from the next key frame on.
    case setVideoLevel
    /// Camera to viewer: from here on pictures are of this definition.
    case videoLevelChanged
    /// Camera to viewer: the source has this state; `errorCode` 0 when it gives pictures.
    case sourceState
  }

  public var type: Kind
  public var videoLevel: VideoLevel?
  public var errorCode: Int?

  public init(type: Kind, videoLevel: VideoLevel? = nil, errorCode: Int? = nil) {
    self.type = type
    self.videoLevel = videoLevel
    self.errorCode = errorCode
  }
}
