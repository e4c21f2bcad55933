import EZOpenSDKFramework
import Foundation

/// The manual's chapter "Playback", block by block, with its own comments.
@MainActor
final class Playback: @preconcurrency EZPlayerDelegate {
  private var player: EZPlayer?
  private var stopTime: Date?
  private let done: (Bool) -> Void
  private let pictures = PictureCounter()

  init(done: @escaping (Bool) -> Void) { self.done = done }

  /// "Get video information before playback."
  func start(
    deviceSerial: String, cameraNo: Int, verifyCode: String?, playerView: EZPlayerView?, isCloud: Bool
  ) {
    let found = { [self] (files: [Any]?, error: Error?) in
      if let error = error as NSError? {
        print("failed \(error.code): \(error.localizedDescription)")
        return done(false)
      }
      print("\(files?.count ?? 0) recordings \(isCloud ? "in the cloud" : "on the device")")
      guard let file = files?.first else { return done(false) }
      MainActor.assumeIsolated { play(file, deviceSerial, cameraNo, verifyCode, playerView) }
    }
    let (beginTime, endTime) = (Date(timeIntervalSinceNow: -3600), Date())
    if isCloud {
      EZGlobalSDK.searchRecordFile(
        fromCloud: deviceSerial, cameraNo: cameraNo, beginTime: beginTime, endTime: endTime, completion: found
      )
    } else {
      EZGlobalSDK.searchRecordFile(
        fromDevice: deviceSerial, cameraNo: cameraNo, beginTime: beginTime, endTime: endTime,
        completion: found)
    }
  }

  private func play(
    _ file: Any, _ deviceSerial: String, _ cameraNo: Int, _ verifyCode: String?, _ playerView: EZPlayerView?
  ) {
    // Create a player, or you can create by EZPlayer class.
    let player = EZGlobalSDK.createPlayer(withDeviceSerial: deviceSerial, cameraNo: cameraNo)
    self.player = player

    // Optional but recommended. After configuring the player, you can set the proxy.
    player?.delegate = self

    // Optional. Required if the device has enabled video/picture encryption, which depends on the isEncrypt of
    // EZDeviceInfo.
    if let verifyCode { player?.setPlayVerifyCode(verifyCode) }

    // Set view.
    let pictures = pictures
    player?.setPlayerView(playerView ?? EZPlayerView { frame in pictures.take(width: frame.width) })

    if let cloudFile = file as? EZCloudRecordFile {
      // Play back video files stored on the cloud storage.
      stopTime = cloudFile.stopTime
      player?.startPlayback(fromCloud: cloudFile)
    } else if let deviceFile = file as? EZDeviceRecordFile {
      // Play back video files stored on the device.
      stopTime = deviceFile.stopTime
      player?.startPlayback(fromDevice: deviceFile)
    }
  }

  // "If the playback is started, you can receive a message returned by API didReceivedMessageCode:."
  func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int) {
    print("playback message \(messageCode)")
    switch messageCode {
    case PLAYER_PLAYBACK_START:
      // The last seconds are enough.
      if let stopTime { player.seekPlayback(stopTime.addingTimeInterval(-2)) }
    case PLAYER_PLAYBACK_STOP: finish()
    default: break
    }
  }

  // "If starting playback failed, you will receive an error code in didPlayFailed:."
  func player(_ player: EZPlayer!, didPlayFailed error: Error!) {
    let error = error! as NSError
    // "When playback ended, it may report an error code (380101) ... compare this time with the video's end time." It
    // does not happen here, and this does no harm.
    if error.code == 380_101, let time = player.getOSDTime(), let stopTime,
      stopTime.timeIntervalSince(time) < 2
    {
      return finish()
    }
    print("failed \(error.code): \(error.localizedDescription)")
    done(false)
  }

  private func finish() {
    let rest = stopTime.flatMap { stop in player?.getOSDTime().map { stop.timeIntervalSince($0) } } ?? 999
    print("playback ended \(rest < 1 ? "at" : "before") the recording's end, \(pictures.count) pictures")
    player?.stopPlayback()
    EZGlobalSDK.releasePlayer(player)
    done(pictures.count > 0 && rest < 1)
  }
}
