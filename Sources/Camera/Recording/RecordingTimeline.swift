/// Gives a stream's recordings their place in time: the time of day where that is free, and never where something is
/// recorded already. Pure.
///
/// Within a recording time is media time. When the time of day jumps against it, the recording ends and another one
/// begins at the new time.
struct RecordingTimeline: Sendable {
  /// Milliseconds.
  static let jumpLimit: Int64 = 1_000
  /// 2020-01-01: a clock that shows an earlier time was never set.
  static let earliest: Int64 = 1_577_836_800_000

  private var origin: (clock: Int64, media: Duration)?

  /// When a recording wants to begin, UTC milliseconds: at the time of day, or where the last one ended while nobody
  /// knows the time of day.
  static func wanted(clock: Int64, latestEnd: Int64?) -> Int64 {
    clock >= earliest ? clock : max(latestEnd ?? earliest, earliest)
  }

  /// The first free stretch that has room for a recording.
  /// - Parameters:
  ///   - room: milliseconds.
  ///   - taken: what is recorded from a time on, in the order of time: first what covers it, then what follows, as many
  ///     as are at hand. Empty: nothing.
  /// - Returns: from its start to where the next recording begins.
  static func free(
    from time: Int64, room: Int64, taken: (Int64) throws -> [Range<Int64>]
  ) rethrows -> Range<Int64> {
    var start = time
    while true {
      let ranges = try taken(start)
      guard !ranges.isEmpty else { return start..<Int64.max }
      for range in ranges {
        if range.lowerBound >= start, range.lowerBound - start >= room { return start..<range.lowerBound }
        start = max(start, range.upperBound)
      }
    }
  }

  /// A recording begins with a picture of this time of day and media time.
  mutating func begin(clock: Int64, media: Duration) { origin = (clock, media) }

  /// Whether the time of day has jumped since the recording began.
  func hasJumped(clock: Int64, media: Duration) -> Bool {
    guard let origin else { return false }
    return abs(clock - origin.clock - (media - origin.media).milliseconds) > Self.jumpLimit
  }
}
