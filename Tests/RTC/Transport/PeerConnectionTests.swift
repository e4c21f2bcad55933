import Testing

@testable import OrielRTC

@Suite(.serialized) struct PeerConnectionTests {
  @Test @RTCActor func twoPeersConnectAndAgreeOnGCMKeys() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    let picture = pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    pair.viewer.addTransceiver(.audio, direction: .receiveOnly)
    try pair.exchange()
    try await pair.wait { pair.areConnected }
    let viewerKeys = try #require(pair.viewer.transport.dtls?.keys)
    let cameraKeys = try #require(pair.camera.transport.dtls?.keys)
    #expect(viewerKeys.profile == .aeadAES128GCM)
    #expect(viewerKeys.localKey == cameraKeys.remoteKey)
    #expect(viewerKeys.remoteKey == cameraKeys.localKey)
    #expect(viewerKeys.localSalt == cameraKeys.remoteSalt)
    #expect(viewerKeys.remoteSalt == cameraKeys.localSalt)
    #expect(viewerKeys.localKey != viewerKeys.remoteKey)
    #expect(pair.camera.transceivers.map(\.kind) == [.video, .audio])
    #expect(pair.camera.transceivers.map(\.agreedDirection) == [.sendOnly, .sendOnly])
    #expect(picture.codec?.name == "H264")
    #expect(pair.viewer.transport.dtls?.role == .client)
    #expect(pair.viewerStates == [.connecting, .connected])
    #expect(pair.cameraStates == [.connecting, .connected])
  }
}
