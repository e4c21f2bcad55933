import Foundation

/// The time of day, passed in so that a test can set it.
struct WallClock: Sendable {
  /// UTC milliseconds.
  let now: @Sendable () -> Int64

  static let system = WallClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
