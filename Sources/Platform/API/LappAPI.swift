import OrielModel
import OrielNet

/// The API of the manual's platform under `/api/lapp`: same paths, parameters, envelope and numbers.
struct LappAPI: Sendable {
  static let prefix = "/api/lapp/"
  static let success = "Operation succeeded"

  let gatekeeper: Gatekeeper
  let registry: DeviceRegistry
  let records: RecordsAPI

  /// Failures are answered with status 200 too: clients read `code`.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.method == "POST" else {
      var response = Self.failure(OrielError(.parameterError, "use POST"))
      response.status = 405
      response.headers["Allow"] = "POST"
      return response
    }
    do {
      return try await answer(
        String(request.path.dropFirst(Self.prefix.count)), try await FormFields(request), request)
    } catch let error as OrielError {
      return Self.failure(error)
    } catch {
      return Self.failure(OrielError(.serverError))
    }
  }

  private func answer(_ call: String, _ fields: FormFields, _ request: HTTPRequest) async throws
    -> HTTPResponse
  {
    if call == "token/get" { return try await token(fields, request) }
    guard Self.calls.contains(call) else { return Self.unknown }
    let caller = try await gatekeeper.caller(token: try fields.required("accessToken"))
    switch call {
    case "device/list": return try await deviceList(fields, caller)
    case "camera/list": return try await cameraList(fields, caller, request)
    default: break
    }
    let serial = try DeviceSerial(try fields.required("deviceSerial"))
    switch call {
    case "device/add":
      _ = try await registry.add(
        serial, code: try fields.required("validateCode"), name: nil, by: caller,
        address: request.remoteAddress)
      return Self.done
    case "device/delete":
      try await registry.remove(serial, by: caller)
      return Self.done
    case "device/name/update":
      let name = try fields.required("deviceName")
      guard name.utf8.count <= DeviceRegistry.nameLimit else { throw OrielError(.parameterError) }
      try await registry.rename(serial, to: name, by: caller)
      return Self.done
    case "device/info":
      let device = try await registry.device(serial, of: caller)
      let address = await registry.switchboard.networkAddress(of: serial)
      return Self.success(LappDeviceInfo(device, address: address, isUTC: fields["version"] == "utc"))
    case "device/status/get":
      if let channel = try channel(fields) {
        _ = try await registry.camera(channel, on: serial, of: caller)
      } else {
        _ = try await registry.device(serial, of: caller)
      }
      let address = await registry.switchboard.networkAddress(of: serial)
      return Self.success(
        LappStatus(
          cloudStatus: registry.cloud == nil ? -2 : 1, netAddress: address ?? "",
          wakeUpStatus: address == nil ? 0 : 1))
    case "device/camera/list": return try await cameras(of: serial, caller, request)
    case "device/capture":
      let channel = try channel(fields) ?? 1
      let path = try await registry.keepCapture(channel, on: serial, by: caller)
      return Self.success(LappPicture(picUrl: try Self.origin(of: request) + path))
    case "video/by/time":
      return try await LappRecords(records: records).answer(
        fields, channel: try channel(fields) ?? 1, of: serial, caller)
    case "cloud/storage/device/info":
      let channel = try channel(fields) ?? 1
      _ = try await registry.camera(channel, on: serial, of: caller)
      guard let cloud = registry.cloud else { throw OrielError(.cloudUnsupported) }
      return Self.success(
        try await LappCloudStorage(
          cloud: cloud, serial: serial, cameraNo: channel, caller: caller, now: registry.time.wall()))
    default: return Self.unknown
    }
  }

  private static let calls: Set = [
    "device/list", "camera/list", "device/add", "device/delete", "device/name/update", "device/info",
    "device/status/get", "device/camera/list", "device/capture", "video/by/time",
    "cloud/storage/device/info",
  ]

  private static let unknown = HTTPResponse.json(
    LappAnswer<NoData>(code: "404", msg: "no such call"), status: 404)

  // MARK: Calls

  private func token(_ fields: FormFields, _ request: HTTPRequest) async throws -> HTTPResponse {
    let issued = try await gatekeeper.token(
      appKey: try fields.required("appKey"), appSecret: try fields.required("appSecret"),
      address: request.remoteAddress)
    return Self.success(
      LappToken(
        accessToken: issued.token.text, expireTime: issued.expires,
        areaDomain: try? Self.origin(of: request)))
  }

  private func deviceList(_ fields: FormFields, _ caller: Caller) async throws -> HTTPResponse {
    let size = try fields.integer("pageSize", in: 1...50) ?? 10
    let start = try fields.integer("pageStart", in: 0...399) ?? 0
    let page: Page<StoredDevice>
    if fields["pageStart"] == nil, let cursor = try fields.integer("id", in: 0...Int.max) {
      page = try await registry.store.devices(of: caller.account, after: Int64(cursor), count: size)
    } else {
      page = try await registry.store.devices(of: caller.account, from: start * size, count: size)
    }
    var devices: [LappDevice] = []
    for device in page.elements {
      devices.append(
        LappDevice(device, address: await registry.switchboard.networkAddress(of: device.serial)))
    }
    return Self.success(devices, page: .init(total: page.total, page: start, size: size))
  }

  private func cameraList(_ fields: FormFields, _ caller: Caller, _ request: HTTPRequest) async throws
    -> HTTPResponse
  {
    let size = try fields.integer("pageSize", in: 1...50) ?? 10
    let start = try fields.integer("pageStart", in: 0...399) ?? 0
    let page = try await registry.store.cameras(of: caller.account, from: start * size, count: size)
    let online = await registry.switchboard.online(among: page.elements.map(\.0.serial))
    let origin = try? Self.origin(of: request)
    let cameras = page.elements.map { device, camera in
      LappCamera(
        camera, of: device, isOnline: online.contains(device.serial),
        picture: picture(of: camera, on: device, origin), isOfDevice: false)
    }
    return Self.success(cameras, page: .init(total: page.total, page: start, size: size))
  }

  private func cameras(of serial: DeviceSerial, _ caller: Caller, _ request: HTTPRequest) async throws
    -> HTTPResponse
  {
    let device = try await registry.device(serial, of: caller)
    let isOnline = await registry.switchboard.isOnline(serial)
    let origin = try? Self.origin(of: request)
    return Self.success(
      device.cameras.map { camera in
        LappCamera(
          camera, of: device, isOnline: isOnline, picture: picture(of: camera, on: device, origin),
          isOfDevice: true)
      })
  }

  private func picture(of camera: StoredCamera, on device: StoredDevice, _ origin: String?) -> String? {
    registry.coverAddress(of: camera, on: device).flatMap { path in origin.map { $0 + path } }
  }

  /// Both spellings are in use.
  private func channel(_ fields: FormFields) throws -> Int? {
    try fields.integer("channelNo", in: 1...999) ?? fields.integer("channel", in: 1...999)
  }

  /// How the client reached the platform: the manual's addresses are absolute.
  private static func origin(of request: HTTPRequest) throws -> String {
    guard let host = request.headers["Host"], RequestOrigin.isAuthority(host) else {
      throw OrielError(.parameterError, "Host is missing")
    }
    return "\(request.isTLS ? "https" : "http")://\(host)"
  }

  // MARK: Envelope

  private static let done = HTTPResponse.json(LappAnswer<NoData>(code: "200", msg: success))

  static func success<Body: Encodable>(_ data: Body, page: LappAnswer<Body>.Paging? = nil)
    -> HTTPResponse
  {
    .json(LappAnswer(data: data, code: "200", msg: success, page: page))
  }

  private static func failure(_ error: OrielError) -> HTTPResponse {
    let entry = error.code.entry
    return .json(
      LappAnswer<NoData>(
        code: String(number(of: error.code)),
        msg: error.detail.map { "\(entry.meaning): \($0)" } ?? entry.meaning
      ))
  }

  /// The API's number. It has no other for an expired token, nor for what is Oriel's own.
  static func number(of code: ErrorCode) -> Int {
    switch code {
    case .accessTokenExpired: 10_002
    case .messageMalformed: 10_001
    default: code.apiNumber ?? 50_000
    }
  }
}
