public import OrielModel

extension Session {
  /// The devices of the account, in the order they were added.
  public func devices() async throws -> [Device] {
    struct Answer: Decodable { var devices: [DeviceRecord] }
    return try await client.call("GET", "/v1/devices", as: Answer.self).devices.map {
      Device(session: self, record: $0)
    }
  }

  /// One device of the account.
  /// - Throws: `OrielError` 120002 when the platform does not know it, 120018 when it is not in this account.
  public func device(_ serial: DeviceSerial) async throws -> Device {
    Device(
      session: self,
      record: try await client.call("GET", "/v1/devices/\(serial)", as: DeviceRecord.self))
  }

  /// Adds a device to the account, which its verification code proves to be at hand.
  /// - Throws: `OrielError` 120010 wrong code, 120002 unknown, 120007 offline, 120017 already here, 120022 or
  ///   120013 in another account, 110006/110029 too many attempts.
  @discardableResult
  public func add(
    _ serial: DeviceSerial, code: VerificationCode, name: String? = nil
  ) async throws -> Device {
    struct Body: Encodable, Sendable {
      var serial: DeviceSerial
      var verifyCode: String
      var name: String?
    }
    let record = try await client.call(
      "POST", "/v1/devices", body: Body(serial: serial, verifyCode: code.letters, name: name),
      as: DeviceRecord.self)
    return Device(session: self, record: record)
  }

  /// Looks at a device before it is added. It answers only for one that is online and free; every other state
  /// is an error, as in the first manual.
  /// - Throws: `OrielError` 120002, 120020, 120022, 120023, 120024, 120029.
  public func probe(_ serial: DeviceSerial) async throws -> ProbedDevice {
    try await client.call("GET", "/v1/devices/\(serial)/probe", as: ProbedDevice.self)
  }

  /// Takes a device out of the account.
  public func remove(_ serial: DeviceSerial) async throws {
    try await client.call("DELETE", "/v1/devices/\(serial)")
  }

  /// Gives a device another name, 1...50 characters.
  public func rename(_ serial: DeviceSerial, to name: String) async throws {
    try await client.call("PATCH", "/v1/devices/\(serial)", body: ["name": name])
  }

  /// Sets the definition that new views of a camera start with; views that run keep theirs.
  public func setVideoLevel(_ level: VideoLevel, of serial: DeviceSerial, cameraNo: Int) async throws {
    try await client.call(
      "PUT", "/v1/devices/\(serial)/cameras/\(cameraNo)/video-level", body: ["level": level.rawValue])
  }

  /// A fresh picture that the camera takes now: a JPEG.
  /// - Throws: `OrielError` 120007 offline, 120008 no answer in time, 160017 it could not.
  public func capture(_ serial: DeviceSerial, cameraNo: Int) async throws -> [UInt8] {
    try await client.bytes(
      "POST", "/v1/devices/\(serial)/cameras/\(cameraNo)/capture", timeout: .seconds(20))
  }

  /// Has the camera take a picture now and the platform keep it.
  /// - Returns: where the JPEG is; whoever has the address may read it, for two hours.
  /// - Throws: as `capture`.
  public func captureAddress(_ serial: DeviceSerial, cameraNo: Int) async throws -> String {
    struct Picture: Decodable { var picUrl: String }
    guard let accessToken else { throw OrielError(.notSignedIn) }
    let form = [
      ("accessToken", accessToken), ("deviceSerial", serial.value), ("channelNo", String(cameraNo)),
    ]
    return try await client.lapp(
      "device/capture", form.map { (name: $0.0, value: $0.1) }, timeout: .seconds(20), as: Picture.self
    ).picUrl
  }

  /// The applications (appKey) that the platform knows; for administrators.
  public func applications() async throws -> [Application] {
    struct Answer: Decodable { var applications: [Application] }
    return try await client.call("GET", "/v1/applications", as: Answer.self).applications
  }

  /// Makes an application; its secret is in the answer, once. For administrators.
  public func addApplication(name: String) async throws -> Application {
    try await client.call("POST", "/v1/applications", body: ["name": name], as: Application.self)
  }

  /// A player that shows nothing and talks. Nothing happens until `startTalk`.
  public func talk(
    with serial: DeviceSerial, cameraNo: Int = 1, options: PlayerOptions = PlayerOptions()
  ) -> Player {
    var options = options
    options.isVoiceOnly = true
    return Player(session: self, serial: serial, cameraNo: cameraNo, options: options)
  }

  /// A player of one camera. Nothing happens until it is started.
  public func player(
    for serial: DeviceSerial, cameraNo: Int = 1, options: PlayerOptions = PlayerOptions()
  ) -> Player {
    Player(session: self, serial: serial, cameraNo: cameraNo, options: options)
  }
}

/// An application of the platform.
public struct Application: Sendable, Codable, Equatable {
  public var appKey: String
  /// Only in the answer that made it.
  public var appSecret: String?
  public var name: String?
}
