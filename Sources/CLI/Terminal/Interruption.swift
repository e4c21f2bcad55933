import Dispatch
import Foundation

/// Ctrl-C and SIGTERM as an event instead of an end, so that what was begun can be finished cleanly.
enum Interruption {
  /// Returns at the first SIGINT or SIGTERM. A second one ends the process at once.
  static func wait() async {
    for await _ in signals() { return }
  }

  /// Runs `work` until it ends or a signal comes; then `work` is cancelled. Tells which it was.
  static func orUntil(_ work: @escaping @Sendable () async throws -> Void) async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await work()
        return false
      }
      group.addTask {
        await wait()
        return true
      }
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
  }

  private static func signals() -> AsyncStream<Int32> {
    AsyncStream { continuation in
      let sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
          continuation.yield(number)
          signal(number, SIG_DFL)
        }
        source.resume()
        return SendableSource(source: source)
      }
      continuation.onTermination = { _ in
        for source in sources { source.source.cancel() }
      }
    }
  }

  /// Dispatch sources may be cancelled from any thread; the type only lacks the annotation.
  private struct SendableSource: @unchecked Sendable {
    let source: any DispatchSourceSignal
  }
}
