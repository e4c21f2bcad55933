import Foundation
import OrielModel
import OrielNet

/// Takes recordings in: grants uploads, gathers their pieces, and hands whole ones to the store.
///
/// The order is: the index has the stretch; the spool has its bytes; the store has the file; the index says stored.
/// A crash between any two of them is made good when the device asks again.
actor CloudUploads {
  /// How long a granted address is good. A device whose line is slow asks again and goes on.
  static let lifetime: Int64 = 15 * 60_000
  static let log = Log("cloud")

  private let loop: EventLoop
  private let index: any CloudIndex
  private let store: any CloudStore
  private let spool: UploadSpool
  private let sweeper: CloudSweeper
  private let addresses: SignedAddress
  private let standard: CloudLimits
  private let time: PlatformTime
  /// Whole files on their way into the store; whoever comes meanwhile waits for the same end.
  private var finishing: [String: Task<Void, any Error>] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(
    index: any CloudIndex, store: any CloudStore, spool: UploadSpool, sweeper: CloudSweeper,
    addresses: SignedAddress, standard: CloudLimits, time: PlatformTime, loop: EventLoop
  ) {
    self.index = index
    self.store = store
    self.spool = spool
    self.sweeper = sweeper
    self.addresses = addresses
    self.standard = standard
    self.time = time
    self.loop = loop
  }

  // MARK: Granting

  /// Answers a device.
  /// - Parameter owner: the account that has added it.
  func grant(_ request: UploadRequest, to serial: DeviceSerial, owner: Int64?) async -> UploadGrant {
    do {
      guard let owner else { throw OrielError(.notMyDevice) }
      return try await admit(request, serial, owner)
    } catch let error as OrielError {
      return UploadGrant(id: request.id, errorCode: error.number)
    } catch {
      return UploadGrant(id: request.id, errorCode: ErrorCode.serverError.rawValue)
    }
  }

  private func admit(_ request: UploadRequest, _ serial: DeviceSerial, _ owner: Int64) async throws
    -> UploadGrant
  {
    let now = time.wall()
    let digest = try UploadLimits.check(request, at: now)
    let limits = try await index.cloudLimits(of: owner) ?? standard
    guard request.endTime >= now - limits.retention.milliseconds else { throw OrielError(.cloudTooOld) }
    let fragments = request.fragments.flatMap { try? JSONEncoder().encode($0) }
    let wish = CloudFile(
      id: try RandomText.make(32), account: owner, serial: serial, cameraNo: request.cameraNo,
      kind: request.kind, startTime: request.startTime, endTime: request.endTime, size: request.size,
      digest: digest, isEncrypted: request.isEncrypted, state: .receiving)
    let file = try await index.admit(
      wish, fragments: fragments.map { String(decoding: $0, as: UTF8.self) }, limits: limits, at: now)
    sweeper.wake()
    var isStored = file.state == .stored
    var offset = isStored ? file.size : spool.offset(of: file.id)
    if !isStored, offset == 0, file.id != wish.id, try await store.size(of: file.id) == file.size {
      // The platform ended when the store had it and the index did not know yet.
      isStored = try await index.markStored(file.id, at: now)
      offset = file.size
    }
    let expires = now + Self.lifetime
    return UploadGrant(
      id: request.id, path: isStored ? nil : path(of: file, expires: expires), offset: offset,
      isStored: isStored, expires: expires)
  }

  private static func path(_ id: String) -> String { "/v1/cloud/uploads/\(id)" }

  private func scope(_ file: CloudFile) -> String { "cloud upload \(file.serial) \(file.account)" }

  private func path(of file: CloudFile, expires: Int64) -> String {
    addresses.make(path: Self.path(file.id), scope: scope(file), version: file.size, expires: expires)
  }

  // MARK: Receiving

  /// Answers `HEAD`, `PATCH` and `PUT` of a granted address.
  func receive(_ id: String, _ request: HTTPRequest) async -> HTTPResponse {
    do {
      let file = try await authorised(id, request)
      do {
        return Self.answer(try await take(file, request), of: file)
      } catch let error as OrielError {
        var response = V1API.failure(error)
        if error.code != .uploadUnknown {
          response.headers["Upload-Offset"] = "\(spool.offset(of: id))"
        }
        return response
      }
    } catch let error as OrielError {
      return V1API.failure(error)
    } catch {
      return V1API.failure(OrielError(.serverError))
    }
  }

  /// - Throws: `OrielError` 720309 when there is no such upload, 110031 when the address is not signed for it,
  ///   720311 when its time is over.
  private func authorised(_ id: String, _ request: HTTPRequest) async throws -> CloudFile {
    let isName = id.utf8.count == 32 && id.utf8.allSatisfy(RandomText.alphanumeric.contains)
    guard isName, let file = try await index.cloudFile(id) else { throw OrielError(.uploadUnknown) }
    func isValid(at now: Int64) -> Bool {
      addresses.isValid(path: Self.path(id), scope: scope(file), query: request.query, at: now)
    }
    guard isValid(at: 0) else { throw OrielError(.noPermission, "the address is not signed") }
    guard isValid(at: time.wall()) else { throw OrielError(.uploadExpired) }
    return file
  }

  private static func answer(_ progress: UploadProgress, of file: CloudFile) -> HTTPResponse {
    var response = HTTPResponse.json(progress)
    response.headers["Upload-Offset"] = "\(progress.offset)"
    response.headers["Upload-Length"] = "\(file.size)"
    return response
  }

  private func take(_ file: CloudFile, _ request: HTTPRequest) async throws -> UploadProgress {
    if file.state == .stored { return UploadProgress(offset: file.size, isStored: true) }
    let come = spool.offset(of: file.id)
    if request.method == "HEAD" { return UploadProgress(offset: come, isStored: false) }
    let wish = try UploadLimits.start(of: request, size: file.size)
    guard wish.offset == come else { throw OrielError(.uploadOffset) }
    let announced = request.headers["Content-Length"].flatMap { Int64($0) } ?? 0
    guard announced <= file.size - come else { throw OrielError(.uploadTooLong) }
    var offset = come
    for try await piece in request.body {
      offset = try await spool.append(piece, to: file.id, at: offset, size: file.size)
    }
    guard offset == file.size else {
      if wish.isWhole { throw OrielError(.uploadTooShort) }
      return UploadProgress(offset: offset, isStored: false)
    }
    try await finish(file)
    return UploadProgress(offset: offset, isStored: true)
  }

  // MARK: Finishing

  private func finish(_ file: CloudFile) async throws {
    if let task = finishing[file.id] { return try await task.value }
    // A task of its own: whoever sent the last piece may be cut off before the store has it.
    let task = Task { try await self.store(file) }
    finishing[file.id] = task
    defer { finishing[file.id] = nil }
    try await task.value
  }

  private func store(_ file: CloudFile) async throws {
    if try await index.cloudFile(file.id)?.state == .stored { return }
    guard try await spool.digest(of: file.id) == file.digest else {
      await spool.discard(file.id)
      Self.log.warning("an upload of \(file.serial) is not what was announced")
      throw OrielError(.uploadDigest)
    }
    try await store.keep(spool.path(file.id), as: file.id)
    guard try await index.markStored(file.id, at: time.wall()) else {
      // Deleted while it was on its way.
      sweeper.wake()
      throw OrielError(.uploadUnknown)
    }
    Self.log.info("\(file.serial) has stored a recording of \(file.size) bytes")
  }
}
