import IVSDK
import OrielKit
import OrielModel
import Testing

@MainActor
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LiveViewModelTests {
  @Test func aModelIsKeptForItsDeviceAndHasAView() {
    let one = LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: "O00000001")
    let same = LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: "O00000001")
    let other = LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: "O00000002")
    #expect(one === same)
    #expect(one !== other)
    #expect(!one.remoteViews.isEmpty)
    LiveViewObjectStore.logout()
    #expect(LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: "O00000001") !== one)
    LiveViewObjectStore.logout()
  }

  @Test(arguments: [("nonsense", ErrorCode.illegalDeviceSerial), ("O00000001", .platformUnreachable)])
  func aFailureIsToldOnceWithItsNumber(deviceId: String, code: ErrorCode) async throws {
    try SDKConfig.configure(server: ServerAddress("http://127.0.0.1:9"), accessToken: "at.test")
    let model = LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: deviceId)
    var told: [String] = []
    let error = await withCheckedContinuation { continuation in
      model.onConnected = { told.append("connected") }
      model.onStreamFailed = { told.append("stream failed") }
      model.onError = { told.append("error") }
      model.onLiveViewTerminate = { continuation.resume(returning: model.lastError) }
      model.connect()
      #expect(told.isEmpty, "the outcome comes after the call")
    }
    #expect(error?.code == code)
    #expect(told == ["error"])
    #expect(model.connectionState == .failed)
    #expect(!model.isConnected)
    LiveViewObjectStore.logout()
  }

  @Test func aSnapshotBeforeTheFirstPictureHasItsNumber() {
    let model = LiveViewObjectStore.objectFor(.liveView, spaceId: "space", deviceId: "O00000003")
    model.captureSnapshot { result in
      #expect(throws: OrielError(.noPicture)) { try result.get() }
    }
    LiveViewObjectStore.logout()
  }
}
