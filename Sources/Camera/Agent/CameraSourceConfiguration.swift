import OrielMedia
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

extension CameraSourceConfiguration {
  /// The address as Media takes it.
  /// - Throws: `OrielError` 710007 when it is none, or holds user and password.
  func location() throws -> SourceLocation {
    let location: SourceLocation
    do { location = try SourceLocation(parsing: address) } catch { throw OrielError(.sourceAddressInvalid) }
    guard case .rtsp(let address, let inside) = location else { return location }
    guard inside == nil else {
      throw OrielError(.sourceAddressInvalid, "user and password belong in SOURCE_CREDENTIALS")
    }
    return .rtsp(
      address: address, credentials: credentials.map { Credentials(user: $0.user, password: $0.password) })
  }
}
