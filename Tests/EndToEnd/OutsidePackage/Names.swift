import EZOpenSDKFramework
import Foundation
import IVSDK
import OrielKit

// Written as a stranger would: the vendor's spelling of the delegate, the manual's order of calls.
final class Watcher: NSObject, EZPlayerDelegate {
  func player(_ player: EZPlayer!, didReceivedMessage messageCode: Int) { print("message \(messageCode)") }
  func player(_ player: EZPlayer!, didPlayFailed error: (any Error)!) {
    print("failed \(error.map { "\($0)" } ?? "")")
  }
}

let environment = ProcessInfo.processInfo.environment
let watcher = Watcher()
let player = manualLines(
  appKey: environment["APP_KEY"] ?? "", accessToken: environment["TOKEN"] ?? "",
  serial: environment["SERIAL"] ?? "",
  delegate: watcher)
RunLoop.main.run(until: Date(timeIntervalSinceNow: 4))
player?.stopRealPlay()
let store = LiveViewObjectStore.self
print("imported \(store)")
