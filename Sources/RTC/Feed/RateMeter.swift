/// Bits a second over the last second, in tenths; adding costs no allocation.
struct RateMeter {
  private static let width: Int64 = 100_000
  private static let slots: Int64 = 10

  private var bytes = [Int](repeating: 0, count: Int(slots))
  /// The tenth of a second that is being filled, and the first one.
  private var tenth: Int64 = -1
  private var first: Int64 = 0

  /// `now` in microseconds.
  mutating func add(bytes count: Int, at now: Int64) {
    advance(to: now / Self.width)
    bytes[Int(tenth % Self.slots)] += count
  }

  func bitsPerSecond(at now: Int64) -> Int {
    let current = max(now / Self.width, tenth)
    guard tenth >= 0, current - tenth < Self.slots else { return 0 }
    // Tenths that nothing was added to since are zero, though their slots are not.
    var sum = 0
    for passed in max(tenth - Self.slots + 1, current - Self.slots + 1)...tenth where passed >= first {
      sum += bytes[Int(passed % Self.slots)]
    }
    let filled = min(Self.slots, current - first + 1)
    return sum * 8 * Int(Self.slots) / Int(max(1, filled))
  }

  private mutating func advance(to now: Int64) {
    if tenth < 0 || now - tenth >= Self.slots {
      for slot in bytes.indices { bytes[slot] = 0 }
      tenth = now
      first = now
    }
    while tenth < now {
      tenth += 1
      bytes[Int(tenth % Self.slots)] = 0
    }
  }
}
