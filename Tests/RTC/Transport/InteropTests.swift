import Testing

@testable import OrielRTC

/// Connections to stacks that are not ours, and what they send; how they take pictures is tried in Tests/EndToEnd.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InteropTests {
  @Test(.enabled(if: ForeignPeer.hasAiortc, "scripts/install-python-peers")) @RTCActor
  func aiortcAnswersOurOfferAndEchoesMessages() async throws {
    let peer = try await ForeignPeer("aiortc_peer.py", python: ForeignPeer.aiortc)
    defer { peer.close() }
    try await checkOffer(to: peer)
  }

  @Test(.enabled(if: ForeignPeer.hasAiortc, "scripts/install-python-peers")) @RTCActor
  func weAnswerAiortcsOffer() async throws {
    let peer = try await ForeignPeer("aiortc_peer.py", python: ForeignPeer.aiortc)
    defer { peer.close() }
    try await checkAnswer(to: peer)
  }

  @Test(.enabled(if: ForeignPeer.hasChromium, "chromium-driver")) @RTCActor
  func chromiumAnswersOurOfferAndEchoesMessages() async throws {
    let peer = try await ForeignPeer("chromium_peer.py", python: ForeignPeer.python)
    defer { peer.close() }
    try await checkOffer(to: peer)
    // A new path while it runs.
    try await peer.offer(iceRestart: true)
    try await eventually { peer.connection.statistics().restarts == 1 }
    #expect(peer.connection.state == .connected)
  }

  @Test(.enabled(if: ForeignPeer.hasChromium, "chromium-driver")) @RTCActor
  func weAnswerChromiumsOfferAndItsRestart() async throws {
    let peer = try await ForeignPeer("chromium_peer.py", python: ForeignPeer.python)
    defer { peer.close() }
    try await checkAnswer(to: peer)
    #expect(peer.connection.statistics().protection == .aeadAES128GCM)
    try await peer.answerItsOffer(["restart": true])
    try await eventually { peer.connection.statistics().restarts == 1 }
    #expect(peer.connection.state == .connected)
  }

  @Test(.enabled(if: ForeignPeer.hasChromium, "chromium-driver")) @RTCActor
  func chromiumSendsItsCameraAndMicrophone() async throws {
    let peer = try await ForeignPeer("chromium_peer.py", python: ForeignPeer.python)
    defer { peer.close() }
    try await checkReceiving(from: peer)
    #expect(peer.connection.statistics().protection == .aeadAES128GCM)
  }

  @Test(.enabled(if: ForeignPeer.hasAiortc, "scripts/install-python-peers")) @RTCActor
  func aiortcSendsPicturesAndSound() async throws {
    let peer = try await ForeignPeer("aiortc_peer.py", python: ForeignPeer.aiortc)
    defer { peer.close() }
    try await checkReceiving(from: peer)
  }

  @Test(.enabled(if: ForeignPeer.hasAiortc, "scripts/install-python-peers")) @RTCActor
  func aPeerWithoutGCMIsReceivedInCounterMode() async throws {
    let peer = try await ForeignPeer(
      "aiortc_peer.py", python: ForeignPeer.aiortc, arguments: ["--counter-mode"])
    defer { peer.close() }
    try await checkReceiving(from: peer)
    #expect(peer.connection.statistics().protection == .aes128CMSHA1_80)
  }

  @RTCActor
  private func checkReceiving(from peer: ForeignPeer) async throws {
    let connection = peer.connection
    let video = connection.addTransceiver(.video, direction: .receiveOnly)
    let audio = connection.addTransceiver(.audio, direction: .receiveOnly)
    var (pictures, keyFrames, sounds) = (0, Set<UInt32>(), 0)
    video.receiver.onPacket = { packet in
      if packet.marker { pictures += 1 }
      if packet.beginsKeyFrame { keyFrames.insert(packet.timestamp) }
    }
    audio.receiver.onPacket = { packet in sounds += packet.payload.isEmpty ? 0 : 1 }
    try await peer.answerItsOffer(["send": ["video", "audio"]])
    let hearing = Task { _ = try await peer.hear("no such word") }
    defer { hearing.cancel() }
    try await eventually { pictures >= 30 && sounds >= 50 }
    #expect(video.agreedDirection == .receiveOnly)
    #expect([video.codec?.name, audio.codec?.name].map { $0?.lowercased() } == ["h264", "opus"])
    // The peer's own key frames are far apart: the next one is the answer to ours.
    let before = keyFrames
    #expect(!before.isEmpty)
    video.receiver.requestKeyFrame()
    try await eventually { keyFrames.count > before.count }
    #expect(video.receiver.statistics.lost == 0)
    #expect(video.receiver.statistics.bitrate > 0)
  }

  @RTCActor
  private func checkOffer(to peer: ForeignPeer) async throws {
    let connection = peer.connection
    connection.addTransceiver(.video, direction: .sendOnly, codecs: [.h264()])
    let channel = connection.openDataChannel(label: "oriel")
    var echoes: [DataChannelPayload] = []
    channel.onMessage = { echoes.append($0) }
    try channel.send(.text("early"))
    try await peer.offer()
    try await peer.hearText("channel", "oriel")
    try await peer.hearText("message", "early")
    try channel.send(.binary([UInt8](repeating: 7, count: 60_000)))
    _ = try await peer.hear("bytes") { $0 as? Int == 60_000 }
    try await eventually { echoes.count == 2 }
    #expect(echoes.first == .text("early"))
    #expect(echoes.last == .binary([UInt8](repeating: 7, count: 60_000)))
    #expect(connection.state == .connected)
    #expect(connection.transceivers.first?.agreedDirection == .sendOnly)
    #expect(connection.transceivers.first?.codec?.name == "H264")
  }

  @RTCActor
  private func checkAnswer(to peer: ForeignPeer) async throws {
    let connection = peer.connection
    var messages: [DataChannelPayload] = []
    var channels: [DataChannel] = []
    connection.onDataChannel = { channel in
      channels.append(channel)
      channel.onMessage = { messages.append($0) }
    }
    try await peer.answerItsOffer(["receive": ["video", "audio"], "channel": "oriel"])
    try await peer.hearText("channel", "oriel")
    peer.tell(["text": "hello"])
    try await eventually { messages == [.text("hello")] }
    #expect(channels.map(\.label) == ["oriel"])
    #expect(connection.state == .connected)
    #expect(connection.transceivers.map(\.agreedDirection) == [.sendOnly, .sendOnly])
    #expect(connection.transceivers.map { $0.codec?.name.lowercased() } == ["h264", "opus"])
  }
}

/// Waits until `condition` holds, 20 s at most.
@RTCActor
func eventually(_ condition: @RTCActor () -> Bool) async throws {
  for _ in 0..<2000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
  try #require(condition())
}

extension ReceivedPacket {
  /// A sequence parameter set, alone or first in an aggregate, stands in front of every key frame (RFC 6184).
  fileprivate var beginsKeyFrame: Bool {
    guard payload.count > 4 else { return false }
    return payload[0] & 0x1F == 7 || (payload[0] & 0x1F == 24 && payload[3] & 0x1F == 7)
  }
}
