internal import Dispatch

/// Runs work that blocks (stopping pipelines) away from the threads that media flows on, and waits for it.
final class Retirement: Sendable {
  private let group = DispatchGroup()

  func run(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(group: group, execute: work)
  }

  /// Runs the work and waits for it without blocking a thread of Swift's pool.
  func perform(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      run {
        work()
        continuation.resume()
      }
    }
  }

  /// Waits until nothing is left to do.
  func finish() async {
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
  }
}
