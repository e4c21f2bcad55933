import OrielModel

/// A recording of the cloud as the index knows it.
struct CloudFile: Sendable, Equatable {
  enum State: Int64, Sendable {
    /// Its bytes are coming.
    case receiving = 0
    /// It is in the store, whole.
    case stored = 1
    /// Nobody sees it any more; its bytes are being deleted.
    case condemned = 2
  }

  let id: String
  let account: Int64
  let serial: DeviceSerial
  let cameraNo: Int
  let kind: RecordKind
  /// UTC milliseconds.
  let startTime: Int64
  let endTime: Int64
  let size: Int64
  /// SHA-256.
  let digest: [UInt8]
  let isEncrypted: Bool
  let state: State
}

/// How much of the cloud an account may use.
struct CloudLimits: Sendable, Equatable {
  /// How long a recording is kept after it ended.
  var retention: Duration
  /// Bytes.
  var quota: Int64

}

/// What an account uses of the cloud.
struct CloudUsage: Sendable, Equatable {
  var files = 0
  /// Bytes, with those that uploads under way have announced.
  var bytes: Int64 = 0
}

/// The index of the cloud. What it says is on the disk when a call returns: a device deletes its own copy for it.
///
/// Failures are those of `Store`, unless a call names others.
protocol CloudIndex: Sendable {
  /// Takes a stretch in, or finds it again; what must go to make room is condemned, oldest first.
  /// - Parameters:
  ///   - file: in state `receiving`, with an id of its own; that of a known one wins.
  ///   - fragments: JSON.
  /// - Throws: `OrielError` 720301 when the quota has no room for it, 720304 when another recording lies there,
  ///   110029 when the device has too many uploads under way.
  func admit(_ file: CloudFile, fragments: String?, limits: CloudLimits, at time: Int64) async throws
    -> CloudFile
  /// A file that is not condemned.
  func cloudFile(_ id: String) async throws -> CloudFile?
  /// Its bytes are in the store.
  /// - Returns: false when it was condemned or forgotten meanwhile.
  func markStored(_ id: String, at time: Int64) async throws -> Bool
  /// JSON, as it was given to `admit`.
  func fragments(of id: String) async throws -> String?

  /// Stored files of a camera that overlap `from ..< to`, in the order of time.
  func cloudFiles(
    of account: Int64, serial: DeviceSerial, cameraNo: Int, from: Int64, to: Int64, kind: RecordKind?,
    count: Int
  ) async throws -> [CloudFile]
  func usage(of account: Int64) async throws -> CloudUsage
  /// When the oldest and the newest stored recording of a camera begin and end.
  func cloudSpan(of account: Int64, serial: DeviceSerial, cameraNo: Int) async throws -> Range<Int64>?

  /// Hides a file at once.
  /// - Returns: false when there is none.
  func condemn(_ id: String) async throws -> Bool
  /// Hides what is older than its account keeps, and uploads that nothing was heard of since `abandoned`.
  func condemnOld(standard: CloudLimits, at time: Int64, abandoned: Int64) async throws
  func condemned(count: Int) async throws -> [String]
  /// The bytes are gone: forgets the file.
  func forget(_ id: String) async throws

  /// An account's own limits; nil: the platform's.
  func cloudLimits(of account: Int64) async throws -> CloudLimits?
  /// - Parameter limits: nil gives the account the platform's again.
  func saveCloudLimits(_ limits: CloudLimits?, of account: Int64) async throws
}
