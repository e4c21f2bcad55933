import OrielModel

/// The HTTP status of a failure of `/v1`.
enum V1Failure {
  static func status(of code: ErrorCode) -> Int {
    switch code {
    case .accessTokenInvalid, .accessTokenExpired, .wrongPassword, .appSecretMismatch, .appKeyNull: 401
    case .noPermission, .uploadExpired: 403
    case .deviceNotFound, .notMyDevice, .cameraNotFound, .noPicture, .recordNotFound, .uploadUnknown: 404
    case .addressLimited, .tooFrequent, .callLimit: 429
    case .parameterError, .illegalDeviceSerial, .wrongVerificationCode, .messageMalformed, .argumentError,
      .cloudStretch, .uploadTooShort:
      400
    case .deviceAddedByMyself, .addedByAnother, .deviceOnlineAdded, .deviceOnlineIsAdded,
      .deviceOfflineNotAdded, .deviceOfflineIsAdded, .deviceOfflineIsAddedMyself, .uploadOffset,
      .cloudOverlap, .cloudTooOld, .encryptionOn:
      409
    case .uploadTooLong: 413
    case .uploadDigest: 422
    case .deviceOffline, .deviceTimeout, .captureFailed, .deviceNetworkAnomaly, .addFailedNetwork,
      .cloudStore:
      503
    case .diskFull, .cloudFull: 507
    case .commandNotSupported: 501
    default: 500
    }
  }
}

struct V1Login: Decodable {
  let account: String
  let password: String
}

struct V1Token: Encodable {
  let accessToken: String
  /// UTC milliseconds.
  let expireTime: Int64
  let account: String
}

struct V1Me: Encodable {
  let account: String
  let isAdministrator: Bool
  let expireTime: Int64
}

struct V1Devices: Encodable {
  let devices: [DeviceRecord]
}

struct V1NewDevice: Decodable {
  let serial: String
  let verifyCode: String
  let name: String?
}

struct V1Name: Decodable {
  let name: String
}

struct V1Level: Codable {
  let level: Int
}

struct V1Probe: Encodable {
  let serial: DeviceSerial
  let name: String
  let model: String
  let version: String
  let status: DeviceStatus
  /// How many.
  let cameras: Int
}

struct V1Applications: Encodable {
  let applications: [V1Application]
}

struct V1NewApplication: Decodable {
  let name: String?
}

struct V1Application: Encodable {
  let appKey: String
  /// Told once, when it is made.
  var appSecret: String?
  let name: String
  let createTime: Int64
}

struct V1Accounts: Encodable {
  let accounts: [V1Account]
}

struct V1NewAccount: Decodable {
  let account: String
  let password: String?
}

struct V1Account: Encodable {
  let account: String
  let isAdministrator: Bool
  /// Told once, when it was made here.
  var password: String?
}

struct V1Platform: Encodable {
  struct Area: Encodable {
    let id: Int
    let name: String
    /// Where the area's platform is; absent: here.
    let url: String?
  }

  let name = "Oriel"
  let version: String
  /// UTC milliseconds.
  let time: Int64
  let areas: [Area]
}

/// For an answer that says nothing more than that it was done.
struct V1Done: Encodable {}
