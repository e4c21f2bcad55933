import Synchronization

@testable import OrielPlatform

/// Clocks that a test moves.
final class TestTime: Sendable {
  private let state = Mutex((wall: Int64(1_700_000_000_000), uptime: Duration.zero))

  var time: PlatformTime {
    PlatformTime(
      wall: { self.state.withLock { $0.wall } }, uptime: { self.state.withLock { $0.uptime } })
  }

  func advance(_ duration: Duration) {
    state.withLock {
      $0.uptime += duration
      $0.wall += Int64(duration / .milliseconds(1))
    }
  }
}
