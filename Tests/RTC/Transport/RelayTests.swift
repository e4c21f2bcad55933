import Testing

@testable import OrielRTC

@Suite(.enabled(if: TURNServer.isInstalled, "coturn is not installed")) struct RelayTests {
  @Test(arguments: ["udp", "tcp"]) @RTCActor
  func aPeerThatMayOnlyRelayConnectsOverTURN(transport: String) async throws {
    let turn = try await TURNServer.start()
    let relayed = PeerConfiguration(
      iceServers: [turn.server(transport: transport)], relayOnly: true, includeLoopback: true)
    let pair = try PeerPair(viewer: relayed)
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    try pair.exchange()
    try await pair.wait { pair.areConnected }
    let statistics = pair.viewer.statistics()
    #expect(statistics.localPath == .relayed)
    #expect(statistics.isRelayed)
    #expect(statistics.protection == .aeadAES128GCM)
    withExtendedLifetime(turn) {}
  }

  @Test @RTCActor func aWrongCredentialFindsNoPath() async throws {
    let turn = try await TURNServer.start()
    var server = turn.server(transport: "udp")
    server.credential = "wrong"
    let pair = try PeerPair(
      viewer: PeerConfiguration(iceServers: [server], relayOnly: true, includeLoopback: true))
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    try pair.exchange()
    try await pair.wait { pair.viewer.state == .failed(.noPath) }
    withExtendedLifetime(turn) {}
  }
}
