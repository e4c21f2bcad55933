/// The times of one source: media time counts from its start on the monotonic clock.
struct SourceTimeline: Sendable {
  let start = Runtime.now

  /// Media time of an instant on the monotonic clock.
  func timestamp(_ instant: UInt64) -> Duration {
    instant > start ? .nanoseconds(instant - start) : .zero
  }

  /// UTC of a media time. Counted back from now, so that a wall clock that jumps is followed.
  func captureTime(_ timestamp: Duration) -> Int64 {
    let age = Duration.nanoseconds(Runtime.now - start) - timestamp
    return WallClock.milliseconds - age.milliseconds
  }
}
