import Synchronization

/// A value that is given out once.
final class OneShot<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value?) { self.value = Mutex(value) }

  func take() -> Value? { value.withLock { $0.take() } }
}
