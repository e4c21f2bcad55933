import Foundation
import IVSDK
import OrielModel
import Testing

/// What a model's closures tell.
@MainActor
final class LiveViewLog {
  var lines: [String] = []
  var messages: [PlaybackMessage] = []

  func observe(_ liveViewObject: LiveViewModel) {
    liveViewObject.onConnected = { self.lines.append("connected") }
    liveViewObject.onLiveViewTerminate = { self.lines.append("terminate") }
    liveViewObject.onError = { self.lines.append("error") }
    liveViewObject.onReconnect = { self.lines.append("reconnect") }
    liveViewObject.onTimeout = { self.lines.append("timeout") }
    liveViewObject.onDataChannelMessage = { (data: Data) in
      if let message = try? JSONDecoder().decode(PlaybackMessage.self, from: data) {
        self.messages.append(message)
      }
    }
    liveViewObject.onDataChannelOpen = { (isOpen: Bool) in self.lines.append(isOpen ? "open" : "shut") }
    liveViewObject.onDeviceRefresh = { (device: DeviceModel) in self.lines.append("refresh \(device.id)") }
    liveViewObject.onFrameTimeout = { self.lines.append("frame timeout") }
    liveViewObject.onStreamEnded = { self.lines.append("ended") }
    liveViewObject.onStreamFailed = { self.lines.append("failed") }
  }

  /// Waits at most 15 s.
  func wait(_ what: Comment, until holds: () -> Bool) async throws {
    for _ in 0..<500 where !holds() { try await Task.sleep(for: .milliseconds(10)) }
    #expect(holds(), what)
  }
}
