import OrielModel

/// What the platform remembers. SQLite by default; a shared database can take its place.
///
/// Every call is atomic. Failures are `OrielError` 150000, 149999, 720001 or 730010 unless a call names others.
protocol Store: Sendable {
  func setting(_ name: String) async throws -> [UInt8]?
  func saveSetting(_ name: String, _ value: [UInt8]) async throws

  func account(named name: String) async throws -> Account?
  func account(_ id: Int64) async throws -> Account?
  func accounts() async throws -> [Account]
  /// - Throws: 110001 when the name is taken.
  func addAccount(name: String, passwordHash: String, isAdministrator: Bool, at time: Int64) async throws
    -> Account

  func application(_ appKey: String) async throws -> Application?
  func applications() async throws -> [Application]
  func addApplication(_ application: Application) async throws

  func token(_ hash: [UInt8]) async throws -> StoredToken?
  /// Adds a token, forgets those that expired a week ago, and the oldest of an account that has too many.
  func addToken(_ token: StoredToken, at time: Int64) async throws
  func removeToken(_ hash: [UInt8]) async throws

  /// Adds what renews a token; the oldest of an account that has too many go.
  func addRenewal(_ renewal: StoredToken, at time: Int64) async throws
  /// Gives it out and forgets it.
  func takeRenewal(_ hash: [UInt8]) async throws -> StoredToken?

  /// A device says who it is. The first key to register a serial owns it.
  /// - Returns: the account that has added it.
  /// - Throws: 730006 when the serial is another key's.
  func register(
    _ serial: DeviceSerial, signingKey: [UInt8], agreementKey: [UInt8], report: DeviceReport, at time: Int64
  ) async throws -> Int64?
  /// - Returns: whether it says anything new.
  func saveReport(_ report: DeviceReport, of serial: DeviceSerial, at time: Int64) async throws -> Bool

  func device(_ serial: DeviceSerial) async throws -> StoredDevice?
  func devices(of account: Int64, from offset: Int, count: Int) async throws -> Page<StoredDevice>
  /// The devices that were added after a cursor.
  func devices(of account: Int64, after claim: Int64, count: Int) async throws -> Page<StoredDevice>
  func cameras(of account: Int64, from offset: Int, count: Int) async throws -> Page<
    (StoredDevice, StoredCamera)
  >
  /// Adds a device to an account.
  /// - Throws: 120002 when it never registered, 120017 when it is there already, 120013 when another account
  ///   has it.
  func claim(_ serial: DeviceSerial, by account: Int64, name: String?, at time: Int64) async throws
  /// Removes a device from its account and forgets its name and covers; what it stored in the cloud is condemned.
  /// - Throws: 120018 when it is not the account's.
  func release(_ serial: DeviceSerial, by account: Int64) async throws
  /// - Throws: 120018 when it is not the account's.
  func rename(_ serial: DeviceSerial, to name: String, by account: Int64) async throws
  func setVideoLevel(_ level: VideoLevel, of camera: Int, on serial: DeviceSerial) async throws
  /// Notes a new cover, unless the device is no longer the owner's.
  /// - Returns: whether the camera had none before.
  func saveCoverTime(_ time: Int64, of camera: Int, on serial: DeviceSerial, owner: Int64) async throws
    -> Bool

  /// Makes what was written safe against a power cut.
  func flush() async throws
  func close() async
}
