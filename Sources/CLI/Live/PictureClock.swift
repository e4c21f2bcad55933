import Synchronization

/// When pictures came: how many, how evenly, and the longest time without one.
final class PictureClock: Sendable {
  struct Summary: Sendable {
    var pictures = 0  // after the first
    var seconds = 0.0
    var longestFreeze = Duration.zero
    var picturesPerSecond: Double { seconds > 0 ? Double(pictures) / seconds : 0 }
  }

  private struct State {
    var began: ContinuousClock.Instant?
    var last: ContinuousClock.Instant?
    var summary = Summary()
  }

  private let state = Mutex(State())

  /// Whether the first picture is still to come.
  var isIdle: Bool { state.withLock { $0.began == nil } }

  /// The first picture has come.
  /// - Returns: false when it had before.
  func begin() -> Bool {
    state.withLock { state in
      guard state.began == nil else { return false }
      state.began = .now
      state.last = .now
      return true
    }
  }

  /// Another picture has come.
  func tick() {
    let now = ContinuousClock.now
    state.withLock { state in
      guard let began = state.began, let last = state.last else { return }
      state.summary.longestFreeze = max(state.summary.longestFreeze, now - last)
      state.summary.pictures += 1
      state.summary.seconds = (now - began) / .seconds(1)
      state.last = now
    }
  }

  /// The figures until now; a freeze that goes on counts.
  var summary: Summary {
    let now = ContinuousClock.now
    return state.withLock { state in
      guard let began = state.began, let last = state.last else { return state.summary }
      var summary = state.summary
      summary.longestFreeze = max(summary.longestFreeze, now - last)
      summary.seconds = (now - began) / .seconds(1)
      return summary
    }
  }
}
