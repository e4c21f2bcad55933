/// How many messages a peer may send: so many at once, so many a second over time. Pure.
struct MessageBudget: Sendable, Equatable {
  private let burst: Double
  private let perSecond: Double
  private var left: Double
  private var filledAt = Duration.zero

  init(burst: Int, perSecond: Double) {
    self.burst = Double(burst)
    self.perSecond = perSecond
    left = self.burst
  }

  /// - Parameter cost: 1 for a message, more for one that costs more.
  /// - Returns: false when the peer has sent too much.
  mutating func spend(_ cost: Int = 1, at now: Duration) -> Bool {
    let passed = max((now - filledAt) / .seconds(1), 0)
    left = min(left + passed * perSecond, burst)
    filledAt = now
    guard left >= Double(cost) else { return false }
    left -= Double(cost)
    return true
  }
}
