/// Decides whether the time of day may be trusted to delete what is too old. Pure.
///
/// A clock that is years ahead would delete everything by age: after it has jumped ahead, or at a start long after the
/// newest recording, the age limit rests for an hour. The size limit never does.
struct RetentionClock: Sendable, Equatable {
  /// UTC milliseconds, by the recordings' clock.
  private var last: Int64?
  private var restsUntil: Int64?

  static let jumpLimit: Int64 = 3_600_000
  static let rest: Int64 = 3_600_000

  init() {}

  /// - Parameters:
  ///   - newest: where the newest recording ends.
  ///   - now: UTC milliseconds.
  init(newest: Int64?, now: Int64) {
    last = newest
    _ = note(now)
  }

  /// - Returns: whether the age limit counts now.
  mutating func note(_ now: Int64) -> Bool {
    defer { last = now }
    if let last, now - last > Self.jumpLimit { restsUntil = now + Self.rest }
    // Back again: the jump was a mistake.
    if let restsUntil, now < restsUntil - Self.rest - Self.jumpLimit { self.restsUntil = nil }
    return restsUntil.map { now >= $0 } ?? true
  }
}
