import OrielModel

/// A person's or a program's account.
struct Account: Sendable, Equatable {
  let id: Int64
  let name: String
  let passwordHash: String
  let isAdministrator: Bool
}

/// A program that may sign in with appKey and appSecret; it acts for its account.
struct Application: Sendable, Equatable {
  let appKey: String
  /// SHA-256. The secret is random, so that a slow hash would add nothing.
  let secretHash: [UInt8]
  let name: String
  let account: Int64
  /// UTC milliseconds.
  let created: Int64
}

/// A token, known by its SHA-256 only.
struct StoredToken: Sendable, Equatable {
  let hash: [UInt8]
  let account: Int64
  let appKey: String?
  /// UTC milliseconds.
  let expires: Int64
}

/// A device that has registered, with or without an owner.
struct StoredDevice: Sendable, Equatable {
  let serial: DeviceSerial
  let reportedName: String
  let givenName: String?
  let model: String
  let version: String
  let talk: TalkCapability
  let owner: Int64?
  /// Counts up with each device that is added: the cursor of `device/list`.
  let claim: Int64
  /// When it was added, UTC milliseconds.
  let added: Int64
  /// When the device last said something new about itself, UTC milliseconds.
  let updated: Int64
  var cameras: [StoredCamera] = []

  /// What its owner calls it, else what it calls itself.
  var name: String { givenName ?? (reportedName.isEmpty ? serial.value : reportedName) }
}

/// A camera of a device.
struct StoredCamera: Sendable, Equatable {
  let serial: DeviceSerial
  let record: CameraRecord
  /// When its cover picture was taken, UTC milliseconds.
  let cover: Int64?
}

/// A part of a list, and how long the whole is.
struct Page<Element: Sendable>: Sendable {
  let elements: [Element]
  let total: Int
}
