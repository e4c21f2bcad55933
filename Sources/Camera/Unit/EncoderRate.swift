/// What an encoder aims at while one viewer watches: its path's estimate, with room for repair. Pure.
///
/// With more viewers, or none, the configured rate holds, so that a slow path does not spoil the others' picture.
struct EncoderRate: Sendable {
  /// Bits per second, as configured.
  let full: Int
  /// Below this the sub stream is the better picture.
  let floor: Int
  private(set) var current: Int

  init(full: Int) {
    self.full = full
    floor = max(full / 4, 100_000)
    current = full
  }

  /// The new rate when it should change; nil when it stays. A change under a tenth is none.
  mutating func update(estimates: [Int]) -> Int? {
    let aim =
      if estimates.count == 1, let estimate = estimates.first, estimate > 0 {
        min(max(estimate / 100 * 85, floor), full)
      } else { full }
    guard aim != current, abs(aim - current) * 10 >= current || aim == full else { return nil }
    current = aim
    return aim
  }
}
