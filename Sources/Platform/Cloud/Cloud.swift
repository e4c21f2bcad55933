import OrielModel
import OrielNet

/// The platform's store of recordings: its parts, put together.
struct Cloud: Sendable {
  let index: any CloudIndex
  let store: any CloudStore
  let addresses: SignedAddress
  let uploads: CloudUploads
  let sweeper: CloudSweeper
  /// For accounts without limits of their own.
  let standard: CloudLimits
  let time: PlatformTime

  /// - Parameter store: nil: files in the data folder.
  /// - Throws: `OrielError` 730010 when a folder cannot be made.
  init(
    index: any CloudIndex, dataFolder: String, store: (any CloudStore)? = nil, limits: CloudLimits,
    addresses: SignedAddress, time: PlatformTime, loop: EventLoop
  ) throws {
    self.index = index
    self.addresses = addresses
    self.time = time
    standard = limits
    let spool = try UploadSpool(folder: dataFolder + "/cloud/incoming")
    self.store = try store ?? FileCloudStore(folder: dataFolder + "/cloud/files")
    sweeper = CloudSweeper(index: index, store: self.store, spool: spool, standard: limits, time: time)
    uploads = CloudUploads(
      index: index, store: self.store, spool: spool, sweeper: sweeper, addresses: addresses, standard: limits,
      time: time, loop: loop)
  }

  func limits(of account: Int64) async throws -> CloudLimits {
    try await index.cloudLimits(of: account) ?? standard
  }

  // MARK: Addresses

  /// Addresses of files stay the same for this long, so that what a player keeps of them is of use.
  static let addressPeriod: Int64 = 3_600_000

  private var expiry: Int64 { (time.wall() / Self.addressPeriod + 2) * Self.addressPeriod }

  /// With an ending, since players look at it.
  static func filePath(_ id: String) -> String { "/v1/cloud/files/\(id).mp4" }

  /// Where a stored file is read: signed, good for one to two hours, worth nothing once it is deleted.
  func downloadPath(of file: CloudFile) -> String {
    addresses.make(
      path: Self.filePath(file.id), scope: "cloud file \(file.account)", version: file.startTime,
      expires: expiry)
  }

  func mayDownload(_ file: CloudFile, query: (String) -> String?) -> Bool {
    addresses.isValid(
      path: Self.filePath(file.id), scope: "cloud file \(file.account)", query: query, at: time.wall())
  }

  static func playlistPath(_ serial: DeviceSerial, _ cameraNo: Int) -> String {
    "/v1/devices/\(serial)/cameras/\(cameraNo)/cloud/playlist.m3u8"
  }

  /// A playlist's address that carries its own right, for players that cannot send a token.
  func playlistAddress(_ range: Range<Int64>, serial: DeviceSerial, cameraNo: Int, owner: Int64) -> String {
    let (from, to) = (range.lowerBound, range.upperBound)
    let address = addresses.make(
      path: Self.playlistPath(serial, cameraNo), scope: "cloud playlist \(owner) \(from) \(to)",
      version: from, expires: expiry)
    return "\(address)&from=\(from)&to=\(to)"
  }

  func mayPlay(
    _ range: Range<Int64>, serial: DeviceSerial, cameraNo: Int, owner: Int64, query: (String) -> String?
  ) -> Bool {
    addresses.isValid(
      path: Self.playlistPath(serial, cameraNo),
      scope: "cloud playlist \(owner) \(range.lowerBound) \(range.upperBound)", query: query, at: time.wall())
  }
}
