import Testing

@testable import OrielRTC

@Suite("A viewer of a shared feed")
@RTCActor
struct FanOutTests {
  @Test("who comes late sees the kept group at once, with no latency inherited")
  func lateViewer() async throws {
    let call = try VirtualCall()
    call.setPath(delay: 5_000)
    call.source.start()
    await call.clock.run(for: 1_500_000)
    let asked = call.clock.now
    call.sender.attach(call.feed)
    await call.clock.run(for: 1_000_000)
    let shown = call.picture.shown
    #expect(shown.first.map { $0.isKey && $0.shownAt - asked < 60_000 } == true)
    // It catches up with the live picture soon, and misses none on the way.
    #expect(shown.map(\.number) == Array(shown[0].number...shown[shown.count - 1].number))
    let caughtUp = shown.first { $0.shownAt - $0.takenAt < 40_000 }
    #expect(caughtUp.map { $0.shownAt - asked < 300_000 } == true)
    // Timestamps of the kept pictures lie just before the live one's and only grow.
    for (one, next) in zip(shown, shown.dropFirst()) {
      #expect(Int32(bitPattern: next.timestamp &- one.timestamp) > 0)
    }
    let kept = shown.filter { $0.takenAt <= asked }
    let span = kept[kept.count - 1].timestamp &- kept[0].timestamp
    #expect(span < 90 * 400, "the kept group spans \(span / 90) ms of the viewer's time")
  }

  @Test("who comes first waits for the first group")
  func earlyViewer() async throws {
    let call = try VirtualCall()
    call.sender.attach(call.feed)
    await call.clock.run(for: 100_000)
    #expect(call.toViewer.datagrams == 0)
    call.source.start()
    await call.clock.run(for: 100_000)
    #expect(call.picture.shown.first?.number == 0)
  }

  @Test("each interval of 5 ms sends once, as long as packets are of one length")
  func pacing() async throws {
    let call = try VirtualCall()
    call.sender.attach(call.feed)
    call.source.bitsPerSecond = 8_000_000
    call.source.start()
    await call.clock.run(for: 3_000_000)
    let media = call.toViewer.sendTimes
    var perInterval: [Int64: Int] = [:]
    for time in media { perInterval[time / 5_000, default: 0] += 1 }
    #expect((perInterval.values.max() ?? 0) <= 3, "reports come beside media")
    #expect(call.toViewer.sends * 4 < call.toViewer.datagrams)
    #expect(call.sender.statistics.packets == call.receiver.statistics.packets)
  }

  @Test("a packet that is sent again is the same byte for byte, after a change of feed too")
  func resend() async throws {
    let call = try VirtualCall()
    call.setPath(delay: 20_000)
    var first: [UInt16: [UInt8]] = [:]
    var repeated = 0
    var dropped: Set<UInt16> = []
    call.toViewer.drops = { packet in
      guard let header = packet.withUnsafeBytes({ RTPHeader.isRTCP($0) ? nil : RTPHeader($0) }) else {
        return false
      }
      if let before = first[header.sequenceNumber] {
        #expect(before == packet)
        repeated += 1
        return false
      }
      first[header.sequenceNumber] = packet
      guard header.sequenceNumber % 5 == 0 else { return false }
      dropped.insert(header.sequenceNumber)
      return true
    }
    call.sender.attach(call.feed)
    call.source.start()
    await call.clock.run(for: 990_000)
    let small = PacketFeed(
      kind: .video, clockRate: 90_000, capacity: 512, time: VirtualTime(call.clock))
    let other = VirtualCamera(call.clock, feed: small)
    other.bitsPerSecond = 300_000
    other.pictures = 100_000
    other.start()
    call.sender.attach(small)
    await call.clock.run(for: 1_000_000)
    #expect(repeated >= dropped.count - 3)
    #expect(repeated > 30)
    #expect(call.receiver.statistics.lost == 0)
    #expect(call.feed.viewerCount == 0)
    #expect(small.viewerCount == 1)
  }

  @Test("a change of feed waits for a group to start, and leaves no gap in numbers or time")
  func feedChange() async throws {
    let call = try VirtualCall()
    let big = call.feed
    let small = PacketFeed(kind: .video, clockRate: 90_000, capacity: 512, time: VirtualTime(call.clock))
    let other = VirtualCamera(call.clock, feed: small)
    other.bitsPerSecond = 6_000_000
    other.pictures = 100_000
    call.sender.attach(big)
    call.source.start()
    other.start()
    await call.clock.run(for: 1_000_000)
    var asked = 0
    call.sender.onKeyFrameRequest = {
      asked += 1
      other.wantsKeyFrame = true
    }
    let before = call.picture.packets
    call.sender.attach(small)
    #expect(asked == 1)
    #expect(big.viewerCount == 1, "the old feed goes on until then")
    await call.clock.run(for: 1_000_000)
    #expect(big.viewerCount == 0)
    #expect(call.picture.packets > before)
    #expect(call.receiver.statistics.lost == 0)
    let shown = call.picture.shown
    for (one, next) in zip(shown, shown.dropFirst()) {
      let ticks = Int32(bitPattern: next.timestamp &- one.timestamp)
      #expect(ticks > 0 && ticks < 90 * 200)
    }
    #expect(call.picture.longestFreeze(from: 1_100_000, to: call.clock.now) < 200_000)
  }

  @Test("PLI and FIR reach the camera; a repeated FIR counts once")
  func keyFrameRequests() async throws {
    let call = try VirtualCall()
    call.sender.attach(call.feed)
    call.source.start()
    await call.clock.run(for: 500_000)
    let before = call.source.keyFrames
    call.receiver.requestKeyFrame()
    call.receiver.requestKeyFrame()
    await call.clock.run(for: 500_000)
    #expect(call.source.keyFrames == before + 1)
    #expect(call.receiver.statistics.keyFrameRequests == 1)
    call.sender.viewerNeedsKeyFrame(command: 1)
    call.sender.viewerNeedsKeyFrame(command: 1)
    call.sender.viewerNeedsKeyFrame(command: 2)
    #expect(call.sender.statistics.keyFrameRequests == 3)
  }

  @Test("a closed session leaves its feed, its timer and its callbacks")
  func closing() async throws {
    let call = try VirtualCall()
    call.sender.attach(call.feed)
    call.source.start()
    await call.clock.run(for: 300_000)
    let packets = call.receiver.statistics.packets
    #expect(packets > 0)
    call.camera.close()
    call.viewer.close()
    #expect(call.feed.viewerCount == 0)
    #expect(call.camera.scheduler.sessionCount == 0)
    #expect(call.receiver.onPacket == nil)
    await call.clock.run(for: 300_000)
    #expect(call.receiver.statistics.packets == packets)
  }

  @Test("a session that nobody closes is released", .timeLimit(.minutes(1)))
  func release() async throws {
    weak var session: MediaSession?
    weak var sender: MediaSender?
    do {
      let call = try VirtualCall()
      call.sender.attach(call.feed)
      call.source.start()
      await call.clock.run(for: 100_000)
      call.source.stop()
      await call.clock.run(for: 100_000)
      session = call.camera
      sender = call.sender
      call.camera.close()
      call.viewer.close()
    }
    #expect(session == nil)
    #expect(sender == nil)
  }

  @Test("refuses units that do not add up or do not fit")
  func appendLimits() {
    let feed = PacketFeed(kind: .video, clockRate: 90_000, capacity: 10, time: VirtualTime(VirtualClock()))
    #expect(!feed.append([1, 2, 3], payloadLengths: [2], timestamp: 0, startsGroup: true))
    #expect(!feed.append([1, 2, 3], payloadLengths: [3, 0], timestamp: 0, startsGroup: true))
    #expect(!feed.append([], payloadLengths: [], timestamp: 0, startsGroup: true))
    let large = [UInt8](repeating: 0, count: PacketFeed.maximumPayload + 1)
    #expect(!feed.append(large, payloadLengths: [large.count], timestamp: 0, startsGroup: true))
    let many = [UInt8](repeating: 0, count: 65)
    #expect(
      !feed.append(many, payloadLengths: [Int](repeating: 1, count: 65), timestamp: 0, startsGroup: true))
    #expect(feed.head == 0)
    #expect(feed.append([1, 2, 3], payloadLengths: [1, 2], timestamp: 0, startsGroup: true))
    #expect(feed.head == 2)
  }
}
