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
  /// Pass H.265 on as it comes; otherwise it is encoded to H.264, since few browsers show H.265.
  public var allowsH265: Bool
  /// The source's own small stream, an address as `address`; nil: the small stream is encoded here.
  public var subAddress: String?
  /// How one may talk with the camera; nil: not at all.
  public var talk: TalkConfiguration?
  /// A microphone of this machine is the camera's sound, instead of the source's own: nil, none; .some(nil), the one
  /// that people chose.
  public var microphone: String??

  public init(
    address: String, name: String? = nil, credentials: SourceCredentials? = nil,
    videoLevel: VideoLevel = .high, forceEncode: Bool = false, allowsH265: Bool = false,
    subAddress: String? = nil
  ) {
    self.address = address
    self.name = name
    self.credentials = credentials
    self.videoLevel = videoLevel
    self.forceEncode = forceEncode
    self.allowsH265 = allowsH265
    self.subAddress = subAddress
  }
}

extension CameraSourceConfiguration {
  /// Whether its addresses can be meant; before anything else is begun.
  /// - Throws: `OrielError` 710007 when one is none, or holds user and password.
  public func check() throws {
    _ = try location()
    _ = try subLocation()
  }

  /// The address as Media takes it.
  /// - Throws: `OrielError` 710007 when it is none, or holds user and password.
  func location() throws -> SourceLocation { try location(of: address) }

  /// As ``location()``, of the small stream.
  func subLocation() throws -> SourceLocation? { try subAddress.map { try location(of: $0) } }

  private func location(of address: String) throws -> SourceLocation {
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
