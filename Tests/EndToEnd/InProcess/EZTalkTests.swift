import EZOpenSDKFramework
import Foundation
import OrielCamera
import OrielModel
import Testing

/// The first manual's two-way audio where there is no sound: ManualDemo and Tests/EndToEnd/talk_test.py have some.
extension EZPlaybackTests {
  @MainActor
  @Test func withoutAMicrophoneATalkFailsBeforeTheNetworkIsTouched() async throws {
    setenv("PULSE_SERVER", "unix:/nowhere", 1)
    try await run { house in
      let player = EZGlobalSDK.createPlayer(withDeviceSerial: house.serial.value, cameraNo: 1)
      let delegate = Delegate()
      player?.delegate = delegate
      #expect(player?.stopVoiceTalk() == false, "stop before start")
      #expect(player?.audioTalkPressed(true) == false)
      #expect(player?.startVoiceTalk() == true)
      #expect(player?.startVoiceTalk() == false, "one talk a player")
      try await wait("no failure") { delegate.failures == [ErrorCode.microphoneUnavailable.rawValue] }
      #expect(await house.agent.viewerCount == 0)
      #expect(delegate.messages == [])
      // Beside a live view, which goes on.
      #expect(player?.startRealPlay() == true)
      try await wait("no picture") { delegate.messages.contains(1) }
      #expect(player?.startVoiceTalk() == true)
      try await wait("no second failure") { delegate.failures.count == 2 }
      #expect(delegate.failures.last == ErrorCode.microphoneUnavailable.rawValue)
      #expect(player?.stopRealPlay() == true)
      player?.destoryPlayer()
      #expect(player?.startVoiceTalk() == false)
    }
  }
}
