import Foundation
import Glibc
import Testing

@testable import OrielRTC

/// Pictures, sound of silence and messages over real sockets, and what is left after many connections.
@Suite struct WholeConnectionTests {
  @Test @RTCActor func picturesAndMessagesFlowBothEndsInOneProcess() async throws {
    let pair = try PeerPair()
    defer { pair.close() }
    let picture = pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    let channel = pair.viewer.openDataChannel(label: "oriel")
    var messages: [DataChannelPayload] = []
    channel.onMessage = { messages.append($0) }
    var kept: [DataChannel] = []
    pair.camera.onDataChannel = { opened in
      kept.append(opened)
      opened.onMessage = { [unowned opened] in try? opened.send($0) }
    }
    try channel.send(.text("before the connection"))
    var received: [(timestamp: UInt32, first: UInt8, marker: Bool)] = []
    picture.receiver.onPacket = { received.append(($0.timestamp, $0.payload.first ?? 0, $0.marker)) }

    try pair.exchange()
    let feed = PacketFeed(kind: .video, clockRate: 90_000, capacity: 1024)
    try #require(pair.camera.transceivers.first).sender.attach(feed)
    try await pair.wait { pair.areConnected }
    for number in 0..<60 {
      // Five packets of one length and a shorter one, as GSO wants them.
      var bytes = [UInt8](repeating: UInt8(number), count: 5 * 1100 + 300)
      bytes[0] = UInt8(number)
      feed.append(
        bytes, payloadLengths: [1100, 1100, 1100, 1100, 1100, 300], timestamp: UInt32(number) * 1500,
        startsGroup: number % 30 == 0)
      try await Task.sleep(for: .milliseconds(4))
    }
    try await pair.wait { received.count == 360 && messages.count == 1 }
    #expect(received.map(\.first) == (0..<360).map { UInt8($0 / 6) })
    #expect(received.filter(\.marker).count == 60)
    #expect(picture.receiver.statistics.lost == 0)
    #expect(messages == [.text("before the connection")])
    #expect(pair.camera.statistics().datagramsSent >= 360)
  }

  /// In a process of its own, where nothing else opens files, starts threads or allocates.
  @Test func aHundredConnectionsLeaveNothingBehind() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try await runCycles(30)
      let before = await Usage.settled()
      // `make soak` asks for 500, in release, where the bar is half a kilobyte.
      let cycles = ProcessInfo.processInfo.environment["ORIEL_CYCLES"].flatMap { Int($0) } ?? 100
      try await runCycles(cycles)
      let after = await Usage.settled()
      let perCycle = (Double(after.heap) - Double(before.heap)) / Double(cycles)
      print("\(cycles) connections: \(before) -> \(after), \(perCycle) bytes of heap each")
      fflush(nil)
      #if DEBUG
        let bar = 1024.0
      #else
        let bar = 500.0
      #endif
      // Dispatch's pool, which trims the heap, may have grown to a thread a core.
      guard after.descriptors == before.descriptors, after.threads <= before.threads + 2, perCycle < bar,
        await SCTPLibrary.isAtRest
      else {
        exit(1)
      }
    }
    print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
  }
}

extension SCTPLibrary {
  /// No association is known and no timer ticks.
  @RTCActor fileprivate static var isAtRest: Bool { shared.count == 0 && !shared.isTicking }
}

@RTCActor
private func runCycles(_ count: Int) async throws {
  for _ in 0..<count {
    let pair = try PeerPair()
    pair.viewer.addTransceiver(.video, direction: .receiveOnly)
    let channel = pair.viewer.openDataChannel(label: "oriel")
    try pair.exchange()
    try await pair.wait { pair.areConnected && channel.state == .open }
    pair.close()
  }
}

private struct Usage: CustomStringConvertible {
  var descriptors: Int
  var threads: Int
  var heap: Int

  var description: String { "\(descriptors) descriptors, \(threads) threads, \(heap) bytes" }

  /// libnice gives its sockets back in the background; a second without work is enough for that.
  static func settled() async -> Usage {
    try? await Task.sleep(for: .seconds(1))
    return Usage(
      descriptors: entries("/proc/self/fd"), threads: entries("/proc/self/task"), heap: heapInUse())
  }

  /// What malloc has given out, by glibc's own account.
  private static func heapInUse() -> Int {
    typealias Report = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &size) else { return 0 }
    _ = unsafeBitCast(symbol, to: Report.self)(0, file)
    fclose(file)
    defer { free(text) }
    guard let text else { return 0 }
    // The sums over all arenas stand at the end.
    var (free, system) = (0, 0)
    for line in String(cString: text).split(separator: "\n").suffix(8) {
      let value = line.split(separator: "size=\"").last?.prefix { $0.isNumber }
      guard let number = value.flatMap({ Int($0) }) else { continue }
      if line.hasPrefix("<total type=\"fast\"") || line.hasPrefix("<total type=\"rest\"") { free += number }
      if line.hasPrefix("<system type=\"current\"") { system = number }
    }
    return system - free
  }

  private static func entries(_ path: String) -> Int {
    guard let folder = opendir(path) else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
}
