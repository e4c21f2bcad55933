import OrielModel

/// The envelope of every lapp answer. `code` is text, since clients compare it with "200".
struct LappAnswer<Body: Encodable>: Encodable {
  struct Paging: Encodable {
    let total: Int
    /// Echoes pageStart.
    let page: Int
    /// Echoes pageSize.
    let size: Int
  }

  var data: Body?
  let code: String
  let msg: String
  var page: Paging?
}

/// For an answer without data.
struct NoData: Encodable {}

struct LappToken: Encodable {
  let accessToken: String
  /// UTC milliseconds.
  let expireTime: Int64
  let areaDomain: String?
}

struct LappDevice: Encodable {
  let id: String
  let deviceSerial: String
  let deviceName: String
  let deviceType: String
  let status: Int
  let defence: Int
  let deviceVersion: String
  let isEncrypt: Int
  let addTime: Int64
  let updateTime: Int64
  let parentCategory: String
  let riskLevel: Int
  let netAddress: String

  init(_ device: StoredDevice, address: String?) {
    id = String(device.claim)
    deviceSerial = device.serial.value
    deviceName = device.name
    deviceType = device.model
    status = address == nil ? 0 : 1
    defence = 0
    deviceVersion = device.version
    isEncrypt = 0
    addTime = device.added
    updateTime = device.updated
    parentCategory = "IPC"
    riskLevel = 0
    netAddress = address ?? ""
  }
}

struct LappDeviceInfo: Encodable {
  let deviceSerial: String
  let deviceName: String
  let localName: String
  let model: String
  let status: Int
  let defence: Int
  let isEncrypt: Int
  let alarmSoundMode: Int
  let offlineNotify: Int
  let category: String
  let parentCategory: String
  let updateTime: Int64
  let netType: String
  let signal: String
  let riskLevel: Int
  let netAddress: String
  /// Only with `version=utc`.
  var wifiSsid: String?
  var timeZone: String?

  init(_ device: StoredDevice, address: String?, isUTC: Bool) {
    deviceSerial = device.serial.value
    deviceName = device.name
    localName = device.reportedName
    model = device.model
    status = address == nil ? 0 : 1
    defence = 0
    isEncrypt = 0
    alarmSoundMode = 0
    offlineNotify = 0
    category = device.model
    parentCategory = "IPC"
    updateTime = device.updated
    netType = "wire"
    signal = ""
    riskLevel = 0
    netAddress = address ?? ""
    if isUTC {
      wifiSsid = ""
      timeZone = "UTC+00:00"
    }
  }
}

struct LappCamera: Encodable {
  let deviceSerial: String
  var ipcSerial: String?
  let channelNo: Int
  var deviceName: String?
  let channelName: String
  let status: Int
  /// "0": not shared.
  let isShared: String
  let picUrl: String
  let isEncrypt: Int
  let videoLevel: Int
  var relatedIpc: Bool?

  /// - Parameter isOfDevice: for `device/camera/list`, which says more than `camera/list`.
  init(
    _ camera: StoredCamera, of device: StoredDevice, isOnline: Bool, picture: String?, isOfDevice: Bool
  ) {
    deviceSerial = device.serial.value
    channelNo = camera.record.cameraNo
    channelName = camera.record.name.isEmpty ? device.name : camera.record.name
    status = isOnline ? 1 : 0
    isShared = "0"
    picUrl = picture ?? ""
    isEncrypt = 0
    videoLevel = camera.record.videoLevel.rawValue
    if isOfDevice {
      ipcSerial = device.serial.value
      deviceName = device.name
      relatedIpc = false
    }
  }
}

/// What a device that has neither disk nor battery nor siren says; -1 is "not supported".
struct LappStatus: Encodable {
  let privacyStatus = -1
  let pirStatus = -1
  let alarmSoundMode = -1
  /// The manual's own spelling.
  let battryStatus = -1
  let lockSignal = -1
  let diskNum = 0
  let diskState = ""
  let cloudType = -1
  /// -2: not supported, 1: active.
  let cloudStatus: Int
  let nvrDiskNum = 0
  let nvrDiskState = ""
  let netAddress: String
  let signal = ""
  let wakeUpStatus: Int
}

struct LappPicture: Encodable {
  let picUrl: String
}

/// What `cloud/storage/device/info` tells. The cloud has no end of its own: it is valid for as long as it keeps.
struct LappCloudStorage: Encodable {
  struct Detail: Encodable {
    let files: Int
    let usedBytes: Int64
    let quotaBytes: Int64
  }

  let userName: String
  let deviceSerial: String
  let channelNo: Int
  /// How many days recordings are kept.
  let totalDays: Int
  /// 1: active.
  let status = 1
  let validDays: Int
  /// UTC milliseconds: the oldest recording, now when there is none.
  let startTime: Int64
  let expireTime: Int64
  let serviceDetail: Detail

  init(cloud: Cloud, serial: DeviceSerial, cameraNo: Int, caller: Caller, now: Int64) async throws {
    let limits = try await cloud.limits(of: caller.account)
    let usage = try await cloud.index.usage(of: caller.account)
    let span = try await cloud.index.cloudSpan(of: caller.account, serial: serial, cameraNo: cameraNo)
    userName = caller.name
    deviceSerial = serial.value
    channelNo = cameraNo
    totalDays = Int(limits.retention.milliseconds / 86_400_000)
    validDays = totalDays
    startTime = span?.lowerBound ?? now
    expireTime = now + limits.retention.milliseconds
    serviceDetail = Detail(files: usage.files, usedBytes: usage.bytes, quotaBytes: limits.quota)
  }
}
