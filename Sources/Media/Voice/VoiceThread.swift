internal import Glibc

/// Threads that sound waits for: they work little, but on time.
enum VoiceThread {
  /// What sound servers take for themselves.
  private static let niceness: Int32 = -11

  private static let which = __priority_which_t(PRIO_PROCESS.rawValue)

  /// Puts the calling thread before others; nothing happens where that is not allowed.
  static func hurry() { setpriority(which, 0, niceness) }

  /// Threads that come to be meanwhile are put before others.
  static func hurryingChildren<Result>(_ work: () -> Result) -> Result {
    let before = getpriority(which, 0)
    hurry()
    defer { setpriority(which, 0, before) }
    return work()
  }
}
