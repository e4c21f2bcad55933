public import Foundation
import OrielKit
import OrielModel

/// A device that is online and may be added.
public final class EZProbeDeviceInfo: NSObject {
  public var displayName: String!
  /// The nine characters of the serial.
  public var subSerial: String!
  /// The whole serial; the same here.
  public var fullSerial: String!
  /// 1 online, else offline.
  public var status = 0
  public var defaultPicPath: String!
  /// 0 no Wi-Fi, 1 yes, 2 newer, 3 smart config.
  public var supportWifi = 0
  public var releaseVersion: String!
  public var version: String!
  public var availiableChannelCount = 0
  public var relatedDeviceCount = 0
  public var category: String!
  public var model: String!
  /// 2: by its own access point.
  public var supportAP = 0
  public var supportSoundWave = 0
  public var supportCloud = 0
  public var supportExt: String!

  public override init() { super.init() }

  init(_ device: ProbedDevice) {
    super.init()
    displayName = device.name
    subSerial = device.serial.value
    fullSerial = device.serial.value
    status = device.status == .online ? 1 : 0
    releaseVersion = device.version
    version = device.version
    availiableChannelCount = device.cameraCount
    category = device.model
    model = device.model
  }
}
