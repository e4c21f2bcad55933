/// Keeps what is held back where it is wanted, by playing a little faster or slower: the sender's clock and the
/// loudspeaker's are never alike (up to +-100 ppm each). A PI controller on a virtual clock.
public struct DriftCompensator: Sendable, Equatable {
  /// Parts per million beyond which speech begins to sound out of tune.
  public static let limit = 5_000.0
  /// What the integral may hold: more than any two clocks differ by.
  private static let driftLimit = 1_000.0
  /// ppm per millisecond: a lack is made good with a time constant of 20 s.
  private static let proportional = 50.0
  /// ppm per millisecond and second; critically damped with the above.
  private static let integral = 0.6
  /// Seconds over which the measured delay is smoothed.
  private static let smoothing = 1.0

  private var smoothed: Double?
  private var last: Duration?

  /// The drift that was found, in ppm: how much faster the sender's clock runs than the loudspeaker's.
  public private(set) var drift = 0.0
  /// What to play by now, in ppm: above 0 is faster.
  public private(set) var rate = 0.0

  public init() {}

  /// Takes a measurement, some 10 a second or more, and returns the new ``rate``.
  /// - Parameter delay: as by ``PlayoutBuffer/delay(at:pending:)``; nil holds the drift and forgets the rest.
  @discardableResult
  public mutating func update(delay: Duration?, target: Duration, at now: Duration) -> Double {
    defer { last = now }
    guard let delay else {
      smoothed = nil
      rate = drift
      return rate
    }
    let error = Double((delay - target).wholeMicroseconds) / 1_000
    guard let before = smoothed, let last, last < now else {
      smoothed = smoothed ?? error
      return rate
    }
    let passed = min(Double((now - last).wholeMicroseconds) / 1_000_000, 1)
    let smooth = before + (error - before) * min(passed / Self.smoothing, 1)
    smoothed = smooth
    let wanted = Self.proportional * smooth + drift
    rate = min(max(wanted, -Self.limit), Self.limit)
    // A target that just moved is not drift: the integral rests while the lack is large.
    if abs(smooth) < 15 {
      drift = min(max(drift + Self.integral * smooth * passed, -Self.driftLimit), Self.driftLimit)
    }
    return rate
  }
}
