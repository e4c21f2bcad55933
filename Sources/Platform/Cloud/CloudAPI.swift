import Foundation
import OrielModel
import OrielNet

/// The cloud under `/v1`: uploads and files by signed address, playlists, and what an account uses of it.
struct CloudAPI: Sendable {
  /// The longest that one playlist shows.
  static let playlistLength: Int64 = 26 * 3_600_000
  static let playlistFiles = 5_000

  /// Where the fragments of a file lie is told under its name with this, by the same signed address.
  static let fragmentsSuffix = ".json"

  let cloud: Cloud
  let registry: DeviceRegistry

  /// What needs no token, because its address is signed, or may do without.
  /// - Parameter caller: who sends a token.
  /// - Returns: nil when there is no such address.
  func answer(
    _ parts: [String], _ request: HTTPRequest, caller: () async throws -> Caller
  ) async throws -> HTTPResponse? {
    switch (request.method, parts.first, parts.count) {
    case ("HEAD", "cloud", 3) where parts[1] == "uploads", ("PATCH", "cloud", 3) where parts[1] == "uploads",
      ("PUT", "cloud", 3) where parts[1] == "uploads":
      return await cloud.uploads.receive(parts[2], request)
    case ("GET", "cloud", 3) where parts[1] == "files", ("HEAD", "cloud", 3) where parts[1] == "files":
      return try await download(parts[2], request, caller)
    case ("DELETE", "cloud", 3) where parts[1] == "files":
      return try await delete(parts[2], try await caller())
    case ("GET", "cloud", 1): return .json(try await usage(try await caller().account))
    case ("GET", "devices", 6) where parts[2] == "cameras" && parts[4] == "cloud":
      let serial = try DeviceSerial(parts[1])
      guard let cameraNo = Int(parts[3]) else { throw OrielError(.cameraNotFound) }
      switch parts[5] {
      case "playlist.m3u8": return try await playlist(cameraNo, serial, request, caller)
      case "address": return try await address(cameraNo, serial, request, try await caller())
      default: return nil
      }
    default: return nil
    }
  }

  // MARK: Files

  private func download(_ id: String, _ request: HTTPRequest, _ caller: () async throws -> Caller)
    async throws -> HTTPResponse
  {
    let file = try await stored(id)
    if request.query("signature") == nil {
      guard try await caller().account == file.account else { throw OrielError(.recordNotFound) }
    } else if !cloud.mayDownload(file, query: request.query) {
      throw OrielError(.noPermission, "the address is not a valid one, or has expired")
    }
    if id.hasSuffix(Self.fragmentsSuffix) {
      guard let json = try await cloud.index.fragments(of: file.id) else { throw OrielError(.recordDamaged) }
      return HTTPResponse(headers: ["Content-Type": "application/json"], body: .bytes([UInt8](json.utf8)))
    }
    var response = try await CloudDownload(store: cloud.store, file: file).answer(request)
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response
  }

  private func delete(_ id: String, _ caller: Caller) async throws -> HTTPResponse {
    let file = try await stored(id)
    guard file.account == caller.account, try await cloud.index.condemn(file.id) else {
      throw OrielError(.recordNotFound)
    }
    await cloud.sweeper.sweep()
    return V1API.done
  }

  private func stored(_ name: String) async throws -> CloudFile {
    let suffix = [Self.fragmentsSuffix, ".mp4"].first { name.hasSuffix($0) }
    let id = String(name.dropLast(suffix?.count ?? 0))
    guard let file = try await cloud.index.cloudFile(id), file.state == .stored else {
      throw OrielError(.recordNotFound)
    }
    return file
  }

  // MARK: Playlists

  private func range(_ request: HTTPRequest) throws -> Range<Int64> {
    guard let from = request.query("from").flatMap({ Int64($0) }),
      let to = request.query("to").flatMap({ Int64($0) })
    else { throw OrielError(.parameterError, "from and to are UTC milliseconds") }
    try RecordLimits.check(from: from, to: to)
    guard to - from <= Self.playlistLength else {
      throw OrielError(.parameterError, "a playlist shows 26 hours at most")
    }
    return from..<to
  }

  /// The right is a token's or the address's own.
  private func playlist(
    _ cameraNo: Int, _ serial: DeviceSerial, _ request: HTTPRequest, _ caller: () async throws -> Caller
  ) async throws -> HTTPResponse {
    let range = try range(request)
    let owner: Int64
    if request.query("signature") == nil {
      let caller = try await caller()
      _ = try await registry.camera(cameraNo, on: serial, of: caller)
      owner = caller.account
    } else {
      guard let known = try await registry.store.device(serial)?.owner,
        cloud.mayPlay(range, serial: serial, cameraNo: cameraNo, owner: known, query: request.query)
      else { throw OrielError(.noPermission, "the address is not a valid one, or has expired") }
      owner = known
    }
    let text = try await playlist(range, cameraNo, serial, owner)
    return HTTPResponse(
      headers: ["Content-Type": "application/vnd.apple.mpegurl", "Cache-Control": "no-store"],
      body: .bytes([UInt8](text.utf8)))
  }

  /// - Throws: `OrielError` 395402 when nothing was stored, 160019 when something of it is encrypted.
  private func playlist(_ range: Range<Int64>, _ cameraNo: Int, _ serial: DeviceSerial, _ owner: Int64)
    async throws -> String
  {
    let files = try await cloud.index.cloudFiles(
      of: owner, serial: serial, cameraNo: cameraNo, from: range.lowerBound, to: range.upperBound, kind: nil,
      count: Self.playlistFiles)
    guard !files.contains(where: \.isEncrypted) else { throw OrielError(.encryptionOn) }
    var entries: [CloudPlaylist.Entry] = []
    for file in files {
      guard let json = try await cloud.index.fragments(of: file.id),
        let list = try? JSONDecoder().decode(FragmentList.self, from: Data(json.utf8))
      else { continue }
      entries.append(
        CloudPlaylist.Entry(
          startTime: file.startTime, address: cloud.downloadPath(of: file), fragments: list))
    }
    guard !entries.isEmpty else { throw OrielError(.recordNotFound) }
    return CloudPlaylist.text(entries, range: range)
  }

  /// A playlist's address for players that cannot send a token.
  private func address(
    _ cameraNo: Int, _ serial: DeviceSerial, _ request: HTTPRequest, _ caller: Caller
  ) async throws -> HTTPResponse {
    let range = try range(request)
    _ = try await registry.camera(cameraNo, on: serial, of: caller)
    return .json(
      V1Playlist(
        playlist: cloud.playlistAddress(range, serial: serial, cameraNo: cameraNo, owner: caller.account)))
  }

  // MARK: Accounts

  func usage(_ account: Int64) async throws -> V1Cloud {
    let (usage, limits) = (try await cloud.index.usage(of: account), try await cloud.limits(of: account))
    return V1Cloud(
      files: usage.files, usedBytes: usage.bytes, quotaBytes: limits.quota,
      retentionDays: Double(limits.retention.milliseconds) / 86_400_000)
  }

  /// `GET`, `PUT` and `DELETE` of `/v1/accounts/NAME/cloud`, for the administrator.
  func limits(of name: String, _ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    guard caller.isAdministrator else { throw OrielError(.noPermission) }
    guard let account = try await registry.store.account(named: name)?.id else {
      throw OrielError(.userNotFound)
    }
    switch request.method {
    case "GET": break
    case "PUT":
      let wish: V1CloudLimits = try await V1API.body(request)
      try await cloud.index.saveCloudLimits(
        try wish.applied(to: try await cloud.limits(of: account)), of: account)
    case "DELETE": try await cloud.index.saveCloudLimits(nil, of: account)
    default: return V1API.failure(OrielError(.parameterError, "not with this method"), status: 405)
    }
    return .json(try await usage(account))
  }
}

struct V1Playlist: Encodable {
  /// Relative to the platform; good for one to two hours.
  let playlist: String
}

struct V1Cloud: Encodable {
  let files: Int
  let usedBytes: Int64
  let quotaBytes: Int64
  let retentionDays: Double
}

struct V1CloudLimits: Decodable {
  let quotaBytes: Int64?
  let retentionDays: Double?

  func applied(to limits: CloudLimits) throws -> CloudLimits {
    var limits = limits
    if let quotaBytes {
      guard (0...1 << 50).contains(quotaBytes) else {
        throw OrielError(.parameterError, "quotaBytes is 0 to 2^50")
      }
      limits.quota = quotaBytes
    }
    if let retentionDays {
      guard (0.01...3_650).contains(retentionDays) else {
        throw OrielError(.parameterError, "retentionDays is 0.01 to 3650")
      }
      limits.retention = .milliseconds(Int64(retentionDays * 86_400_000))
    }
    return limits
  }
}
