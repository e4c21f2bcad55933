import EZOpenSDKFramework
import Foundation

/// The manual's chapter "Live View", block by block, with its own comments.
@MainActor
final class LiveView: @preconcurrency EZPlayerDelegate {
  private var player: EZPlayer?
  private let done: (Bool) -> Void
  private let pictures = PictureCounter()

  init(done: @escaping (Bool) -> Void) { self.done = done }

  func start(deviceSerial: String, cameraNo: Int, verifyCode: String?, playerView: EZPlayerView?) {
    // Create a player, or you can create by EZPlayer class.
    let player = EZGlobalSDK.createPlayer(withDeviceSerial: deviceSerial, cameraNo: cameraNo)
    self.player = player

    // Optional but recommended. After configuring player, you can set the proxy.
    player?.delegate = self

    // Optional. Required if the device has enabled video/picture encryption, which depends on the isEncrypt of
    // EZDeviceInfo.
    if let verifyCode { player?.setPlayVerifyCode(verifyCode) }

    // Set view. On Linux it is a window, or a sink that takes the frames.
    let pictures = pictures
    player?.setPlayerView(playerView ?? EZPlayerView { frame in pictures.take(width: frame.width) })

    // Start live view.
    player?.startRealPlay()
  }

  // "If the live view is started, you can receive a message returned by API didReceivedMessageCode:."
  func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int) {
    print("message \(messageCode)")
    guard messageCode == PLAYER_REALPLAY_START else { return }
    Task {
      try await Task.sleep(for: .seconds(2))
      finish()
    }
  }

  // "If starting live view failed, you will receive an error code in didPlayFailed:."
  func player(_ player: EZPlayer!, didPlayFailed error: Error!) {
    let error = error! as NSError
    print("failed \(error.code): \(error.localizedDescription)")
    if error.code == EZ_SDK_NEED_VALIDATECODE || error.code == EZ_SDK_VALIDATECODE_NOT_MATCH {
      print("ask for the verification code, call setPlayVerifyCode, and start again")
    }
    done(false)
  }

  func player(_ player: EZPlayer!, didReceivedDisplayHeight height: Int, displayWidth width: Int) {
    print("picture \(width)x\(height)")
  }

  private func finish() {
    let picture = player?.capturePicture(80)
    print("captured a JPEG of \(picture?.jpegData.count ?? 0) bytes")
    // "please stop live view by calling stopRealPlay"
    player?.stopRealPlay()
    print("stopped after \(pictures.count) pictures, \(player?.getStreamFlow() ?? 0) bytes")
    EZGlobalSDK.releasePlayer(player)
    done(pictures.count > 0 && picture != nil)
  }
}
