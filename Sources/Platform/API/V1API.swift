import Foundation
import OrielCrypto
import OrielModel
import OrielNet

/// What the manual's API lacks, as JSON under `/v1`.
struct V1API: Sendable {
  static let bodyLimit = 64 * 1024
  static let version = "0.1.0"

  let gatekeeper: Gatekeeper
  let registry: DeviceRegistry
  let administration: Administration
  let records: RecordsAPI
  var cloud: CloudAPI?
  let areas: [PlatformConfiguration.Area]

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    do {
      return try await route(request)
    } catch let error as OrielError {
      return Self.failure(error)
    } catch {
      return Self.failure(OrielError(.serverError))
    }
  }

  static func failure(_ error: OrielError, status: Int? = nil) -> HTTPResponse {
    var response = HTTPResponse.json(ErrorRecord(error), status: status ?? V1Failure.status(of: error.code))
    // The budgets of calls and sign-ins fill up again by the second.
    if response.status == 429 { response.headers["Retry-After"] = "1" }
    return response
  }

  private static let notFound = failure(OrielError(.parameterError, "there is no such address"), status: 404)
  static let done = HTTPResponse.json(V1Done())

  private func route(_ request: HTTPRequest) async throws -> HTTPResponse {
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
      .map(String.init)
    switch (request.method, parts.first, parts.count) {
    case ("GET", "platform", 1): return platform()
    case ("POST", "login", 1): return try await login(request)
    case ("GET", "captures", 2), ("HEAD", "captures", 2): return capture(parts[1], request)
    case ("GET", "devices", 5) where parts[2] == "cameras" && parts[4] == "cover",
      ("HEAD", "devices", 5) where parts[2] == "cameras" && parts[4] == "cover":
      return try await cover(parts[1], parts[3], request)
    case (_, "cloud", _),
      ("GET", "devices", 6) where parts[4] == "cloud":
      guard let cloud else { throw OrielError(.cloudUnsupported) }
      return try await cloud.answer(parts, request) { try await self.caller(request) } ?? Self.notFound
    case (_, "logout", 1), (_, "me", 1), (_, "accounts", 1), (_, "accounts", 3), (_, "applications", 1),
      (_, "devices", _):
      break
    default: return Self.notFound
    }
    let caller = try await caller(request)
    switch (request.method, parts.first, parts.count) {
    case ("POST", "logout", 1):
      try await gatekeeper.signOut(caller)
      await registry.switchboard.signedOut(caller)
      return Self.done
    case ("GET", "me", 1):
      return .json(
        V1Me(account: caller.name, isAdministrator: caller.isAdministrator, expireTime: caller.expires))
    case ("GET", "accounts", 1): return .json(try await administration.accounts(for: caller))
    case ("POST", "accounts", 1):
      return .json(try await administration.addAccount(try await Self.body(request), by: caller))
    case (_, "accounts", 3) where parts[2] == "cloud":
      guard let cloud else { throw OrielError(.cloudUnsupported) }
      return try await cloud.limits(of: parts[1], request, caller)
    case ("GET", "applications", 1): return .json(try await administration.applications(for: caller))
    case ("POST", "applications", 1):
      return .json(try await administration.addApplication(try await Self.body(request), by: caller))
    case (_, "devices", _): return try await devices(Array(parts.dropFirst()), caller, request)
    default: return Self.failure(OrielError(.parameterError, "not with this method"), status: 405)
    }
  }

  /// - Throws: `OrielError` 110002, 110003.
  private func caller(_ request: HTTPRequest) async throws -> Caller {
    let bearer = request.headers["Authorization"].flatMap { value in
      value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : nil
    }
    guard let token = bearer ?? request.headers["accessToken"] else { throw OrielError(.accessTokenInvalid) }
    return try await gatekeeper.caller(token: token.trimmingCharacters(in: .whitespaces))
  }

  static func body<Body: Decodable>(_ request: HTTPRequest) async throws -> Body {
    let bytes = try await request.body.collect(upTo: bodyLimit)
    do { return try JSONDecoder().decode(Body.self, from: Data(bytes)) } catch {
      throw OrielError(.parameterError, "the body is not the JSON that this call takes")
    }
  }

  // MARK: Devices

  private func devices(_ parts: [String], _ caller: Caller, _ request: HTTPRequest) async throws
    -> HTTPResponse
  {
    guard let first = parts.first else {
      switch request.method {
      case "GET": return .json(V1Devices(devices: try await registry.records(of: caller)))
      case "POST":
        let body: V1NewDevice = try await Self.body(request)
        let device = try await registry.add(
          try DeviceSerial(body.serial), code: body.verifyCode, name: body.name, by: caller,
          address: request.remoteAddress)
        return .json(await registry.record(of: device))
      default: return Self.failure(OrielError(.parameterError, "not with this method"), status: 405)
      }
    }
    let serial = try DeviceSerial(first)
    switch (request.method, parts.count) {
    case ("GET", 1):
      return .json(await registry.record(of: try await registry.device(serial, of: caller)))
    case ("PATCH", 1):
      let body: V1Name = try await Self.body(request)
      try await registry.rename(serial, to: body.name, by: caller)
      return .json(await registry.record(of: try await registry.device(serial, of: caller)))
    case ("DELETE", 1):
      try await registry.remove(serial, by: caller)
      return Self.done
    case ("GET", 2) where parts[1] == "probe":
      let device = try await registry.probe(serial, by: caller)
      return .json(
        V1Probe(
          serial: serial, name: device.name, model: device.model, version: device.version, status: .online,
          cameras: device.cameras.count))
    case (_, 4...) where parts[1] == "cameras":
      guard let cameraNo = Int(parts[2]) else { throw OrielError(.cameraNotFound) }
      if ["recordings", "events"].contains(parts[3]) {
        return try await records.answer(
          Array(parts.dropFirst(3)), camera: cameraNo, on: serial, caller, request) ?? Self.notFound
      }
      guard parts.count == 4 else { return Self.notFound }
      return try await camera(cameraNo, parts[3], on: serial, caller, request)
    default: return Self.notFound
    }
  }

  private func camera(
    _ cameraNo: Int, _ call: String, on serial: DeviceSerial, _ caller: Caller, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    switch (request.method, call) {
    case ("PUT", "video-level"):
      let body: V1Level = try await Self.body(request)
      guard let level = VideoLevel(rawValue: body.level) else {
        throw OrielError(.parameterError, "level is 0 to 3")
      }
      try await registry.setVideoLevel(level, of: cameraNo, on: serial, by: caller)
      return .json(body)
    case ("POST", "capture"):
      let jpeg = try await registry.capture(cameraNo, on: serial, by: caller)
      return HTTPResponse(
        headers: ["Content-Type": "image/jpeg", "Cache-Control": "no-store"], body: .bytes(jpeg))
    default: return Self.notFound
    }
  }

  // MARK: Pictures

  /// The owner's token or a signed address gives the right.
  private func cover(_ serial: String, _ camera: String, _ request: HTTPRequest) async throws -> HTTPResponse
  {
    let serial = try DeviceSerial(serial)
    guard let cameraNo = Int(camera) else { throw OrielError(.cameraNotFound) }
    if request.query("signature") == nil {
      let caller = try await caller(request)
      let camera = try await registry.camera(cameraNo, on: serial, of: caller)
      guard camera.cover != nil else { throw OrielError(.noPicture) }
    } else {
      let owner = try await registry.store.device(serial)?.owner
      let path = "/v1/devices/\(serial)/cameras/\(cameraNo)/cover"
      let isValid = registry.addresses.isValid(
        path: path, scope: owner.map { "\($0)" } ?? "nobody", query: request.query, at: registry.time.wall())
      guard isValid else { throw OrielError(.noPermission, "the address is not a valid one, or has expired") }
    }
    var response = HTTPResponse.file(
      path: registry.pictures.coverPath(of: cameraNo, on: serial), contentType: "image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response
  }

  private func capture(_ name: String, _ request: HTTPRequest) -> HTTPResponse {
    let isName = name.utf8.count == 32 && name.utf8.allSatisfy(RandomText.alphanumeric.contains)
    let isValid =
      isName
      && registry.addresses.isValid(
        path: "/v1/captures/\(name)", scope: "", query: request.query, at: registry.time.wall())
    guard isValid else {
      return Self.failure(OrielError(.noPermission, "the address is not a valid one, or has expired"))
    }
    var response = HTTPResponse.file(
      path: registry.pictures.capturePath(name), contentType: "image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=7200"
    return response
  }

  // MARK: Signing in

  private func login(_ request: HTTPRequest) async throws -> HTTPResponse {
    let body: V1Login = try await Self.body(request)
    let issued = try await gatekeeper.signIn(
      account: body.account, password: body.password, address: request.remoteAddress)
    return .json(
      V1Token(accessToken: issued.token.text, expireTime: issued.expires, account: issued.account))
  }

  private func platform() -> HTTPResponse {
    .json(
      V1Platform(
        version: Self.version, time: registry.time.wall(),
        areas: areas.enumerated().map {
          .init(id: $0.offset + 1, name: $0.element.name, url: $0.element.address?.description)
        }))
  }
}
