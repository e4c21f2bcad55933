import Foundation
import OrielModel
import OrielNet

/// The recordings of a camera, under `/v1/devices/SERIAL/cameras/NO/`: the camera's own and the cloud's.
struct RecordsAPI: Sendable {
  let registry: DeviceRegistry
  /// The cloud store; nil: this platform has none.
  let cloud: (any RecordSource)?

  init(registry: DeviceRegistry, cloud: (any RecordSource)? = nil) {
    self.registry = registry
    self.cloud = cloud
  }

  /// - Throws: `OrielError` 120019 when there is no such store.
  func source(_ store: RecordStore) throws -> any RecordSource {
    switch store {
    case .device: return DeviceRecords(switchboard: registry.switchboard)
    case .cloud:
      guard let cloud else { throw OrielError(.cloudUnsupported) }
      return cloud
    }
  }

  /// What lies below `recordings` or `events`: `parts` begins with that word.
  /// - Returns: nil when there is no such address.
  func answer(
    _ parts: [String], camera cameraNo: Int, on serial: DeviceSerial, _ caller: Caller,
    _ request: HTTPRequest
  ) async throws -> HTTPResponse? {
    switch (request.method, parts) {
    case ("GET", ["recordings"]): return .json(try await list(cameraNo, serial, caller, request))
    case ("GET", ["recordings", "picture"]): return try await picture(cameraNo, serial, caller, request)
    case ("POST", ["recordings", "lock"]):
      let body: V1Lock = try await V1API.body(request)
      try RecordLimits.check(from: body.from, to: body.to)
      try await enter(cameraNo, serial, caller)
      try await source(try Self.store(request) ?? .device).lock(
        body.from..<body.to, of: cameraNo, on: serial, isLocked: body.locked)
      return V1API.done
    case ("POST", ["events"]):
      let body: V1Event = try await V1API.body(request)
      let isClean = body.name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
      guard isClean, (1...RecordLimits.eventName).contains(body.name.utf8.count) else {
        throw OrielError(.parameterError, "a name has 1 to \(RecordLimits.eventName) bytes")
      }
      try await enter(cameraNo, serial, caller)
      try await DeviceRecords(switchboard: registry.switchboard).recordEvent(
        body.name, of: cameraNo, on: serial)
      return V1API.done
    default: return nil
    }
  }

  /// Whether the caller may, and not too often.
  private func enter(_ cameraNo: Int, _ serial: DeviceSerial, _ caller: Caller) async throws {
    _ = try await registry.camera(cameraNo, on: serial, of: caller)
    try await registry.records.spend("\(serial)")
  }

  /// One page of a store.
  /// - Throws: `OrielError` 120018, 120001, 120007, 120008, 120019, 160020, 110001, 110029.
  func page(
    _ query: RecordQuery, in store: RecordStore, of serial: DeviceSerial, by caller: Caller
  ) async throws -> RecordPage {
    try RecordLimits.check(query)
    try await enter(query.cameraNo, serial, caller)
    return try await source(store).page(query, of: serial)
  }

  private func list(
    _ cameraNo: Int, _ serial: DeviceSerial, _ caller: Caller, _ request: HTTPRequest
  ) async throws -> RecordPage {
    var query = RecordQuery(
      cameraNo: cameraNo, from: try Self.time("from", request) ?? 0,
      to: try Self.time("to", request) ?? registry.time.wall())
    if let form = request.query("form") {
      guard let form = RecordQuery.Form(rawValue: form) else {
        throw OrielError(.parameterError, "form is files, stretches or days")
      }
      query.form = form
    }
    if let kind = request.query("kind") {
      guard let kind = RecordKind(rawValue: kind) else {
        throw OrielError(.parameterError, "kind is continuous or event")
      }
      query.kind = kind
    }
    if let limit = request.query("limit") { query.limit = Int(limit) ?? 0 }
    if let days = request.query("dayStarts") {
      let starts = days.split(separator: ",", maxSplits: RecordLimits.days).map { Int64($0) }
      guard starts.allSatisfy({ $0 != nil }) else {
        throw OrielError(.parameterError, "dayStarts are UTC milliseconds, with commas between")
      }
      query.dayStarts = starts.compactMap { $0 }
    }
    return try await page(query, in: try Self.store(request) ?? .device, of: serial, by: caller)
  }

  private func picture(
    _ cameraNo: Int, _ serial: DeviceSerial, _ caller: Caller, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    guard let time = try Self.time("time", request) else {
      throw OrielError(.parameterError, "time is missing")
    }
    try await enter(cameraNo, serial, caller)
    let jpeg = try await source(try Self.store(request) ?? .device).picture(
      at: time, of: cameraNo, on: serial)
    return HTTPResponse(
      headers: ["Content-Type": "image/jpeg", "Cache-Control": "private, max-age=3600"], body: .bytes(jpeg))
  }

  private static func store(_ request: HTTPRequest) throws -> RecordStore? {
    guard let text = request.query("store") else { return nil }
    guard let store = RecordStore(rawValue: text) else {
      throw OrielError(.parameterError, "store is device or cloud")
    }
    return store
  }

  private static func time(_ name: String, _ request: HTTPRequest) throws -> Int64? {
    guard let text = request.query(name) else { return nil }
    guard let time = Int64(text), RecordLimits.time.contains(time) else {
      throw OrielError(.parameterError, "\(name) is in UTC milliseconds")
    }
    return time
  }
}

struct V1Lock: Decodable {
  let from: Int64
  let to: Int64
  let locked: Bool
}

struct V1Event: Decodable {
  let name: String
}
