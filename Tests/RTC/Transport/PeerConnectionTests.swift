import Testing

@testable import OrielRTC

@Suite struct PeerConnectionTests {
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

  @Test @RTCActor func thePassiveOffererIsAnsweredAsDTLSClient() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.audio, direction: .sendReceive)
    let offer = try pair.viewer.createOffer()
    try pair.camera.acceptOffer(offer.replacing("a=setup:actpass", with: "a=setup:passive"))
    let answer = try pair.camera.createAnswer()
    #expect(answer.contains("a=setup:active"))
    try pair.viewer.acceptAnswer(answer)
    try await pair.wait { pair.areConnected }
    #expect(pair.camera.transport.dtls?.role == .client)
    #expect(pair.viewer.transceivers.first?.agreedDirection == .sendReceive)
  }

  @Test @RTCActor func candidatesThatComeBeforeTheDescriptionAreKept() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    let offer = try pair.viewer.createOffer()
    let isCandidate = { (line: Substring) in line.hasPrefix("a=candidate") || line == "a=end-of-candidates" }
    let lines = offer.split(separator: "\r\n")
    for line in lines where isCandidate(line) {
      try pair.camera.addRemoteCandidate(String(line), mid: "0", mLine: 0)
    }
    #expect(lines.contains(where: isCandidate))
    try pair.camera.acceptOffer(lines.filter { !isCandidate($0) }.joined(separator: "\r\n") + "\r\n")
    try pair.viewer.acceptAnswer(pair.camera.createAnswer())
    try await pair.wait { pair.areConnected }
  }

  @Test @RTCActor func aCertificateThatTheDescriptionDoesNotNameIsRefused() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    try pair.camera.acceptOffer(pair.viewer.createOffer())
    let answer = try pair.camera.createAnswer()
    let good = pair.camera.transport.fingerprint.text
    let bad =
      good.replacing(":", with: ":", maxReplacements: 0).dropLast(2) + (good.hasSuffix("00") ? "01" : "00")
    try pair.viewer.acceptAnswer(answer.replacing(good, with: bad))
    try await pair.wait { pair.viewer.state == .failed(.fingerprintMismatch) }
    #expect(pair.viewer.transport.dtls?.keys == nil)
  }

  @Test @RTCActor func anICERestartMovesToANewPathWithoutAGap() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    try pair.exchange()
    try await pair.wait { pair.areConnected }
    let before = try #require(pair.viewer.transport.remoteCredentials)
    try pair.exchange(iceRestart: true)
    #expect(pair.viewer.transport.remoteCredentials != before)
    try await pair.wait {
      pair.viewer.statistics().restarts == 1 && pair.camera.statistics().restarts == 1
    }
    #expect(pair.viewerStates == [.connecting, .connected])
    #expect(pair.cameraStates == [.connecting, .connected])
  }

  @Test @RTCActor func aLostPathInterruptsAndARestartBringsItBack() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    try pair.exchange()
    try await pair.wait { pair.areConnected }
    // As when the network goes: the sockets are gone and nobody has said so.
    pair.viewer.transport.path.current?.close()
    try await pair.wait { pair.camera.state == .interrupted }
    try pair.exchange(iceRestart: true)
    try await pair.wait { pair.camera.state == .connected && pair.viewer.statistics().restarts == 1 }
    #expect(pair.cameraStates == [.connecting, .connected, .interrupted, .connected])
  }

  @Test @RTCActor func thePeerLearnsAtOnceThatTheConnectionWasClosed() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    try pair.exchange()
    try await pair.wait { pair.areConnected }
    pair.viewer.close()
    try await pair.wait { pair.camera.state == .failed(.closedByPeer) }
    #expect(pair.viewer.state == .closed)
    #expect(pair.viewerStates == [.connecting, .connected])
  }

  @Test @RTCActor func aSecondOfferAddsASectionAndTheCameraMayOfferToo() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    try pair.exchange()
    try await pair.wait { pair.areConnected }
    pair.viewer.addTransceiver(.audio, direction: .sendReceive)
    try pair.exchange()
    #expect(pair.camera.transceivers.map(\.mid) == ["0", "1"])
    #expect(pair.camera.transceivers.last?.agreedDirection == .sendReceive)
    let types = pair.viewer.transceivers.map { $0.codec?.payloadType }
    try pair.viewer.acceptOffer(pair.camera.createOffer())
    try pair.camera.acceptAnswer(pair.viewer.createAnswer())
    #expect(pair.viewer.transceivers.map { $0.codec?.payloadType } == types)
    #expect(pair.areConnected)
    #expect(pair.viewer.statistics().restarts == 0)
  }

  @Test @RTCActor func descriptionsOutOfOrderAreRefused() throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    #expect(throws: RTCFailure.unexpectedDescription) { try pair.camera.createAnswer() }
    #expect(throws: RTCFailure.unexpectedDescription) { try pair.viewer.acceptAnswer("v=0\r\n") }
    let offer = try pair.viewer.createOffer()
    #expect(throws: RTCFailure.unexpectedDescription) { try pair.viewer.acceptOffer(offer) }
    #expect(throws: RTCFailure.malformedDescription) { try pair.camera.acceptOffer("nonsense") }
    #expect(throws: RTCFailure.unacceptableDescription) {
      try pair.camera.acceptOffer(offer.replacing("a=ice-pwd:", with: "a=x:"))
    }
    #expect(throws: RTCFailure.unacceptableDescription) {
      try pair.camera.acceptOffer(offer.replacing("a=fingerprint:sha-256", with: "a=fingerprint:md5"))
    }
    #expect(throws: RTCFailure.malformedCandidate) {
      try pair.camera.addRemoteCandidate("candidate:1 1 udp", mid: nil, mLine: nil)
    }
    pair.close()
    #expect(throws: RTCFailure.notOpen) { try pair.viewer.createOffer() }
  }

  @Test(arguments: [(true, "H265"), (false, "H264")]) @RTCActor
  func h265IsAgreedOnWhereBothSidesHaveIt(viewerHasIt: Bool, agreed: String) async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    let picture = pair.viewer.addTransceiver(
      .video, direction: .receiveOnly, codecs: viewerHasIt ? [.h264(), .h265] : [.h264()])
    let sending = pair.camera.addTransceiver(.video, direction: .sendOnly, codecs: [.h265, .h264()])
    var payloadTypes: Set<UInt8> = []
    picture.receiver.onPacket = { payloadTypes.insert($0.payloadType) }
    try pair.exchange()
    let feed = PacketFeed(kind: .video, clockRate: 90_000, capacity: 64)
    sending.sender.attach(feed)
    try await pair.wait { pair.areConnected }
    feed.append([UInt8](repeating: 0x26, count: 500), payloadLengths: [500], timestamp: 0, startsGroup: true)
    try await pair.wait { !payloadTypes.isEmpty }
    #expect(sending.codec?.name == agreed)
    #expect(picture.agreedCodecs.first { payloadTypes == [$0.payloadType] }?.name == agreed)
  }
}
