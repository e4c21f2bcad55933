import Foundation
import Synchronization

/// Time that goes on when a test says so.
final class ManualTime: Clock {
  typealias Duration = Swift.Duration
  struct Instant: InstantProtocol {
    typealias Duration = Swift.Duration
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private struct Sleeper {
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: Sleeper] = [:]
    var count = 0
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())
  let minimumResolution = Duration.zero
  var now: Instant { state.withLock { $0.now } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return nil }
          if deadline <= state.now { return true }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isOver == nil { continuation.resume(throwing: CancellationError()) }
        if isOver == true { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let found = state.sleepers.removeValue(forKey: id)
        if found == nil { state.cancelled.insert(id) }
        return found
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Wakes whoever sleeps no longer than until then.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// How many wait.
  var sleepers: Int { state.withLock { $0.sleepers.count } }
}
