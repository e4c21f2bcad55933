import OrielModel

/// Tells of each picture of a playback session when it was taken and whether it is to be shown, pure.
///
/// Pictures and the messages about them come by different ways. While a seek, or the beginning, has not been
/// answered nobody knows what a picture belongs to, so that it waits; the answer names the RTP timestamp from which
/// pictures belong to it.
struct PlaybackGate: Sendable {
  enum Verdict: Sendable, Equatable {
    /// It cannot be told yet.
    case hold
    /// Of an older seek.
    case drop
    /// `time`: UTC milliseconds. What is not shown is only needed for decoding what follows.
    case pass(time: Int64, isShown: Bool)
  }

  private enum Awaited: Sendable, Equatable {
    case start
    case seek(Int)
  }

  private struct Anchor: Sendable {
    var timestamp: UInt32
    var time: Int64
    var rate: Double
  }

  private var awaited: Awaited? = .start
  private var anchors: [Anchor] = []
  private var first: UInt32?
  private var shown: UInt32?
  /// The picture at which it was paused: of those after it nothing is known yet.
  private var pausedAt: UInt32?
  static let anchorLimit = 16

  /// Whether pictures wait.
  var isClosed: Bool { awaited != nil }

  mutating func startSession() { self = PlaybackGate() }

  mutating func seek(_ id: Int) { awaited = .seek(id) }

  /// - Returns: whether what waited can be judged now.
  mutating func hear(_ message: PlaybackMessage) -> Bool {
    if message.action == .playbackEnd || message.errorCode ?? 0 != 0 {
      guard case .seek(let id) = awaited, id == message.requestId else { return false }
      awaited = nil
      return true
    }
    guard let timestamp = message.rtpTimestamp, let time = message.timeMs else { return false }
    let anchor = Anchor(timestamp: timestamp, time: time, rate: min(max(message.rate ?? 1, 0), 64))
    switch (message.action, awaited) {
    case (.seeking, .seek(let id)) where message.requestId == id: break
    case (.seeking, nil), (.seeking, .start), (.playing, .start): break
    case (.playing, nil) where message.firstRtpTimestamp != nil: break
    case (_, nil) where message.action != .seeking:
      note(anchor)
      let wasPaused = pausedAt != nil
      if message.action == .pausing {
        pausedAt = timestamp
      } else if message.action == .playing {
        pausedAt = nil
      }
      return wasPaused
    default: return false
    }
    let wasClosed = isClosed
    awaited = nil
    pausedAt = nil
    anchors = [anchor]
    first = message.firstRtpTimestamp ?? timestamp
    shown = timestamp
    return wasClosed
  }

  private mutating func note(_ anchor: Anchor) {
    // What was said of later pictures does not hold any more.
    anchors.removeAll { Self.isBefore(anchor.timestamp, $0.timestamp) || anchor.timestamp == $0.timestamp }
    anchors.append(anchor)
    if anchors.count > Self.anchorLimit { anchors.removeFirst() }
  }

  func judge(_ timestamp: UInt32) -> Verdict {
    if isClosed { return .hold }
    if let pausedAt, Self.isBefore(pausedAt, timestamp) { return .hold }
    if let first, Self.isBefore(timestamp, first) { return .drop }
    let isShown = shown.map { !Self.isBefore(timestamp, $0) } ?? true
    guard let anchor = anchors.last(where: { !Self.isBefore(timestamp, $0.timestamp) }) ?? anchors.first
    else {
      return .drop
    }
    let ticks = Double(Int32(bitPattern: timestamp &- anchor.timestamp))
    return .pass(time: anchor.time + Int64((max(ticks, 0) / 90 * anchor.rate).rounded()), isShown: isShown)
  }

  /// Serial number arithmetic (RFC 1982) on RTP timestamps.
  private static func isBefore(_ one: UInt32, _ other: UInt32) -> Bool {
    Int32(bitPattern: one &- other) < 0
  }
}
