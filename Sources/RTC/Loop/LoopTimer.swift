import CNice
import CRTCShims

/// A timer of the RTC loop. It owns no descriptor; arming it again allocates nothing.
/// It ends with its last reference: whoever schedules keeps it, or it does not fire.
@RTCActor
public final class LoopTimer {
  private let timer: OpaquePointer
  private let action: Action
  public private(set) var isArmed = false

  /// A timer at rest; `handler` runs on the loop each time an armed delay is over.
  public init(_ handler: @escaping @RTCActor () -> Void) {
    action = Action(handler)
    timer = oriel_timer_new(Self.fire, Unmanaged.passRetained(action).toOpaque(), Self.release)
    action.timer = self
  }

  /// Fires once after `delay` (not before; the loop's grain is 1 ms). Replaces what was armed.
  public func arm(after delay: Duration) {
    let (seconds, attoseconds) = delay.components
    let microseconds = max(0, seconds) * 1_000_000 + max(0, attoseconds) / 1_000_000_000_000
    isArmed = true
    oriel_timer_arm(timer, g_get_monotonic_time() + Int(microseconds))
  }

  public func cancel() {
    isArmed = false
    oriel_timer_arm(timer, .max)
  }

  isolated deinit { oriel_timer_free(timer) }

  /// What C holds.
  @RTCActor
  private final class Action {
    let handler: @RTCActor () -> Void
    weak var timer: LoopTimer?

    init(_ handler: @escaping @RTCActor () -> Void) { self.handler = handler }
  }

  private nonisolated static let fire: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
    guard let data else { return }
    let action = Unmanaged<Action>.fromOpaque(data).takeUnretainedValue()
    RTCActor.assumeIsolated {
      guard let timer = action.timer, timer.isArmed else { return }
      timer.isArmed = false
      action.handler()
    }
  }

  private nonisolated static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
    if let data { Unmanaged<Action>.fromOpaque(data).release() }
  }
}

extension RTCActor {
  /// Runs `handler` on the loop once after `delay`, unless the timer is cancelled or released before.
  @RTCActor
  public static func schedule(
    after delay: Duration, _ handler: @escaping @RTCActor () -> Void
  ) -> LoopTimer {
    let timer = LoopTimer(handler)
    timer.arm(after: delay)
    return timer
  }

  /// The loop's monotonic clock: time since an arbitrary start, in microseconds.
  public static var monotonicMicroseconds: Int64 { Int64(g_get_monotonic_time()) }
}
