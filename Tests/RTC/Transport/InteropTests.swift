import Testing

@testable import OrielRTC

/// Connections to stacks that are not ours; how they take pictures is tried in Tests/EndToEnd.
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
