import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

@Suite struct HostileLinkTests {
  /// Messages of every kind, and some that are none, one a file.
  static func corpus() throws -> [String] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Corpus")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try files.sorted { $0.path < $1.path }.map { try String(contentsOf: $0, encoding: .utf8) }
  }

  @Test func mutatedMessagesNeverTrapAStateMachine() throws {
    let corpus = try Self.corpus()
    #expect(corpus.count >= 12)
    var random = SeededRandom(seed: 1)
    let identity = try TestIdentity(serial: "O12345678")
    var understood = 0
    for round in 0..<4_000 {
      let text = String(decoding: random.mutate(Array(corpus[round % corpus.count].utf8)), as: UTF8.self)
      let message = try? LinkMessage(text: text)
      if message != nil { understood += 1 }
      var device = DeviceLinkState()
      _ = device.handle(.opened(nonce: "n"), at: .zero)
      if round % 2 == 0 {
        _ = device.handle(.received(.hello(try Self.hello(identity))), at: .zero)
        _ = device.handle(.registered, at: .zero)
        #expect(device.phase == .serving)
      }
      var viewer = ViewerLinkState()
      _ = viewer.handle(.received(.authenticate(Authentication(accessToken: "t"))), at: .zero)
      _ = viewer.handle(.authenticated(Welcome(time: 0, clientId: "v", iceServers: [])), at: .zero)
      _ = device.handle(message.map(DeviceLinkState.Event.received) ?? .garbled, at: .zero)
      _ = viewer.handle(message.map(ViewerLinkState.Event.received) ?? .garbled, at: .zero)
    }
    #expect(understood > 100)
  }

  /// Signed once: signing costs more than the rest of a round.
  private static func hello(_ identity: TestIdentity) throws -> Hello {
    try cache.hello ?? identity.hello(nonce: "n")
  }

  private struct Cache: Sendable { let hello: Hello? }
  private static let cache = Cache(hello: try? TestIdentity(serial: "O12345678").hello(nonce: "n"))

  @Test func rubbishEndsAStrangersLinkAndNobodyElses() async throws {
    try await TestPlatform.run { platform in
      let device = try await platform.device()
      try await platform.add(device)
      let rubbish = [
        "", "{", "[]", "null", "\u{0}", #"{"action":"HELLO"}"#, #"{"action":5}"#,
        #"{"action":"AUTHENTICATE","accessToken":"at.x"}"#, String(repeating: "[", count: 50_000),
        #"{"action":"COMMAND_RESULT","id":"c1","errorCode":0}"#,
      ]
      for path in ["/v1/device", "/v1/viewer"] {
        for text in rubbish {
          let peer = TestPeer(socket: try await platform.client.openWebSocket(path: path))
          try await peer.socket.send(text)
          let code = try await peer.refusal()
          #expect([730_007, 110_002].contains(code))
          await peer.end()
        }
        let binary = TestPeer(socket: try await platform.client.openWebSocket(path: path))
        try await binary.socket.sendBinary([UInt8](repeating: 7, count: 100))
        #expect(try await binary.refusal() == 730_007)
        let large = TestPeer(socket: try await platform.client.openWebSocket(path: path))
        try? await large.socket.send(String(repeating: "a", count: LinkMessage.sizeLimit + 1))
        await large.end()
      }
      let capture = try await platform.v1("POST", "/v1/devices/O12345678/cameras/1/capture")
      #expect(capture.body == TestDevice.jpeg)
    }
  }

  @Test func anotherDeviceCannotAnswerACommand() async throws {
    try await TestPlatform.run { platform in
      let device = try await platform.device(serial: "O12345678", code: "ABCDEF")
      let liar = try await platform.device(serial: "O87654321")
      for number in 0..<50 {
        try await liar.peer.send(.commandResult(CommandResult(id: "c\(number)")))
      }
      #expect(
        try await platform.failure("POST", "/v1/devices", ["serial": "O12345678", "verifyCode": "AAAAAA"])
          .code
          == 120_010)
      #expect(device.proofCount == 1)
    }
  }

  @Test func aDeviceThatNeverAnswersTimesOutAndHoldsNothing() async throws {
    try await TestPlatform.run { platform in
      let identity = try TestIdentity(serial: "O12345678")
      let peer = TestPeer(socket: try await platform.client.openWebSocket(path: "/v1/device"))
      let nonce = try await peer.first { if case .challenge(let value) = $0 { value.nonce } else { nil } }
      try await peer.send(.hello(try identity.hello(nonce: nonce)))
      _ = try await peer.welcome()
      async let added = platform.failure(
        "POST", "/v1/devices", ["serial": "O12345678", "verifyCode": "ABCDEF"])
      _ = try await peer.first { if case .command(let command) = $0 { command } else { nil } }
      platform.clock.advance(.seconds(11))
      #expect(try await added == (503, 120_008))
      // Not judged, so not counted.
      async let again = platform.failure(
        "POST", "/v1/devices", ["serial": "O12345678", "verifyCode": "ABCDEF"])
      _ = try await peer.first { if case .command(let command) = $0 { command } else { nil } }
      await peer.socket.close()
      #expect(try await again == (503, 120_007))
    }
  }

  @Test func aSilentStrangerIsCutOff() async throws {
    try await TestPlatform.run { platform in
      let device = TestPeer(socket: try await platform.client.openWebSocket(path: "/v1/device"))
      _ = try await device.next()
      let viewer = TestPeer(socket: try await platform.client.openWebSocket(path: "/v1/viewer"))
      platform.clock.advance(.seconds(11))
      #expect(try await device.refusal() == 120_008)
      #expect(try await viewer.refusal() == 110_002)
    }
  }

  @Test func aPlatformThatStopsSaysSo() async throws {
    try await TestPlatform.run { platform in
      let device = try await platform.device()
      try await platform.add(device)
      let viewer = try await platform.viewer()
      _ = try await viewer.welcome()
      try await viewer.send(.signal(SignalMessage(.offer, session: "s", to: "O12345678", payload: "e30=")))
      _ = try await device.signal()
      async let stopped: Void = platform.server.drain()
      // Media goes on without it: neither side hears of an end.
      #expect(try await device.signal().action == .goAway)
      #expect(try await viewer.signal().action == .goAway)
      await viewer.end()
      await stopped
    }
  }
}
