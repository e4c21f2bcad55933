/// What receiver reports are made of (RFC 3550, sections 6.4 and A.3, A.8).
struct ReceptionCounters {
  private(set) var base: Int64 = 0
  private(set) var highest: Int64 = 0
  private(set) var received: Int64 = 0
  private var expectedBefore: Int64 = 0
  private var receivedBefore: Int64 = 0
  /// In ticks, times 16.
  private var jitter16: Int64 = 0
  private var lastTransit: Int64?
  private var lastSenderReport: UInt32 = 0
  private var lastSenderReportAt: Int64 = 0

  mutating func begin(at index: Int64) {
    self = ReceptionCounters()
    base = index
    highest = index
  }

  mutating func received(_ index: Int64, timestamp: UInt32, clockRate: Int, now: Int64, isRepair: Bool) {
    received += 1
    highest = max(highest, index)
    // A repaired packet says nothing about the path's jitter.
    if isRepair { return }
    let arrival = now / 1_000 * Int64(clockRate) / 1_000 + now % 1_000 * Int64(clockRate) / 1_000_000
    let transit = Int64(Int32(truncatingIfNeeded: arrival &- Int64(timestamp)))
    if let lastTransit {
      let difference = abs(Int64(Int32(truncatingIfNeeded: transit &- lastTransit)))
      jitter16 += difference - (jitter16 + 8) / 16
    }
    lastTransit = transit
  }

  mutating func heard(_ report: SenderReport, now: Int64) {
    lastSenderReport = UInt32(truncatingIfNeeded: report.ntpTime >> 16)
    lastSenderReportAt = now
  }

  /// In ticks of the clock.
  var jitter: UInt32 { UInt32(truncatingIfNeeded: jitter16 / 16) }

  var cumulativeLost: Int64 { received == 0 ? 0 : highest - base + 1 - received }

  /// The block of a report that is sent now; begins the next interval.
  mutating func takeBlock(ssrc: UInt32, now: Int64) -> ReportBlock {
    let expected = highest - base + 1
    let expectedNow = expected - expectedBefore
    let lostNow = expectedNow - (received - receivedBefore)
    expectedBefore = expected
    receivedBefore = received
    let fraction = expectedNow > 0 && lostNow > 0 ? min(255, lostNow * 256 / expectedNow) : 0
    return ReportBlock(
      ssrc: ssrc, fractionLost: UInt8(fraction), cumulativeLost: Int32(clamping: cumulativeLost),
      highestSequence: UInt32(truncatingIfNeeded: highest), jitter: jitter,
      lastSenderReport: lastSenderReport,
      delaySinceLast: lastSenderReport == 0
        ? 0 : UInt32(truncatingIfNeeded: (now - lastSenderReportAt) * 65_536 / 1_000_000))
  }
}
