/// Coalesces the viewers' key frame requests: at most one a second reaches the encoder. Pure.
struct KeyFrameGate: Sendable {
  static let interval = Duration.seconds(1)

  enum Decision: Sendable, Equatable {
    case forward
    /// Forward one after this time, for all that ask until then.
    case later(Duration)
    /// One is already on its way.
    case drop
  }

  private var lastForwarded: Duration?
  private var isPending = false

  mutating func request(at now: Duration) -> Decision {
    if isPending { return .drop }
    if let lastForwarded, now - lastForwarded < Self.interval {
      isPending = true
      return .later(Self.interval - (now - lastForwarded))
    }
    lastForwarded = now
    return .forward
  }

  /// The delay is over: whether to forward now.
  mutating func delayPassed(at now: Duration) -> Bool {
    guard isPending else { return false }
    isPending = false
    lastForwarded = now
    return true
  }

  /// A key frame came by itself: nobody needs another one.
  mutating func keyFrameCame(at now: Duration) {
    isPending = false
    lastForwarded = now
  }
}
