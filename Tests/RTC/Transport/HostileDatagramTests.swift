import Testing

@testable import OrielRTC

@Suite struct HostileDatagramTests {
  @Test @RTCActor func randomDatagramsDoNotHurtAConnection() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    let channel = pair.viewer.openDataChannel(label: "oriel")
    var echoes: [DataChannelPayload] = []
    channel.onMessage = { echoes.append($0) }
    var kept: [DataChannel] = []
    pair.camera.onDataChannel = { opened in
      kept.append(opened)
      opened.onMessage = { [unowned opened] in try? opened.send($0) }
    }
    try pair.exchange()
    try await pair.wait { pair.areConnected && channel.state == .open }
    var damage = Corpus.Damage(seed: 7)
    for round in 0..<2000 {
      var bytes = (0..<Int.random(in: 1...200, using: &damage)).map { _ in
        UInt8.random(in: 0...255, using: &damage)
      }
      // As STUN, DTLS, TURN channel and SRTP begin, and as DTLS records of every kind.
      bytes[0] = [0, 1, 20, 21, 22, 23, 25, 64, 128, 144, 200][round % 11]
      if (20...25).contains(bytes[0]), bytes.count > 13 {
        bytes.replaceSubrange(1..<5, with: [0xfe, 0xfd, 0, UInt8(round % 3)])
        bytes[11] = 0
        bytes[12] = UInt8(min(255, bytes.count - 13))
      }
      bytes.withUnsafeBytes { pair.viewer.transport.path.send($0, segmentSize: $0.count) }
      if round % 50 == 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
    try channel.send(.text("still here"))
    try await pair.wait { echoes == [.text("still here")] }
    #expect(pair.areConnected)
    #expect(pair.camera.statistics().datagramsReceived > 500)
  }

  @Test @RTCActor func rubbishDuringTheHandshakeDoesNotStopIt() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    try pair.exchange()
    var damage = Corpus.Damage(seed: 9)
    let rubbish = RubbishSource(pair: pair) {
      let length = Int.random(in: 14...100, using: &damage)
      return [[22, 0xfe, 0xfd, 0, 0], (5..<length).map { _ in UInt8.random(in: 0...255, using: &damage) }]
        .flatMap { $0 }
    }
    rubbish.start()
    try await pair.wait { pair.areConnected }
  }
}

/// Sends rubbish from the moment on when there is a pair.
@RTCActor
private final class RubbishSource {
  private let pair: PeerPair
  private let make: () -> [UInt8]
  private lazy var timer = LoopTimer { [weak self] in self?.send() }

  init(pair: PeerPair, _ make: @escaping () -> [UInt8]) {
    self.pair = pair
    self.make = make
  }

  func start() { timer.arm(after: .milliseconds(1)) }

  private func send() {
    for path in [pair.viewer.transport.path, pair.camera.transport.path] {
      make().withUnsafeBytes { path.send($0, segmentSize: $0.count) }
    }
    timer.arm(after: .milliseconds(1))
  }
}
