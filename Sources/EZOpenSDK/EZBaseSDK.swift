public import Foundation
import OrielKit
import OrielModel

/// The class methods that `EZGlobalSDK` and `EZOpenSDK` have in common.
///
/// Names and optionality are those that Swift gives the Objective-C headers. Network calls return at once with an
/// object that can cancel them, and call their completion on the main queue, once; `error == nil` means success.
public class EZBaseSDK: NSObject {
  /// What `getVersion` says: the generation of the first manual's library, and ours behind it.
  static let version = "5.0.0-oriel.1"

  // MARK: Life

  /// Sets the library up. The platform is `ORIEL_SERVER`, else the one of `oriel login`, else that of `make run`.
  /// - Returns: false without an appKey, or when that address is none.
  @discardableResult
  public class func initLib(withAppKey appKey: String!) -> Bool {
    initLib(withAppKey: appKey, url: nil, authUrl: nil)
  }

  /// As above, for a platform that is named.
  /// - Parameters:
  ///   - url: `http://127.0.0.1:7080`, or `https://host:7443#sha256//…` with the key that it must show.
  ///   - authUrl: where its sign-in page is; the platform itself when nil.
  @discardableResult
  public class func initLib(withAppKey appKey: String!, url: String!, authUrl: String!) -> Bool {
    do {
      try EZLibrary.start(appKey: appKey, url: url)
      return true
    } catch {
      Log("ezopensdk").error("initLib: \(error)")
      return false
    }
  }

  /// Takes everything down; players stop.
  @discardableResult
  public class func destoryLib() -> Bool { EZLibrary.stop() }

  @discardableResult
  public class func getVersion() -> String! { version }

  /// Logging follows `ORIEL_LOG` in the environment; this changes it for lines to come. Call it before `initLib`.
  @discardableResult
  public class func setDebugLogEnable(_ enable: Bool) -> Bool {
    setenv("ORIEL_LOG", enable ? "debug" : "info", 1)
    return true
  }

  // MARK: Signing in

  /// Takes the token that a server of one's own got. It may be replaced at any time; views that run go on.
  public class func setAccessToken(_ accessToken: String!) {
    try? EZLibrary.session().setAccessToken(accessToken.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The token in use; nil when nobody is signed in.
  @discardableResult
  public class func getAccesstoken() -> String! { try? EZLibrary.session().accessToken }

  @discardableResult
  public class func isLogin() -> Bool { getAccesstoken() != nil }

  /// Ends the token.
  @discardableResult
  public class func logout(_ completion: (((any Error)?) -> Void)!) -> EZTask! {
    EZTask {
      try await EZLibrary.session().signOut()
    } completion: { _, error in
      completion?(error)
    }
  }

  // MARK: Devices

  /// The devices of the account.
  /// - Parameters:
  ///   - pageIndex: from 0.
  ///   - pageSize: 1...50.
  ///   - completion: `EZDeviceInfo`s, how many there are in all, error.
  @discardableResult
  public class func getDeviceList(
    _ pageIndex: Int, pageSize: Int, completion: (([Any]?, Int, (any Error)?) -> Void)!
  ) -> EZTask! {
    EZTask {
      guard pageIndex >= 0, (1...50).contains(pageSize) else {
        throw OrielError(.argumentError, "pageIndex counts from 0, pageSize is 1...50")
      }
      let session = try EZLibrary.session()
      let all = try await session.devices()
      let (first, isTooFar) = pageIndex.multipliedReportingOverflow(by: pageSize)
      let page = isTooFar ? [] : all.dropFirst(first).prefix(pageSize).map(\.record)
      return (page, all.count, session.server.origin)
    } completion: { (answer: ([DeviceRecord], Int, String)?, error) in
      completion?(
        answer.map { answer in answer.0.map { EZDeviceInfo($0, origin: answer.2) } }, answer?.1 ?? 0, error)
    }
  }

  @discardableResult
  public class func getDeviceInfo(
    _ deviceSerial: String!, completion: ((EZDeviceInfo?, (any Error)?) -> Void)!
  ) -> EZTask! {
    EZTask {
      let session = try EZLibrary.session()
      return (try await session.device(serial(deviceSerial)).record, session.server.origin)
    } completion: { (answer: (DeviceRecord, String)?, error) in
      completion?(answer.map { EZDeviceInfo($0.0, origin: $0.1) }, error)
    }
  }

  /// Looks at a device before it is added: device information when it is online and free, else an error whose code
  /// says which other state it is in (`EZ_HTTPS_DEVICE_…`).
  @discardableResult
  public class func probeDeviceInfo(
    _ deviceSerial: String!, completion: ((EZProbeDeviceInfo?, (any Error)?) -> Void)!
  ) -> EZTask! {
    EZTask {
      try await EZLibrary.session().probe(serial(deviceSerial))
    } completion: { probed, error in
      completion?(probed.map { EZProbeDeviceInfo($0) }, error)
    }
  }

  /// The newer form of the same.
  /// - Parameter deviceType: the model, if it is known; not needed here.
  @discardableResult
  public class func probeDeviceInfo(
    _ deviceSerial: String!, deviceType: String!, completion: ((EZProbeDeviceInfo?, (any Error)?) -> Void)!
  ) -> EZTask! {
    probeDeviceInfo(deviceSerial, completion: completion)
  }

  /// Adds a device to the account.
  /// - Parameter verifyCode: the six letters on its label.
  @discardableResult
  public class func addDevice(
    _ deviceSerial: String!, verifyCode: String!, completion: (((any Error)?) -> Void)!
  ) -> EZTask! {
    EZTask {
      let code = try VerificationCode(verifyCode ?? "")
      try await EZLibrary.session().add(serial(deviceSerial), code: code)
      return
    } completion: { _, error in
      completion?(error)
    }
  }

  /// Takes a device out of the account.
  @discardableResult
  public class func deleteDevice(_ deviceSerial: String!, completion: (((any Error)?) -> Void)!) -> EZTask! {
    EZTask {
      try await EZLibrary.session().remove(serial(deviceSerial))
    } completion: { _, error in
      completion?(error)
    }
  }

  @discardableResult
  public class func setDeviceName(
    _ deviceName: String!, deviceSerial: String!, completion: (((any Error)?) -> Void)!
  ) -> EZTask! {
    EZTask {
      guard let deviceName, !deviceName.isEmpty else { throw OrielError(.argumentError, "a name is needed") }
      try await EZLibrary.session().rename(serial(deviceSerial), to: deviceName)
    } completion: { _, error in
      completion?(error)
    }
  }

  /// Has the camera take a picture now.
  /// - Parameter completion: the address of the JPEG, good for two hours, and error.
  @discardableResult
  public class func captureCamera(
    _ deviceSerial: String!, cameraNo: Int, completion: ((String?, (any Error)?) -> Void)!
  ) -> EZTask! {
    EZTask {
      try await EZLibrary.session().captureAddress(serial(deviceSerial), cameraNo: cameraNo)
    } completion: { address, error in
      completion?(address, error)
    }
  }

  /// Views that run switch at the next key frame, without the restart that the manual asks for.
  static func setLevel(
    _ deviceSerial: String?, cameraNo: Int, level: Int, completion: (((any Error)?) -> Void)?
  ) -> EZTask {
    EZTask {
      let serial = try serial(deviceSerial)
      guard let level = VideoLevel(rawValue: level) else {
        throw OrielError(.argumentError, "a definition is 0...3")
      }
      try await EZLibrary.session().setVideoLevel(level, of: serial, cameraNo: cameraNo)
      for player in EZLibrary.players(serial: serial.value, cameraNo: cameraNo) {
        player.setVideoLevel(level)
      }
    } completion: { _, error in
      completion?(error)
    }
  }

  // MARK: Recordings

  /// What the cloud has of a camera.
  /// - Parameters:
  ///   - cameraNo: from 1; 0 or less for the first.
  ///   - beginTime: nil: the start of today.
  ///   - endTime: nil: the end of today.
  ///   - completion: `EZCloudRecordFile`s in the order of time, empty when there are none, and error (110001 for a
  ///     range that is none, 120018, 120019 without a cloud).
  @discardableResult
  public class func searchRecordFile(
    fromCloud deviceSerial: String!, cameraNo: Int, beginTime: Date!, endTime: Date!,
    completion: (([Any]?, (any Error)?) -> Void)!
  ) -> EZTask! {
    search(.cloud, deviceSerial, cameraNo, beginTime, endTime) { files, error in
      completion?(files.map { $0.map { EZCloudRecordFile($0, deviceSerial: deviceSerial ?? "") } }, error)
    }
  }

  /// What a camera has on its own storage; it must be online.
  /// - Parameter completion: `EZDeviceRecordFile`s in the order of time, and error (120007 offline, 720105 when it does
  ///   not record).
  @discardableResult
  public class func searchRecordFile(
    fromDevice deviceSerial: String!, cameraNo: Int, beginTime: Date!, endTime: Date!,
    completion: (([Any]?, (any Error)?) -> Void)!
  ) -> EZTask! {
    search(.device, deviceSerial, cameraNo, beginTime, endTime) { files, error in
      completion?(files.map { $0.map { EZDeviceRecordFile($0) } }, error)
    }
  }

  private class func search(
    _ store: RecordStore, _ deviceSerial: String?, _ cameraNo: Int, _ begin: Date?, _ end: Date?,
    completion: @escaping ([RecordFile]?, (any Error)?) -> Void
  ) -> EZTask {
    let today = Calendar.current.startOfDay(for: Date())
    let from = begin ?? today
    let to = end ?? Calendar.current.date(byAdding: .day, value: 1, to: today) ?? today
    return EZTask {
      try await EZLibrary.session().recordings(
        of: serial(deviceSerial), cameraNo: max(cameraNo, 1), from: from.milliseconds, to: to.milliseconds,
        store: store)
    } completion: { files, error in
      completion(files, error)
    }
  }

  // MARK: Players

  /// - Returns: nil before `initLib`. A serial that is none is reported when the player is started.
  @discardableResult
  public class func createPlayer(withDeviceSerial deviceSerial: String!, cameraNo: Int) -> EZPlayer! {
    EZPlayer.createPlayer(withDeviceSerial: deviceSerial, cameraNo: cameraNo)
  }

  /// Stops a player and lets go of what it holds.
  @discardableResult
  public class func releasePlayer(_ player: EZPlayer!) -> Bool { player?.destoryPlayer() ?? false }

  /// - Throws: `OrielError` 120014.
  private static func serial(_ text: String?) throws -> DeviceSerial { try DeviceSerial(text ?? "") }
}

/// The overseas library of the first manual.
public final class EZGlobalSDK: EZBaseSDK {
  /// Sets the definition that views of this camera have: 0 fluent, 1 balanced, 2 HD, 3 super HD.
  @discardableResult
  public class func setVideoLevel(
    _ deviceSerial: String!, cameraNo: Int, videoLevel: Int, completion: (((any Error)?) -> Void)!
  ) -> EZTask! {
    setLevel(deviceSerial, cameraNo: cameraNo, level: videoLevel, completion: completion)
  }
}

/// The domestic library of the first manual; the same class methods.
public final class EZOpenSDK: EZBaseSDK {
  /// Sets the definition that views of this camera have.
  @discardableResult
  public class func setVideoLevel(
    _ deviceSerial: String!, cameraNo: Int, videoLevel: EZVideoLevelType,
    completion: (((any Error)?) -> Void)!
  ) -> EZTask! {
    setLevel(deviceSerial, cameraNo: cameraNo, level: videoLevel.rawValue, completion: completion)
  }
}
