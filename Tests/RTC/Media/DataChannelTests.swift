import Testing

@testable import OrielRTC

/// Two associations whose packets cross on the loop, and are lost as a test wishes.
@RTCActor
final class AssociationPair {
  private(set) var client: SCTPAssociation!
  private(set) var server: SCTPAssociation!
  private var toServer: [[UInt8]] = []
  private var toClient: [[UInt8]] = []
  private var timer: LoopTimer?
  private var random = SplitMix(state: 7)
  var loss = 0.0
  private(set) var packets = 0

  init() throws {
    timer = LoopTimer { [weak self] in self?.carry() }
    client = SCTPAssociation { [weak self] in
      self?.toServer.append(Array($0))
      self?.timer?.arm(after: .zero)
    }
    server = SCTPAssociation { [weak self] in
      self?.toClient.append(Array($0))
      self?.timer?.arm(after: .zero)
    }
  }

  func start() throws {
    try client.start(isClient: true)
    try server.start(isClient: false)
  }

  private func carry() {
    let (up, down) = (toServer, toClient)
    toServer = []
    toClient = []
    for packet in up where random.unit() >= loss { packet.withUnsafeBytes { server.receive($0) } }
    for packet in down where random.unit() >= loss { packet.withUnsafeBytes { client.receive($0) } }
    packets += up.count + down.count
  }

  func close() {
    client.close()
    server.close()
    timer?.cancel()
  }
}

/// Keeps what a channel receives until somebody asks.
@RTCActor
final class Recorder {
  let channel: DataChannel
  private var messages: [DataChannelPayload] = []
  private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  init(_ channel: DataChannel) {
    self.channel = channel
    channel.onMessage = { [weak self] in
      guard let self else { return }
      messages.append($0)
      guard let waiter, messages.count >= waiter.count else { return }
      self.waiter = nil
      waiter.continuation.resume()
    }
  }

  func take(_ count: Int) async -> [DataChannelPayload] {
    if messages.count < count {
      await withCheckedContinuation { waiter = (count, $0) }
    }
    defer { messages.removeFirst(count) }
    return Array(messages.prefix(count))
  }
}

@Suite("A data channel", .serialized)
@RTCActor
struct DataChannelTests {
  /// The channel that the peer sees, recorded from its first message on.
  private func accept(_ association: SCTPAssociation) async -> Recorder {
    await withCheckedContinuation { continuation in
      association.onDataChannel = {
        association.onDataChannel = nil
        continuation.resume(returning: Recorder($0))
      }
    }
  }

  @Test("carries text, bytes, nothing and 60,000 bytes, both ways, in order")
  func allKinds() async throws {
    let pair = try AssociationPair()
    let channel = pair.client.openChannel(label: "oriel", ordered: true)
    let large = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let all: [DataChannelPayload] = [.text("héllo"), .text(""), .binary([]), .binary(large), .text("last")]
    for message in all { try channel.send(message) }
    try pair.start()
    let other = await accept(pair.server)
    #expect(other.channel.label == "oriel")
    #expect(other.channel.isOrdered)
    #expect(await other.take(all.count) == all)
    let recorder = Recorder(channel)
    for message in all { try other.channel.send(message) }
    #expect(await recorder.take(all.count) == all)
    #expect(channel.state == .open)
    #expect(channel.bufferedBytes == 0)
    pair.close()
  }

  @Test("carries all in order over a path that loses a tenth")
  func loss() async throws {
    let pair = try AssociationPair()
    pair.loss = 0.1
    let channel = pair.client.openChannel(label: "lossy", ordered: true)
    for number in 0..<100 { try channel.send(.binary([UInt8](repeating: UInt8(number), count: 3_000))) }
    try pair.start()
    let other = await accept(pair.server)
    let got = await other.take(100)
    #expect(got == (0..<100).map { .binary([UInt8](repeating: UInt8($0), count: 3_000)) })
    pair.close()
  }

  @Test("opens several, ordered and not, from both sides, and closes one without the others")
  func several() async throws {
    let pair = try AssociationPair()
    let first = pair.client.openChannel(label: "first", ordered: true)
    try pair.start()
    let firstThere = await accept(pair.server)
    let second = pair.server.openChannel(label: "second", ordered: false)
    let secondThere = await accept(pair.client)
    #expect(!secondThere.channel.isOrdered)
    #expect(first.stream == 0)
    #expect(second.stream == 1)
    first.close()
    await withCheckedContinuation { continuation in firstThere.channel.onClose = { continuation.resume() } }
    #expect(firstThere.channel.state == .closed)
    #expect(throws: RTCFailure.notOpen) { try firstThere.channel.send(.text("too late")) }
    try second.send(.text("still here"))
    #expect(await secondThere.take(1) == [.text("still here")])
    #expect(first.state == .closed)
    // The number of a closed channel may be used again.
    let third = pair.client.openChannel(label: "third", ordered: true)
    #expect(await accept(pair.server).channel.label == "third")
    #expect(third.stream == 0)
    pair.close()
  }

  @Test("rests when nothing is to do, and is closed when the other side goes")
  func rest() async throws {
    let pair = try AssociationPair()
    let channel = pair.client.openChannel(label: "x", ordered: true)
    try pair.start()
    _ = await accept(pair.server)
    for _ in 0..<100 where SCTPLibrary.shared.isTicking { try await Task.sleep(for: .milliseconds(20)) }
    #expect(!SCTPLibrary.shared.isTicking)
    let packets = pair.packets
    #expect(packets < 20)
    await withCheckedContinuation { continuation in
      channel.onClose = { continuation.resume() }
      pair.server.close()
    }
    #expect(channel.state == .closed)
    pair.close()
  }

  @Test("refuses what is too large")
  func limits() throws {
    let pair = try AssociationPair()
    let channel = pair.client.openChannel(label: "x", ordered: true)
    #expect(throws: RTCFailure.messageTooLarge) {
      try channel.send(.binary([UInt8](repeating: 0, count: DataChannel.maximumMessage + 1)))
    }
    #expect(throws: RTCFailure.bufferFull) {
      for _ in 0..<100 { try channel.send(.binary([UInt8](repeating: 0, count: DataChannel.maximumMessage))) }
    }
    pair.close()
    #expect(throws: RTCFailure.notOpen) { try channel.send(.text("")) }
  }

  @Test("survives random and damaged packets")
  func hostile() async throws {
    let pair = try AssociationPair()
    let channel = pair.client.openChannel(label: "x", ordered: true)
    try pair.start()
    let other = await accept(pair.server)
    var random = SplitMix(state: 3)
    for round in 0..<2_000 {
      var packet = (0..<Int(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // Half of them with the right ports, so that they get further.
      if round % 2 == 0, packet.count >= 4 { packet.replaceSubrange(0..<4, with: [0x13, 0x88, 0x13, 0x88]) }
      packet.withUnsafeBytes { pair.server.receive($0) }
    }
    try channel.send(.text("alive"))
    #expect(await other.take(1) == [.text("alive")])
    pair.close()
  }

  @Test("reads the opening message of RFC 8832 and refuses damaged ones")
  func openMessage() {
    let open = DataChannelOpen(isOrdered: false, label: "oriel")
    #expect(DataChannelOpen(open.bytes) == open)
    for length in 0..<open.bytes.count { #expect(DataChannelOpen(Array(open.bytes[..<length])) == nil) }
    var tooLong = open.bytes
    tooLong[8] = 0xff
    #expect(DataChannelOpen(tooLong + [UInt8](repeating: 65, count: 70_000)) == nil)
    var notText = open.bytes
    notText[12] = 0xff
    #expect(DataChannelOpen(notText) == nil)
  }
}
