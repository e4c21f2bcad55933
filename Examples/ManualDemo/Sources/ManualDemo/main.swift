// The first manual's code blocks in order, in Swift spelling. It grows with the platform.
//
//   ORIEL_SERVER=http://127.0.0.1:7080 ORIEL_ACCESS_TOKEN=… swift run ManualDemo [appKey]
//
// Without a token the platform's sign-in page opens.

import EZOpenSDKFramework
import Foundation

let environment = ProcessInfo.processInfo.environment

/// "Enter the appKey applied on the official site to run the project": an argument, or APP_KEY.
let appKey = CommandLine.arguments.dropFirst().first ?? environment["APP_KEY"] ?? "Your App Key"

// MARK: Initialization

// Initialize SDK
guard EZGlobalSDK.initLib(withAppKey: appKey) else { exit(1) }
print("initialised, \(EZGlobalSDK.getVersion() ?? "")")

/// Login, client mode: the user chooses an area and signs in on the platform's page.
func openLoginPage(_ signedIn: @escaping () -> Void) {
  EZGlobalSDK.getAreaList { areaList, error in
    guard let areaInfo = areaList?.first as? EZAreaInfo else {
      print("failed \((error as NSError?)?.code ?? 0)")
      exit(1)
    }
    print("\(areaList?.count ?? 0) areas, \(areaInfo.name!)")
    EZGlobalSDK.openLoginPage("\(areaInfo.id)") { accessToken in
      guard accessToken != nil else { exit(1) }
      print("signed in on the page")
      signedIn()
    }
  }
}

// MARK: Devices, live view, playback, two-way audio

@MainActor
func end(_ succeeded: Bool) {
  EZGlobalSDK.destoryLib()
  exit(succeeded ? 0 : 1)
}

/// What the first online device shows, once it is known.
@MainActor
struct Shown {
  var deviceSerial = ""
  var verifyCode: String?
  var playerView: EZPlayerView?
  var isSupportTalk = 0
}

var shown = Shown()

var twoWayAudio: TwoWayAudio?

let cloudPlayback = Playback { succeeded in
  MainActor.assumeIsolated {
    guard succeeded else { return end(false) }
    let talk = TwoWayAudio(isSupportTalk: shown.isSupportTalk) { end($0) }
    twoWayAudio = talk
    talk.start(deviceSerial: shown.deviceSerial, cameraNo: 1, verifyCode: shown.verifyCode)
  }
}
let devicePlayback = Playback { succeeded in
  MainActor.assumeIsolated {
    guard succeeded else { return end(false) }
    cloudPlayback.start(
      deviceSerial: shown.deviceSerial, cameraNo: 1, verifyCode: shown.verifyCode,
      playerView: shown.playerView,
      isCloud: true)
  }
}
let liveView = LiveView { succeeded in
  MainActor.assumeIsolated {
    guard succeeded else { return end(false) }
    devicePlayback.start(
      deviceSerial: shown.deviceSerial, cameraNo: 1, verifyCode: shown.verifyCode,
      playerView: shown.playerView,
      isCloud: false)
  }
}

@MainActor
func showDevices() {
  EZGlobalSDK.getDeviceList(0, pageSize: 20) { deviceList, totalCount, error in
    if let error = error as NSError? {
      print("failed \(error.code): \(error.localizedDescription)")
      exit(1)
    }
    let devices = deviceList as? [EZDeviceInfo] ?? []
    print("\(totalCount) devices")
    for device in devices {
      print("  \(device.deviceSerial!) \(device.deviceName!) \(device.status == 1 ? "online" : "offline")")
    }
    guard let device = devices.first(where: { $0.status == 1 }) else {
      print("no device is online")
      exit(1)
    }
    MainActor.assumeIsolated {
      shown = Shown(
        deviceSerial: device.deviceSerial, verifyCode: device.isEncrypt ? environment["VERIFY_CODE"] : nil,
        playerView: (environment["DISPLAY"] ?? "").isEmpty
          ? nil : try? EZPlayerView(title: device.deviceName),
        isSupportTalk: device.isSupportTalk)
      liveView.start(
        deviceSerial: shown.deviceSerial, cameraNo: 1, verifyCode: shown.verifyCode,
        playerView: shown.playerView)
    }
  }
}

if let accessToken = environment["ORIEL_ACCESS_TOKEN"] {
  // Login, server mode
  EZGlobalSDK.setAccessToken(accessToken)
  guard EZGlobalSDK.isLogin() else { exit(1) }
  showDevices()
} else {
  openLoginPage { MainActor.assumeIsolated { showDevices() } }
}

RunLoop.main.run()
