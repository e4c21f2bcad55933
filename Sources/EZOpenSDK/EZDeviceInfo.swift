public import Foundation
import OrielModel

/// A device of the account.
public final class EZDeviceInfo: NSObject {
  public var deviceSerial: String!
  public var deviceName: String!
  /// The model.
  public var deviceType: String!
  public var deviceVersion: String!
  public var category: String!
  /// The first camera's cover picture; nil when there is none.
  public var deviceCover: String!
  /// Its cameras, `EZCameraInfo`.
  public var cameraInfo: [Any]!
  public var cameraNum = 0
  /// 1 online, 2 offline.
  public var status = 2
  /// Whether video and pictures are encrypted: then a player needs `setPlayVerifyCode`.
  public var isEncrypt = false
  /// 0 no talk, 1 full duplex, 3 half duplex.
  public var isSupportTalk = 0
  public var isSupportPTZ = false
  public var isSupportZoom = false
  public var isSupportAudioOnOff = false
  public var isSupportMirrorCenter = false
  public var isSupportSoundWave = false
  /// 0 asleep or disarmed, 1 armed, 8 at home, 16 away.
  public var defence = 0
  public var detectorNum = 0
  public var detectorInfo: [Any]!
  /// When it was added to the account.
  public var addTime: Date!

  public override init() { super.init() }

  /// - Parameter origin: the platform's address, in front of its pictures' paths.
  init(_ record: DeviceRecord, origin: String = "") {
    super.init()
    deviceSerial = record.serial.value
    deviceName = record.name
    deviceType = record.model
    deviceVersion = record.version
    category = record.model
    deviceCover = record.cameras.first?.coverURL.map { origin + $0 }
    cameraInfo = record.cameras.map { EZCameraInfo($0, of: record, origin: origin) }
    cameraNum = record.cameras.count
    status = record.status == .online ? 1 : 2
    isEncrypt = record.isEncrypted
    isSupportTalk = record.talk.rawValue
    detectorInfo = []
    addTime = Date(timeIntervalSince1970: Double(record.addTime) / 1000)
  }
}

/// One camera of a device.
public final class EZCameraInfo: NSObject {
  public var cameraName: String!
  /// Counts from 1.
  public var cameraNo = 1
  public var deviceSerial: String!
  /// 0 not shared, 1 shared by me, 2 shared with me.
  public var isShared = 0
  public var cameraCover: String!
  /// 0...3, see `EZVideoLevelType`.
  public var videoLevel = 2
  /// What it can be set to, `EZVideoQualityInfo`.
  public var videoQualityInfos: [Any]!
  public var isEncrypt = false
  /// 1 online, 2 offline.
  public var status = 2

  public override init() { super.init() }

  init(_ record: CameraRecord, of device: DeviceRecord, origin: String) {
    super.init()
    cameraName = record.name
    cameraNo = record.cameraNo
    deviceSerial = device.serial.value
    cameraCover = record.coverURL.map { origin + $0 }
    videoLevel = record.videoLevel.rawValue
    isEncrypt = device.isEncrypted
    status = device.status == .online ? 1 : 2
    var levels = [EZVideoQualityInfo(name: "HD", level: .high)]
    if !record.subStream.isEmpty { levels.insert(EZVideoQualityInfo(name: "Fluent", level: .low), at: 0) }
    videoQualityInfos = levels
  }
}

/// A definition that a camera offers.
public final class EZVideoQualityInfo: NSObject {
  public var videoQualityName: String!
  /// 0...3, see `EZVideoLevelType`.
  public var videoLevel = 0
  /// 1 main stream, 2 sub stream.
  public var streamType = 1

  public override init() { super.init() }

  init(name: String, level: VideoLevel) {
    super.init()
    videoQualityName = name
    videoLevel = level.rawValue
    streamType = level.stream.rawValue
  }
}
