/// How long to wait before the next try to reach the platform: exponential with jitter.
///
/// In the first minute of an outage no wait is over 3 s, so that a platform that was restarted has its cameras
/// back within 5 s; after that waits grow to 30 s. The lower half of each wait is fixed, the upper half random.
struct LinkBackoff: Sendable {
  static let first = Duration.seconds(1)
  static let shortCeiling = Duration.seconds(3)
  static let shortPhase = Duration.seconds(60)
  static let ceiling = Duration.seconds(30)
  /// After a refusal that waiting alone does not mend.
  static let refusedCeiling = Duration.seconds(60)

  private(set) var failures = 0
  private var outageSince: Duration?

  /// The next wait. `random` is in 0..<1.
  mutating func next(at now: Duration, random: Double, isRefused: Bool) -> Duration {
    let since = outageSince ?? now
    outageSince = since
    defer { failures += 1 }
    let limit = now - since < Self.shortPhase ? Self.shortCeiling : Self.ceiling
    let grown = Self.first * (1 << min(failures, 6))
    let top = isRefused ? Self.refusedCeiling : min(grown, limit)
    return top * (0.5 + 0.5 * min(max(random, 0), 1))
  }

  /// A link held long enough to count as good.
  mutating func reset() {
    failures = 0
    outageSince = nil
  }
}
