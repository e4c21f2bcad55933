import Foundation

/// The two clocks of the platform: the wall's, which may jump, for what is told and kept; and one that only
/// goes forward, for waits. Tests pass their own.
struct PlatformTime: Sendable {
  /// UTC milliseconds.
  let wall: @Sendable () -> Int64
  /// Since any fixed point.
  let uptime: @Sendable () -> Duration

  static let system: PlatformTime = {
    let start = ContinuousClock.now
    return PlatformTime(
      wall: { Int64((Date().timeIntervalSince1970 * 1_000).rounded()) },
      uptime: { ContinuousClock.now - start })
  }()
}
