public import Foundation
import OrielKit
import OrielModel

/// A recording on a camera's own storage. A program may make one itself: any range can be played.
public final class EZDeviceRecordFile: NSObject {
  public var startTime: Date!
  public var stopTime: Date!
  /// 0: recorded without a break; 1: for an event.
  public var type = 0
  public var channelType: String! = ""

  public override init() { super.init() }

  init(_ file: RecordFile) {
    startTime = Date(milliseconds: file.startTime)
    stopTime = Date(milliseconds: file.endTime)
    type = file.kind == .event ? 1 : 0
    super.init()
  }
}

/// A recording in the cloud.
public final class EZCloudRecordFile: NSObject {
  public var fileId: String! = ""
  public var startTime: Date!
  public var stopTime: Date!
  /// Not made in advance: `Session.recordedPicture` has one of any moment.
  public var coverPic: String! = ""
  /// Where it is read, relative to the platform: signed and short-lived.
  public var downloadPath: String! = ""
  /// nil when it is clear.
  public var encryption: String!
  public var deviceSerial: String! = ""
  public var cameraNo = 1
  /// 1: a file by itself.
  public var istorageVersion = 1

  public override init() { super.init() }

  init(_ file: RecordFile, deviceSerial: String) {
    fileId = file.fileId
    startTime = Date(milliseconds: file.startTime)
    stopTime = Date(milliseconds: file.endTime)
    downloadPath = file.downloadPath ?? ""
    encryption = file.isEncrypted ? "1" : nil
    self.deviceSerial = deviceSerial
    cameraNo = file.cameraNo
    super.init()
  }
}

extension Date {
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// UTC, clamped to what a platform takes; 0 for a date that is none.
  var milliseconds: Int64 {
    let seconds = timeIntervalSince1970
    guard seconds.isFinite else { return 0 }
    return Int64((min(max(seconds, 0), 253_402_300_799) * 1000).rounded())
  }
}
