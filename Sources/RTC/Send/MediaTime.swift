import CNice

/// The clock and the one timer of all media sessions of a loop. Tests pass a virtual one.
@RTCActor
protocol MediaTime: AnyObject {
  /// Monotonic, microseconds.
  var now: Int64 { get }
  /// UTC, microseconds.
  var wallClock: Int64 { get }
  /// Calls `handler` once at or after `deadline`; replaces what was armed.
  func arm(at deadline: Int64)
  func disarm()
  var onDeadline: (() -> Void)? { get set }
}

/// The loop's own time.
@RTCActor
final class LoopTime: MediaTime {
  static let shared = LoopTime()

  var onDeadline: (() -> Void)?
  private var timer: LoopTimer?

  var now: Int64 { RTCActor.monotonicMicroseconds }
  var wallClock: Int64 { Int64(g_get_real_time()) }

  func arm(at deadline: Int64) {
    let timer = self.timer ?? LoopTimer { [weak self] in self?.onDeadline?() }
    self.timer = timer
    timer.arm(after: .microseconds(max(0, deadline - now)))
  }

  func disarm() { timer?.cancel() }
}
