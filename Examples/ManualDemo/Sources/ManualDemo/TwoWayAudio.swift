import EZOpenSDKFramework
import Foundation

/// The manual's chapter "Two-Way Audio", block by block, with its own comments.
@MainActor
final class TwoWayAudio: @preconcurrency EZPlayerDelegate {
  private var talkPlayer: EZPlayer?
  private let isSupportTalk: Int
  private let done: (Bool) -> Void

  init(isSupportTalk: Int, done: @escaping (Bool) -> Void) {
    self.isSupportTalk = isSupportTalk
    self.done = done
  }

  func start(deviceSerial: String, cameraNo: Int, verifyCode: String?) {
    print("talk \(isSupportTalk)")
    guard isSupportTalk != 0 else { return done(true) }

    // Create a player, or you can create by EZPlayer class.
    talkPlayer = EZGlobalSDK.createPlayer(withDeviceSerial: deviceSerial, cameraNo: cameraNo)

    // Optional but recommended. After configuring the player, you can set the proxy.
    talkPlayer?.delegate = self

    // Optional. Required if the device has enabled video/picture encryption, which depends on the isEncrypt of
    // EZDeviceInfo.
    if let verifyCode { talkPlayer?.setPlayVerifyCode(verifyCode) }

    // Start two-way audio.
    talkPlayer?.startVoiceTalk()
  }

  func player(_ player: EZPlayer!, didReceivedMessageCode messageCode: Int) {
    print("talk message \(messageCode)")
    switch EZMessageCode(rawValue: messageCode) {
    case .PLAYER_VOICE_TALK_START: speak()
    case .PLAYER_VOICE_TALK_END:
      talkPlayer?.destoryPlayer()
      done(true)
    default: break
    }
  }

  func player(_ player: EZPlayer!, didPlayFailed error: (any Error)!) {
    let error = error as NSError
    print("failed \(error.code): \(error.localizedDescription)")
    done(false)
  }

  private func speak() {
    if isSupportTalk == 3 {
      // Switch to Listen on Device and Speak on Phone
      talkPlayer?.audioTalkPressed(true)
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [self] in
      if isSupportTalk == 3 {
        // Switch to Listen on Phone and Speak on Device
        talkPlayer?.audioTalkPressed(false)
      }
      // Stop two-way audio.
      talkPlayer?.stopVoiceTalk()
    }
  }
}
