/// Limits how often the verification code may be guessed through the platform, whoever asks.
///
/// A bucket of 20 tries, one more every 6 s: at that pace the six letters last 59 years, and an owner who
/// mistypes notices nothing. A right answer costs nothing. Pure: the time is passed in.
struct CodeGuard: Sendable {
  static let burst = 20
  static let refill = Duration.seconds(6)

  private var tries = CodeGuard.burst
  private var refilledAt: Duration?

  /// Whether one more try may be answered at this time.
  mutating func allows(at now: Duration) -> Bool {
    let since = refilledAt ?? now
    let gained = max(Int((now - since) / Self.refill), 0)
    if gained >= Self.burst - tries {
      tries = Self.burst
      refilledAt = now
    } else {
      tries += gained
      refilledAt = since + Self.refill * gained
    }
    return tries > 0
  }

  /// A wrong code was tried.
  mutating func noteWrong() { tries = max(tries - 1, 0) }
}
