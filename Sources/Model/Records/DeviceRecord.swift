/// Whether a device has a link to the platform. The HTTP API writes 1 and 0, the first manual's SDK 1 and 2.
public enum DeviceStatus: Int, Sendable, Codable {
  case offline = 0
  case online = 1
}

/// The talk capability of a device (`isSupportTalk` of EZDeviceInfo).
public enum TalkCapability: Int, Sendable, Codable {
  case none = 0
  case fullDuplex = 1
  case halfDuplex = 3
}

/// How the pictures of a camera come to be what viewers receive.
public enum VideoDelivery: String, Sendable, Codable {
  /// The source's own access units are passed on untouched.
  case passedOn
  /// The source is decoded and encoded once for all viewers.
  case encoded
}

/// One camera of a device.
public struct CameraRecord: Sendable, Codable, Equatable {
  /// Counts from 1.
  public var cameraNo: Int
  public var name: String
  /// The definition that new live views start with.
  public var videoLevel: VideoLevel
  /// Codec, size and rate of the main stream in plain words ("H264 1920x1080 30/s"); empty while unknown.
  public var mainStream: String
  /// The same of the sub stream; empty when there is none.
  public var subStream: String
  public var delivery: VideoDelivery?
  /// Why the source is encoded rather than passed on, or why it gives no picture; nil when there is nothing to say.
  public var note: String?
  /// Where the cover picture is, signed and short-lived; nil when there is none yet.
  public var coverURL: String?

  public init(
    cameraNo: Int, name: String, videoLevel: VideoLevel = .high, mainStream: String = "",
    subStream: String = "", delivery: VideoDelivery? = nil, note: String? = nil, coverURL: String? = nil
  ) {
    self.cameraNo = cameraNo
    self.name = name
    self.videoLevel = videoLevel
    self.mainStream = mainStream
    self.subStream = subStream
    self.delivery = delivery
    self.note = note
    self.coverURL = coverURL
  }
}

/// A device as the platform knows it and a viewer sees it.
public struct DeviceRecord: Sendable, Codable, Equatable {
  public var serial: DeviceSerial
  public var name: String
  /// The model, such as "oriel-agent".
  public var model: String
  public var version: String
  public var status: DeviceStatus
  public var isEncrypted: Bool
  public var talk: TalkCapability
  /// When it was added to the account, UTC milliseconds.
  public var addTime: Int64
  public var cameras: [CameraRecord]

  public init(
    serial: DeviceSerial, name: String, model: String, version: String, status: DeviceStatus,
    isEncrypted: Bool = false, talk: TalkCapability = .none, addTime: Int64, cameras: [CameraRecord]
  ) {
    self.serial = serial
    self.name = name
    self.model = model
    self.version = version
    self.status = status
    self.isEncrypted = isEncrypted
    self.talk = talk
    self.addTime = addTime
    self.cameras = cameras
  }
}
