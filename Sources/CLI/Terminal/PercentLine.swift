import Foundation
import OrielModel
import Synchronization

/// How far something is, on the terminal once a second; nothing without a terminal.
final class PercentLine: Sendable {
  private struct State {
    var last = ContinuousClock.now
    var width = 0
  }

  private let text: String
  private let state = Mutex(State())

  init(_ text: String) { self.text = text }

  /// - Parameters:
  ///   - fraction: 0...1.
  ///   - detail: what stands behind the percentage.
  func show(_ fraction: Double, _ detail: String = "") {
    guard isatty(STDERR_FILENO) == 1 else { return }
    state.withLock {
      guard .now - $0.last > .seconds(1) else { return }
      $0.last = .now
      let line = "\(text) ... \(Int(fraction * 100)) %\(detail)"
      $0.width = max($0.width, line.count)
      StandardStream.error.write("\r" + line)
    }
  }

  func end() {
    state.withLock {
      if $0.width > 0 { StandardStream.error.write("\r" + String(repeating: " ", count: $0.width) + "\r") }
      $0.width = 0
    }
  }
}
