/// Puts the time stamps of several sessions and of both media on one line: time since the run began.
///
/// Each stream of a session counts from a number of its own; its first packet is put at its arrival, and the rest
/// follow by their own stamps.
struct MediaTimeline: Sendable {
  private var base: Duration?
  private var last: Duration?

  /// A new session: the stamps begin anew.
  mutating func startSession() { base = nil }

  /// - Parameters:
  ///   - stamp: time on the stream's own scale.
  ///   - arrival: time since the run began.
  /// - Returns: a time later than any before.
  mutating func place(_ stamp: Duration, arrival: Duration) -> Duration {
    if base == nil { base = arrival - stamp }
    var time = stamp + (base ?? .zero)
    if let last, time <= last { time = last + .microseconds(1) }
    last = time
    return time
  }
}

/// Makes a rising time of RTP timestamps that wrap.
struct TimestampUnwrapper: Sendable {
  private let clockRate: Int64
  private var last: UInt32?
  private var ticks: Int64 = 0

  init(clockRate: Int64) { self.clockRate = clockRate }

  mutating func time(of timestamp: UInt32) -> Duration {
    if let last { ticks += Int64(Int32(bitPattern: timestamp &- last)) }
    last = timestamp
    return .microseconds(ticks * 1_000_000 / clockRate)
  }
}
