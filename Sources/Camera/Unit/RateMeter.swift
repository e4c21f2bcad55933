/// Bits per second of what passes by, over about the last two seconds. Pure.
struct RateMeter: Sendable {
  private var windowStart: Duration?
  private var bytes = 0
  private(set) var bitsPerSecond = 0

  mutating func add(bytes count: Int, at now: Duration) {
    bytes += count
    guard let start = windowStart else {
      windowStart = now
      return
    }
    let length = now - start
    guard length >= .seconds(2) else { return }
    bitsPerSecond = Int(Double(bytes * 8) / (length / .seconds(1)))
    windowStart = now
    bytes = 0
  }
}
