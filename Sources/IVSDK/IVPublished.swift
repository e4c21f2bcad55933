import Synchronization

/// A value that a model tells of: read it, or follow it by `$`, as an asynchronous sequence or with `sink`.
@propertyWrapper
public struct IVPublished<Value: Sendable>: Sendable {
  private let values: IVValues<Value>

  public init(wrappedValue: Value) { values = IVValues(wrappedValue) }

  public var wrappedValue: Value {
    get { values.current }
    nonmutating set { values.send(newValue) }
  }

  public var projectedValue: IVValues<Value> { values }
}

/// The values of a property, from the one it has now on.
public final class IVValues<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = Never
  public typealias AsyncIterator = AsyncStream<Value>.AsyncIterator

  private struct State {
    var value: Value
    var followers: [Int: AsyncStream<Value>.Continuation] = [:]
    var lastId = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  deinit { state.withLock { for follower in $0.followers.values { follower.finish() } } }

  var current: Value { state.withLock { $0.value } }

  func send(_ value: Value) {
    state.withLock { state in
      state.value = value
      for follower in state.followers.values { follower.yield(value) }
    }
  }

  /// The value now and each later one. It ends with the model.
  public func makeAsyncIterator() -> AsyncStream<Value>.AsyncIterator { stream().makeAsyncIterator() }

  private func stream() -> AsyncStream<Value> {
    let (stream, follower) = AsyncStream<Value>.makeStream()
    let id = state.withLock { state in
      state.lastId += 1
      state.followers[state.lastId] = follower
      follower.yield(state.value)
      return state.lastId
    }
    follower.onTermination = { [weak self] _ in self?.state.withLock { $0.followers[id] = nil } }
    return stream
  }

  /// Calls `receiveValue` on the main thread with the value now and each later one, until what is returned is cancelled
  /// or released.
  public func sink(receiveValue: @escaping @MainActor (Value) -> Void) -> AnyCancellable {
    let stream = stream()
    let task = Task { @MainActor in
      for await value in stream {
        guard !Task.isCancelled else { return }
        receiveValue(value)
      }
    }
    return AnyCancellable { task.cancel() }
  }
}

/// Ends what it stands for when it is cancelled or released; named as on Apple's systems, so that programs compile.
public final class AnyCancellable: Sendable {
  private let ending: Mutex<(@Sendable () -> Void)?>

  public init(_ cancel: @escaping @Sendable () -> Void) { ending = Mutex(cancel) }

  deinit { cancel() }

  public func cancel() { ending.withLock { $0.take() }?() }

  /// Keeps it as long as the set does.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
}

extension AnyCancellable: Hashable {
  public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
