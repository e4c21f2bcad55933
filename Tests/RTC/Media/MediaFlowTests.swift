import Testing

@testable import OrielRTC

@Suite("A stream from sender to receiver")
@RTCActor
struct MediaFlowTests {
  @Test("arrives whole, in order and without delay", arguments: SRTPProfile.allCases)
  func cleanPath(profile: SRTPProfile) async throws {
    let call = try VirtualCall(profile: profile)
    call.setPath(delay: 10_000)
    call.sender.attach(call.feed)
    call.source.start()
    await call.clock.run(for: 5_000_000)
    call.source.stop()
    await call.clock.run(for: 100_000)
    #expect(call.picture.shown.count == Int(call.source.pictures))
    let delays = call.picture.delays(from: 0)
    #expect((delays.last ?? .max) <= 60_000)
    #expect(delays[delays.count / 2] <= 10_001)
    #expect(call.receiver.statistics.lost == 0)
    #expect(call.receiver.statistics.discarded == 0)
    #expect(call.receiver.statistics.requested == 0)
    #expect(call.sender.statistics.packets == call.receiver.statistics.packets)
    #expect(call.sender.statistics.roundTrip.map { $0 > .milliseconds(19) && $0 < .milliseconds(22) } == true)
  }

  @Test("5 % loss at 50 ms each way: no freeze over 500 ms", arguments: [1, 2, 3] as [UInt64])
  func fivePercent(seed: UInt64) async throws {
    let result = try await lossy(0.05, seed: seed)
    #expect(result.freeze < 500_000)
    #expect(result.picturesPerSecond > 28)
  }

  @Test(
    "20 % loss at 50 ms each way: 10 pictures a second, no freeze over 2 s", arguments: [1, 2, 3] as [UInt64])
  func twentyPercent(seed: UInt64) async throws {
    let result = try await lossy(0.20, seed: seed)
    #expect(result.freeze < 2_000_000)
    #expect(result.picturesPerSecond >= 10)
  }

  private func lossy(_ loss: Double, seed: UInt64) async throws -> (freeze: Int64, picturesPerSecond: Double)
  {
    let call = try VirtualCall(seed: seed)
    call.setPath(delay: 50_000, loss: loss)
    call.sender.attach(call.feed)
    call.source.start()
    await call.clock.run(for: 2_000_000)
    let start = call.clock.now
    await call.clock.run(for: 30_000_000)
    let shown = call.picture.shown.filter { $0.shownAt >= start }.count
    let freeze = call.picture.longestFreeze(from: start, to: call.clock.now)
    let statistics = call.receiver.statistics
    #expect(statistics.repaired > 0)
    return (freeze, Double(shown) / 30)
  }
}
