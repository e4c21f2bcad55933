/// The messages of a device's link to the platform, besides signalling. Every one is a JSON object with `action`.
///
/// The platform opens with `CHALLENGE`; the device answers `HELLO`; the platform answers `WELCOME`, or
/// `REFUSED` and closes. After that: `COMMAND` and `COMMAND_RESULT`, `REPORT`, signalling in both directions.
public struct Challenge: Sendable, Codable, Equatable {
  /// 32 random bytes, base64.
  public var nonce: String

  public init(nonce: String) { self.nonce = nonce }
}

/// Who a device is, signed. The first key that registers a serial owns it.
public struct Hello: Sendable, Codable, Equatable {
  public var serial: DeviceSerial
  /// Ed25519 public key, 32 bytes, base64.
  public var signingKey: String
  /// X25519 public key, 32 bytes, base64.
  public var agreementKey: String
  /// Random per start of the agent: a new one supersedes the old link at once.
  public var bootId: String
  /// Ed25519 over `Hello.signedBytes(nonce:)`, 64 bytes, base64.
  public var signature: String
  public var report: DeviceReport

  public init(
    serial: DeviceSerial, signingKey: String, agreementKey: String, bootId: String, signature: String,
    report: DeviceReport
  ) {
    self.serial = serial
    self.signingKey = signingKey
    self.agreementKey = agreementKey
    self.bootId = bootId
    self.signature = signature
    self.report = report
  }

  /// What the signature covers: the purpose, the platform's nonce and every identifying field, one a line.
  public func signedBytes(nonce: String) -> [UInt8] {
    Array("oriel device hello v1\n\(nonce)\n\(serial)\n\(signingKey)\n\(agreementKey)\n\(bootId)\n".utf8)
  }
}

/// What a device says about itself, at `HELLO` and whenever it changes.
public struct DeviceReport: Sendable, Codable, Equatable {
  public var name: String
  public var model: String
  public var version: String
  public var talk: TalkCapability
  public var cameras: [CameraRecord]

  public init(
    name: String, model: String, version: String, talk: TalkCapability = .none, cameras: [CameraRecord]
  ) {
    self.name = name
    self.model = model
    self.version = version
    self.talk = talk
    self.cameras = cameras
  }
}

/// Platform to device: it is registered.
public struct Welcome: Sendable, Codable, Equatable {
  /// The platform's clock, UTC milliseconds.
  public var time: Int64
  /// The client id that the platform uses for this peer in signalling.
  public var clientId: String
  /// The relays and reflectors to use; credentials are renewed with each offer.
  public var iceServers: [ICEServerRecord]

  public init(time: Int64, clientId: String, iceServers: [ICEServerRecord]) {
    self.time = time
    self.clientId = clientId
    self.iceServers = iceServers
  }
}

/// The platform refuses a link, with the number; it closes the link after that.
public struct Refusal: Sendable, Codable, Equatable {
  public var errorCode: Int

  public init(errorCode: Int) { self.errorCode = errorCode }
}

/// Platform to device: do something and answer with the same id.
public struct Command: Sendable, Codable, Equatable {
  public enum Request: Sendable, Codable, Equatable {
    /// Is this the code on your label? Compared in constant time, never logged, never kept.
    case proveCode(String)
    case setVideoLevel(cameraNo: Int, level: VideoLevel)
    /// A fresh picture: answered with a JPEG.
    case capture(cameraNo: Int)
    /// What the camera's own storage has: answered with a page.
    case findRecordings(RecordQuery)
    /// A small picture of a recorded moment, UTC milliseconds: answered with a JPEG.
    case recordedPicture(cameraNo: Int, time: Int64)
    /// Keeps the recordings between two UTC milliseconds, or gives them free again.
    case lockRecordings(cameraNo: Int, from: Int64, to: Int64, isLocked: Bool)
    /// Something happened: records it, with what came before.
    case recordEvent(cameraNo: Int, name: String)
  }

  public var id: String
  public var request: Request

  public init(id: String, request: Request) {
    self.id = id
    self.request = request
  }
}

/// Device to platform: the outcome of a command.
public struct CommandResult: Sendable, Codable, Equatable {
  public var id: String
  /// 0 for success, else the number.
  public var errorCode: Int
  /// A JPEG in base64, at most 256 KiB decoded; for `capture` and `recordedPicture`.
  public var jpeg: String?
  /// Only for `findRecordings`.
  public var recordings: RecordPage?

  public init(id: String, errorCode: Int = 0, jpeg: String? = nil, recordings: RecordPage? = nil) {
    self.id = id
    self.errorCode = errorCode
    self.jpeg = jpeg
    self.recordings = recordings
  }
}

/// Device to platform: a cover picture of one camera.
public struct Cover: Sendable, Codable, Equatable {
  public var cameraNo: Int
  /// A JPEG in base64, at most 256 KiB decoded.
  public var jpeg: String

  public init(cameraNo: Int, jpeg: String) {
    self.cameraNo = cameraNo
    self.jpeg = jpeg
  }
}
