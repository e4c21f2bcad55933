/// Device to platform: may I store this recording in the cloud? Answered with `UploadGrant` of the same id.
///
/// The same stretch asked for twice, also after a restart of either side, is granted at the offset that has come.
public struct UploadRequest: Sendable, Codable, Equatable {
  /// Chosen by the device, 64 characters at most.
  public var id: String
  public var cameraNo: Int
  public var kind: RecordKind
  /// UTC milliseconds.
  public var startTime: Int64
  /// UTC milliseconds.
  public var endTime: Int64
  /// Bytes of the whole file.
  public var size: Int64
  /// SHA-256 of the whole file, 64 lower-case hexadecimal digits.
  public var digest: String
  public var isEncrypted: Bool
  public var fragments: FragmentList?

  public init(
    id: String, cameraNo: Int, kind: RecordKind, startTime: Int64, endTime: Int64, size: Int64,
    digest: String, isEncrypted: Bool = false, fragments: FragmentList? = nil
  ) {
    self.id = id
    self.cameraNo = cameraNo
    self.kind = kind
    self.startTime = startTime
    self.endTime = endTime
    self.size = size
    self.digest = digest
    self.isEncrypted = isEncrypted
    self.fragments = fragments
  }
}

/// Platform to device: where to send a recording, and from which byte on; or the number of why not.
public struct UploadGrant: Sendable, Codable, Equatable {
  public var id: String
  /// 0 when it is granted.
  public var errorCode: Int
  /// Signed and short-lived, relative to the platform: `PATCH` pieces there with `Upload-Offset`.
  public var path: String?
  /// How many bytes have come already; the file's size when it is all there.
  public var offset: Int64?
  /// Whether the recording is in the cloud: nothing is left to be sent.
  public var isStored: Bool?
  /// When the path ends to be good, UTC milliseconds.
  public var expires: Int64?

  public init(
    id: String, errorCode: Int = 0, path: String? = nil, offset: Int64? = nil, isStored: Bool? = nil,
    expires: Int64? = nil
  ) {
    self.id = id
    self.errorCode = errorCode
    self.path = path
    self.offset = offset
    self.isStored = isStored
    self.expires = expires
  }
}

/// The answer to a piece of an upload, and to `HEAD` by its headers.
public struct UploadProgress: Sendable, Codable, Equatable {
  /// Bytes that have come and are kept.
  public var offset: Int64
  /// Whether the recording is in the cloud for good.
  public var isStored: Bool

  public init(offset: Int64, isStored: Bool) {
    self.offset = offset
    self.isStored = isStored
  }
}
