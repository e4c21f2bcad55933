import Foundation
import OrielModel

/// A line on the terminal that tells what is going on, once it takes longer than a second.
///
/// Without a terminal nothing is written.
actor Progress {
  private var task: Task<Void, Never>?
  private var width = 0

  /// Shows `text` with the seconds that passed until `work` ends.
  static func during<Result: Sendable>(
    _ text: String, _ work: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    let progress = Progress()
    await progress.begin(text)
    do {
      let result = try await work()
      await progress.end()
      return result
    } catch {
      await progress.end()
      throw error
    }
  }

  private func begin(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    task = Task {
      var seconds = 0
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        seconds += 1
        show("\(text) ... \(seconds) s")
      }
    }
  }

  private func show(_ line: String) {
    guard !Task.isCancelled else { return }
    width = max(width, line.count)
    StandardStream.error.write("\r\(line.padding(toLength: width, withPad: " ", startingAt: 0))")
  }

  private func end() {
    task?.cancel()
    task = nil
    if width > 0 {
      StandardStream.error.write("\r\(String(repeating: " ", count: width))\r")
      width = 0
    }
  }
}
