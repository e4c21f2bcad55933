import Testing

@testable import OrielRTC

@Suite("Congestion control")
@RTCActor
struct CongestionTests {
  @Test("keeps the full rate on a path that carries it", arguments: [true, false])
  func wide(transportFeedback: Bool) async throws {
    let call = try VirtualCall(transportFeedback: transportFeedback)
    call.setPath(delay: 30_000, jitter: 3_000)
    call.sender.attach(call.feed)
    call.source.start()
    await call.clock.run(for: 10_000_000)
    #expect(call.sender.statistics.bandwidthEstimate > (transportFeedback ? 9_000_000 : 3_000_000))
    #expect(call.receiver.statistics.lost == 0)
  }

  @Test("finds a bottleneck, and an encoder that follows keeps the delay low")
  func bottleneck() async throws {
    let call = try VirtualCall()
    call.setPath(delay: 20_000)
    call.toViewer.capacity = 1_200_000
    call.toViewer.queueLimit = 500_000
    var estimates: [Int] = []
    call.sender.onBandwidthEstimate = { [source = call.source] in
      estimates.append($0)
      source.bitsPerSecond = min(2_000_000, $0 * 8 / 10)
    }
    call.sender.attach(call.feed)
    call.source.start()
    await call.clock.run(for: 20_000_000)
    let from = call.clock.now
    await call.clock.run(for: 20_000_000)
    let delays = call.picture.delays(from: from)
    let estimate = call.sender.statistics.bandwidthEstimate
    #expect(!estimates.isEmpty)
    #expect((500_000...1_800_000).contains(estimate), "estimate \(estimate)")
    #expect(delays[delays.count / 2] < 250_000, "p50 \(delays[delays.count / 2])")
    #expect(call.picture.longestFreeze(from: from, to: call.clock.now) < 1_000_000)
    #expect(delays.count > 450)
  }

  @Test("grows again when the bottleneck goes")
  func recovery() async throws {
    let call = try VirtualCall()
    call.setPath(delay: 20_000)
    call.toViewer.capacity = 800_000
    call.sender.onBandwidthEstimate = { [source = call.source] in
      source.bitsPerSecond = min(2_000_000, $0 * 8 / 10)
    }
    call.sender.attach(call.feed)
    call.source.start()
    await call.clock.run(for: 10_000_000)
    let narrow = call.sender.statistics.bandwidthEstimate
    #expect(narrow < 1_600_000)
    call.toViewer.capacity = nil
    await call.clock.run(for: 30_000_000)
    #expect(call.sender.statistics.bandwidthEstimate > 2_000_000)
  }

  @Test("never goes above the viewer's own limit")
  func remoteLimit() {
    var estimator = BandwidthEstimator()
    estimator.remoteEstimate(700_000)
    #expect(estimator.bitsPerSecond == 700_000)
    estimator.remoteEstimate(5)
    #expect(estimator.bitsPerSecond == 150_000)
    estimator.remoteEstimate(.max >> 1)
    #expect(estimator.bitsPerSecond == 10_000_000)
  }
}
