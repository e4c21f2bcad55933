/// What the path to a viewer carries: from the delay and the losses that transport-wide feedback shows,
/// from receiver reports, and never above the viewer's own estimate (REMB).
///
/// Begins high, so that the first picture is there at once; a path that carries less says so within a
/// round trip or two. Loss that does not go away when less is sent is taken for the path's own.
struct BandwidthEstimator {
  static let initial = 10_000_000.0
  static let minimum = 150_000.0
  static let maximum = 200_000_000.0

  /// Bit/s.
  private(set) var estimate = initial
  private var remoteLimit = Double.infinity
  private var trend = DelayTrend()

  private var acknowledged = RateMeter()
  private var lastChange: Int64 = 0
  private var lastDecrease: Int64 = 0
  private var lostInWindow = 0
  private var seenInWindow = 0
  private var windowStart: Int64 = 0
  /// Loss at the last decrease for loss, and how many in a row have not helped.
  private var lossAtDecrease = 0.0
  private var vainDecreases = 0
  private var lossIsOfThePath = false

  /// What may be sent, bit/s.
  var bitsPerSecond: Int { Int(min(estimate, remoteLimit)) }

  // MARK: Transport-wide feedback

  /// One packet of a feedback message: times in microseconds, nil when it is missing.
  /// - Parameter wasReportedLost: An earlier message said that it is missing; it was only late.
  mutating func packet(sent: Int64, arrival: Int64?, bytes: Int, wasReportedLost: Bool) {
    if !wasReportedLost { seenInWindow += 1 }
    guard let arrival else {
      if !wasReportedLost { lostInWindow += 1 }
      return
    }
    if wasReportedLost { lostInWindow = max(0, lostInWindow - 1) }
    acknowledged.add(bytes: bytes, at: arrival)
    lastArrival = max(lastArrival, arrival)
    trend.packet(sent: sent, arrival: arrival)
  }

  private var lastArrival: Int64 = 0

  /// The message is at its end.
  mutating func feedbackEnded(now: Int64, roundTrip: Int64) {
    let carried = Double(acknowledged.bitsPerSecond(at: lastArrival))
    switch trend.signal {
    case .overuse:
      if now - lastDecrease > max(roundTrip, 100_000) {
        decrease(to: min(estimate, max(carried * 0.85, Self.minimum)), now: now)
      }
    case .normal:
      increase(now: now, carried: carried)
    case .underuse:
      lastChange = now  // queues drain: wait
    }
    closeLossWindow(now: now, carried: carried)
  }

  private mutating func increase(now: Int64, carried: Double) {
    defer { lastChange = now }
    guard lastChange != 0, now - lastDecrease > 500_000 else { return }
    let elapsed = min(Double(now - lastChange) / 1_000_000, 1)
    // Half as much again as was carried may be tried; more would be a guess.
    let ceiling = max(carried * 1.5 + 100_000, estimate)
    estimate = min(estimate * (1 + 0.08 * elapsed), ceiling, Self.maximum)
  }

  private mutating func decrease(to target: Double, now: Int64) {
    estimate = max(min(estimate, target), Self.minimum)
    lastDecrease = now
    lastChange = now
  }

  // MARK: Loss

  private mutating func closeLossWindow(now: Int64, carried: Double) {
    guard now - windowStart > 500_000, seenInWindow >= 20 else { return }
    let loss = Double(lostInWindow) / Double(seenInWindow)
    windowStart = now
    lostInWindow = 0
    seenInWindow = 0
    lost(loss, now: now, floor: carried * 0.8)
  }

  /// A receiver report's lost share, where there is no transport-wide feedback.
  mutating func reported(loss: Double, now: Int64, sentBitsPerSecond: Int) {
    lost(loss, now: now, floor: Double(sentBitsPerSecond) * 0.5)
    if loss < 0.02 { increase(now: now, carried: Double(sentBitsPerSecond)) }
  }

  private mutating func lost(_ loss: Double, now: Int64, floor: Double) {
    if loss < 0.05 {
      vainDecreases = 0
      lossIsOfThePath = false
      return
    }
    guard loss > 0.10, !lossIsOfThePath, now - lastDecrease > 400_000 else { return }
    vainDecreases = loss > lossAtDecrease * 0.8 && lossAtDecrease > 0 ? vainDecreases + 1 : 0
    lossAtDecrease = loss
    if vainDecreases >= 3 {
      lossIsOfThePath = true
      return
    }
    decrease(to: max(min(estimate, floor * 1.25 + 100_000) * (1 - loss / 2), floor), now: now)
  }

  // MARK: The viewer's own estimate

  mutating func remoteEstimate(_ bitsPerSecond: UInt64) {
    remoteLimit = max(Double(bitsPerSecond), Self.minimum)
  }
}
