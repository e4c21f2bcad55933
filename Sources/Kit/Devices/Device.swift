public import OrielModel

/// A device of the account: a record as it was when asked for, and what can be done with it.
public struct Device: Sendable {
  public let session: Session
  public let record: DeviceRecord

  public var serial: DeviceSerial { record.serial }
  public var name: String { record.name }
  public var isOnline: Bool { record.status == .online }
  public var cameras: [CameraRecord] { record.cameras }

  /// The same device as the platform knows it now.
  public func refreshed() async throws -> Device { try await session.device(serial) }

  /// A player of one of its cameras. Nothing happens until it is started.
  public func player(cameraNo: Int = 1, options: PlayerOptions = PlayerOptions()) -> Player {
    session.player(for: serial, cameraNo: cameraNo, options: options)
  }

  public func rename(to name: String) async throws { try await session.rename(serial, to: name) }

  public func remove() async throws { try await session.remove(serial) }

  /// The cover picture, a JPEG.
  /// - Throws: `OrielError` 720004 when the camera has none yet.
  public func cover(cameraNo: Int = 1) async throws -> [UInt8] {
    guard cameras.contains(where: { $0.cameraNo == cameraNo && $0.coverURL != nil }) else {
      throw OrielError(.noPicture)
    }
    return try await session.client.bytes("GET", "/v1/devices/\(serial)/cameras/\(cameraNo)/cover")
  }

  /// A fresh picture that the camera takes now: a JPEG.
  public func capture(cameraNo: Int = 1) async throws -> [UInt8] {
    try await session.capture(serial, cameraNo: cameraNo)
  }
}

/// A device that is online and free to be added.
public struct ProbedDevice: Sendable, Codable, Equatable {
  public var serial: DeviceSerial
  public var name: String
  public var model: String
  public var version: String
  public var status: DeviceStatus
  /// The number of its cameras.
  public var cameraCount: Int

  private enum CodingKeys: String, CodingKey { case serial, name, model, version, status, cameras }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    serial = try values.decode(DeviceSerial.self, forKey: .serial)
    name = try values.decode(String.self, forKey: .name)
    model = try values.decode(String.self, forKey: .model)
    version = try values.decode(String.self, forKey: .version)
    status = try values.decode(DeviceStatus.self, forKey: .status)
    // The platform may write a number or the cameras themselves.
    cameraCount =
      try (try? values.decode(Int.self, forKey: .cameras))
      ?? values.decode([CameraRecord].self, forKey: .cameras).count
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(serial, forKey: .serial)
    try values.encode(name, forKey: .name)
    try values.encode(model, forKey: .model)
    try values.encode(version, forKey: .version)
    try values.encode(status, forKey: .status)
    try values.encode(cameraCount, forKey: .cameras)
  }
}
