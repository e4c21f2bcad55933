import Foundation
import OrielModel
import OrielNet

/// What an account may do with devices: both HTTP interfaces stand on it.
///
/// Of a device that is another's, one hears what the manual's table says when one tries to add or to probe it;
/// everything else answers as if there were none.
struct DeviceRegistry: Sendable {
  static let commandLimit = Duration.seconds(10)
  static let captureLimit = Duration.seconds(15)
  static let nameLimit = 50
  /// Addresses of covers stay the same for this long, so that they can be cached.
  static let coverPeriod: Int64 = 3_600_000

  let store: any Store
  let switchboard: Switchboard
  let pictures: PictureFolder
  let addresses: SignedAddress
  let codes: AttemptLedger
  let inquiries: CallBudgets
  let captures: CallBudgets
  /// Questions about the recordings of a device: a timeline asks a few at once.
  let records: CallBudgets
  let cloud: Cloud?
  let time: PlatformTime

  init(
    store: any Store, switchboard: Switchboard, pictures: PictureFolder, addresses: SignedAddress,
    cloud: Cloud? = nil, time: PlatformTime, loop: EventLoop
  ) {
    self.store = store
    self.switchboard = switchboard
    self.pictures = pictures
    self.addresses = addresses
    self.cloud = cloud
    self.time = time
    codes = AttemptLedger(policy: .code, time: time, loop: loop)
    inquiries = CallBudgets(burst: 60, perSecond: 1, time: time, loop: loop)
    captures = CallBudgets(burst: 3, perSecond: 0.25, time: time, loop: loop)
    records = CallBudgets(burst: 100, perSecond: 10, time: time, loop: loop)
  }

  // MARK: Reading

  /// - Throws: `OrielError` 120018 when the account has no such device.
  func device(_ serial: DeviceSerial, of caller: Caller) async throws -> StoredDevice {
    guard let device = try await store.device(serial), device.owner == caller.account else {
      throw OrielError(.notMyDevice)
    }
    return device
  }

  func record(of device: StoredDevice) async -> DeviceRecord {
    record(of: device, isOnline: await switchboard.isOnline(device.serial))
  }

  /// Every device of the account, in the order they were added.
  func records(of caller: Caller) async throws -> [DeviceRecord] {
    let devices = try await store.devices(of: caller.account, from: 0, count: .max).elements
    let online = await switchboard.online(among: devices.map(\.serial))
    return devices.map { record(of: $0, isOnline: online.contains($0.serial)) }
  }

  private func record(of device: StoredDevice, isOnline: Bool) -> DeviceRecord {
    DeviceRecord(
      serial: device.serial, name: device.name, model: device.model, version: device.version,
      status: isOnline ? .online : .offline, talk: device.talk, addTime: device.added,
      cameras: device.cameras.map { camera in
        var record = camera.record
        record.coverURL = coverAddress(of: camera, on: device)
        return record
      })
  }

  // MARK: Adding and removing

  /// Looks at a device before it is added.
  /// - Returns: what it is, when it is online and free.
  /// - Throws: `OrielError` 120002, 120020, 120022, 120023, 120024, 120029 as the manual says.
  func probe(_ serial: DeviceSerial, by caller: Caller) async throws -> StoredDevice {
    try await inquiries.spend("\(caller.account)")
    guard let device = try await store.device(serial) else { throw OrielError(.deviceNotFound) }
    let isOnline = await switchboard.isOnline(serial)
    switch (device.owner, isOnline) {
    case (nil, true): return device
    case (nil, false): throw OrielError(.deviceOfflineNotAdded)
    case (caller.account, true): throw OrielError(.deviceOnlineAdded)
    case (caller.account, false): throw OrielError(.deviceOfflineIsAddedMyself)
    case (_, true): throw OrielError(.deviceOnlineIsAdded)
    case (_, false): throw OrielError(.deviceOfflineIsAdded)
    }
  }

  /// Adds a device, which must be online to prove the code on its label.
  /// - Throws: `OrielError` 120002, 120007, 120008, 120010, 120013, 120017, 110006, 110029.
  func add(_ serial: DeviceSerial, code: String, name: String?, by caller: Caller, address: String)
    async throws -> StoredDevice
  {
    try await inquiries.spend("\(caller.account)")
    let name = try name.flatMap { $0.isEmpty ? nil : try Self.checked(name: $0) }
    guard let device = try await store.device(serial) else { throw OrielError(.deviceNotFound) }
    if let owner = device.owner {
      throw OrielError(owner == caller.account ? .deviceAddedByMyself : .addedByAnother)
    }
    let code = try VerificationCode(code)
    guard await switchboard.isOnline(serial) else { throw OrielError(.deviceOffline) }
    try await prove(code, of: serial, by: caller, address: address)
    try await store.claim(serial, by: caller.account, name: name, at: time.wall())
    await switchboard.ownerChanged(of: serial, from: nil, to: caller.account)
    return try await self.device(serial, of: caller)
  }

  private func prove(_ code: VerificationCode, of serial: DeviceSerial, by caller: Caller, address: String)
    async throws
  {
    let ticket = try await codes.begin(
      subject: serial.value, parties: ["\(caller.account)", AttemptAddress.key(address)])
    let result: CommandResult
    do {
      result = try await switchboard.command(
        .proveCode(code.letters), to: serial, within: Self.commandLimit)
    } catch {
      await codes.withdrawn(ticket)
      throw error
    }
    switch ErrorCode(rawValue: result.errorCode) {
    case .wrongVerificationCode: throw OrielError(.wrongVerificationCode)
    case let code where result.errorCode != 0:
      await codes.withdrawn(ticket)
      throw OrielError(code ?? .addFailedNetwork)
    default: await codes.succeeded(ticket)
    }
  }

  /// Removes a device from the account; sessions end, its pictures are forgotten and its recordings in the cloud
  /// deleted.
  /// - Throws: `OrielError` 120018.
  func remove(_ serial: DeviceSerial, by caller: Caller) async throws {
    let device = try await device(serial, of: caller)
    try await store.release(serial, by: caller.account)
    await switchboard.ownerChanged(of: serial, from: caller.account, to: nil)
    cloud?.sweeper.wake()
    await pictures.removeCovers(of: serial, cameras: device.cameras.map(\.record.cameraNo))
  }

  // MARK: Changing

  /// - Throws: `OrielError` 120018; 110001 for a name that is empty, too long or holds special characters.
  func rename(_ serial: DeviceSerial, to name: String, by caller: Caller) async throws {
    try await store.rename(serial, to: try Self.checked(name: name), by: caller.account)
    await switchboard.announce(.changed, serial, to: caller.account)
  }

  static func checked(name: String) throws -> String {
    let name = name.trimmingCharacters(in: .whitespaces)
    let isClean = name.unicodeScalars.allSatisfy {
      $0.value >= 32 && $0.value != 127 && !"<>\"&\\".unicodeScalars.contains($0)
        && $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
    }
    guard (1...nameLimit).contains(name.count), name.utf8.count <= 4 * nameLimit, isClean else {
      throw OrielError(.parameterError, "a name has 1 to 50 characters and none of < > \" & \\")
    }
    return name
  }

  /// - Throws: `OrielError` 120018, 120001, 120007, 120008.
  func setVideoLevel(_ level: VideoLevel, of cameraNo: Int, on serial: DeviceSerial, by caller: Caller)
    async throws
  {
    _ = try await camera(cameraNo, on: serial, of: caller)
    let result = try await switchboard.command(
      .setVideoLevel(cameraNo: cameraNo, level: level), to: serial, within: Self.commandLimit)
    try Self.check(result)
    try await store.setVideoLevel(level, of: cameraNo, on: serial)
    await switchboard.announce(.changed, serial, to: caller.account)
  }

  // MARK: Pictures

  /// A fresh picture.
  /// - Throws: `OrielError` 120018, 120001, 120007, 120008, 160017; 110029 for more than one in four seconds.
  func capture(_ cameraNo: Int, on serial: DeviceSerial, by caller: Caller) async throws -> [UInt8] {
    _ = try await camera(cameraNo, on: serial, of: caller)
    try await captures.spend("\(serial):\(cameraNo)")
    let result = try await switchboard.command(
      .capture(cameraNo: cameraNo), to: serial, within: Self.captureLimit)
    try Self.check(result)
    guard let jpeg = result.jpeg.flatMap(DeviceLinkState.picture) else { throw OrielError(.captureFailed) }
    await switchboard.saveCover(jpeg, of: cameraNo, on: serial)
    return jpeg
  }

  /// A fresh picture, kept for two hours.
  /// - Returns: its signed path.
  func keepCapture(_ cameraNo: Int, on serial: DeviceSerial, by caller: Caller) async throws -> String {
    let name = try await pictures.saveCapture(try await capture(cameraNo, on: serial, by: caller))
    let now = time.wall()
    return addresses.make(
      path: "/v1/captures/\(name)", scope: "", version: now,
      expires: now + Int64(PictureFolder.captureLifetime * 1_000))
  }

  func coverAddress(of camera: StoredCamera, on device: StoredDevice) -> String? {
    guard let cover = camera.cover, let owner = device.owner else { return nil }
    return addresses.make(
      path: "/v1/devices/\(device.serial)/cameras/\(camera.record.cameraNo)/cover", scope: "\(owner)",
      version: cover, expires: (time.wall() / Self.coverPeriod + 2) * Self.coverPeriod)
  }

  func camera(_ cameraNo: Int, on serial: DeviceSerial, of caller: Caller) async throws -> StoredCamera {
    let device = try await device(serial, of: caller)
    guard let camera = device.cameras.first(where: { $0.record.cameraNo == cameraNo }) else {
      throw OrielError(.cameraNotFound)
    }
    return camera
  }

  static func check(_ result: CommandResult) throws {
    guard result.errorCode != 0 else { return }
    throw OrielError(ErrorCode(rawValue: result.errorCode) ?? .deviceNetworkAnomaly)
  }
}
