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

/// The second manual's live view, at the platform that everything else uses too; the space is the account.
@MainActor func watchWithModel(serial: String) async throws {
  let model = LiveViewObjectStore.objectFor(
    .liveView, spaceId: try await SDKConfig.spaceId(), deviceId: serial)
  print("space \(model.spaceId)")
  await withCheckedContinuation { continuation in
    model.onConnected = { continuation.resume() }
    model.onLiveViewTerminate = { print("failed \(model.lastError.map { "\($0)" } ?? "")") }
    model.connect()
  }
  print("connected \(model.isConnected)")
  model.captureSnapshot { print("snapshot \((try? $0.get())?.starts(with: [0xFF, 0xD8]) == true)") }
  model.onLiveViewTerminate = nil
  model.terminateConnection()
}

let environment = ProcessInfo.processInfo.environment
let serial = environment["SERIAL"] ?? ""
let watcher = Watcher()
let player = manualLines(
  appKey: environment["APP_KEY"] ?? "", accessToken: environment["TOKEN"] ?? "",
  serial: serial,
  delegate: watcher)
RunLoop.main.run(until: Date(timeIntervalSinceNow: 2))
print("recording \(player?.startLocalRecord(withPathExt: "names.mp4") == true)")
RunLoop.main.run(until: Date(timeIntervalSinceNow: 3))
player?.stopLocalRecordExt { print("recorded \($0)") }
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
player?.stopRealPlay()
let store = LiveViewObjectStore.self
print("imported \(store)")
Task { @MainActor in
  do {
    try await watchWithModel(serial: serial)
    exit(0)
  } catch {
    print("failed \(error)")
    exit(1)
  }
}
RunLoop.main.run()
