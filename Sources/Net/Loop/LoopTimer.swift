import CEvent
import Foundation

/// A timer of the loop's thread. It is over when it is released.
final class LoopTimer {
  private let loop: EventLoop
  private let body: () -> Void
  private var event: OpaquePointer?

  init(loop: EventLoop, _ body: @escaping () -> Void) {
    self.loop = loop
    self.body = body
    let context = Unmanaged.passUnretained(self).toOpaque()
    event = event_new(loop.base, -1, 0, Self.onTime, context)
  }

  deinit {
    // Whoever lets a timer go last may be on another thread; it has been cancelled before.
    nonisolated(unsafe) let event = event
    loop.run { if let event { event_free(event) } }
  }

  private static let onTime: event_callback_fn = { _, _, context in
    guard let context else { return }
    Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue().body()
  }

  /// Fires once after `milliseconds`; set again, it forgets the earlier time.
  func set(milliseconds: Int) {
    var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    if let event { event_add(event, &time) }
  }

  func cancel() { if let event { event_del(event) } }
}

/// The half second by which all deadlines are counted, so that no connection has a timer of its own.
typealias Tick = UInt32

extension Duration {
  /// In ticks, rounded up, one more since the first is not whole.
  var ticks: Tick {
    let (seconds, attoseconds) = components
    let halves = Double(seconds) * 2 + Double(attoseconds) / 5e17
    return Tick(min(max(halves.rounded(.up), 0), 1e9)) + 1
  }
}
