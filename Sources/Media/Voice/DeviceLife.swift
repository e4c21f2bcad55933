internal import Dispatch
internal import Synchronization

/// The life of an opened device: its opening is waited for, its end is told once.
final class DeviceLife: Sendable {
  private static let opening = 0
  private static let running = 1
  private static let over = 2

  private let state = Atomic(opening)
  private let settled = DispatchSemaphore(value: 0)
  private let failure = Mutex<MediaFailure?>(nil)
  private let onEnd: Mutex<(@Sendable (MediaFailure?) -> Void)?>

  /// - Parameter onEnd: called once, unless ``close()`` came before; it must not call what closes the device.
  init(onEnd: @escaping @Sendable (MediaFailure?) -> Void) { self.onEnd = Mutex(onEnd) }

  /// Sound runs; cheap, so that it may be said with each frame.
  func run() {
    guard state.load(ordering: .relaxed) == Self.opening,
      state.compareExchange(
        expected: Self.opening, desired: Self.running, ordering: .acquiringAndReleasing
      ).exchanged
    else { return }
    settled.signal()
  }

  /// The device ended, or did not open.
  func end(_ reason: MediaFailure?) {
    failure.withLock { $0 = $0 ?? reason }
    switch state.exchange(Self.over, ordering: .acquiringAndReleasing) {
    case Self.opening: settled.signal()
    // The lock is held meanwhile, so that nothing is told once close() has returned.
    case Self.running: onEnd.withLock { $0?(reason) }
    default: break
    }
  }

  /// Waits for sound.
  /// - Throws: why there is none; `otherwise` when nothing came in time.
  func waitUntilRunning(_ limit: DispatchTimeInterval, otherwise: MediaFailure) throws(MediaFailure) {
    let isTimely = settled.wait(timeout: .now() + limit) == .success
    guard !isTimely || state.load(ordering: .acquiring) == Self.over else { return }
    // What opens later than this is nobody's.
    if state.exchange(Self.over, ordering: .acquiringAndReleasing) == Self.running, isTimely { return }
    throw failure.withLock { $0 } ?? otherwise
  }

  /// Nothing is told afterwards.
  func close() {
    state.store(Self.over, ordering: .releasing)
    onEnd.withLock { $0 = nil }
  }
}
