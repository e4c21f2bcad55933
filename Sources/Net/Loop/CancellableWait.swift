import OrielModel
import Synchronization

extension EventLoop {
  /// Suspends until what `begin` keeps the continuation for happens, or the task is cancelled.
  ///
  /// Both closures run on the loop. `cancel` must resume the continuation with `OrielError` 760001 when it is
  /// still kept, and do nothing otherwise.
  func wait<Value: Sendable>(
    _ begin: @escaping @Sendable (CheckedContinuation<Value, any Error>) -> Void,
    onCancel cancel: @escaping @Sendable () -> Void
  ) async throws -> Value {
    // Cancellation may overtake the beginning on its way to the loop.
    let mark = CancellationMark()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        run {
          if mark.isSet.load(ordering: .acquiring) {
            continuation.resume(throwing: OrielError(.cancelled))
          } else {
            begin(continuation)
          }
        }
      }
    } onCancel: {
      mark.isSet.store(true, ordering: .releasing)
      perform(cancel)
    }
  }
}

private final class CancellationMark: Sendable {
  let isSet = Atomic(false)
}
