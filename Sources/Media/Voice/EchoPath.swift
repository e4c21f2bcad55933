/// How far behind the played sound the echo begins, by what the linear filter has found. It believes what it sees
/// twice, and small changes not at all: each change costs the suppressor some echo.
struct EchoPath: Sendable {
  /// Milliseconds.
  private static let slack = 15

  private(set) var found: Int?
  private var seen: Int?

  mutating func look(_ milliseconds: Int?) {
    defer { seen = milliseconds }
    guard let milliseconds, let seen, abs(milliseconds - seen) <= Self.slack / 2 else { return }
    if let found, abs(found - milliseconds) <= Self.slack { return }
    found = milliseconds
  }
}
