public import OrielModel

/// One camera of the agent: where its pictures come from and how it is called.
public struct CameraSourceConfiguration: Sendable {
  /// `test`, `rtsp://host/path`, `/dev/videoN`, or the path of a file that is played in a loop.
  /// An address with user and password in it is refused: use `credentials`.
  public var address: String
  /// What people call the camera; nil makes "Camera 1" and so on.
  public var name: String?
  public var credentials: SourceCredentials?
  /// The definition that new live views start with, until somebody changes it.
  public var videoLevel: VideoLevel
  /// Encode even what could be passed on as it is.
  public var forceEncode: Bool

  public init(
    address: String, name: String? = nil, credentials: SourceCredentials? = nil,
    videoLevel: VideoLevel = .high, forceEncode: Bool = false
  ) {
    self.address = address
    self.name = name
    self.credentials = credentials
    self.videoLevel = videoLevel
    self.forceEncode = forceEncode
  }
}
