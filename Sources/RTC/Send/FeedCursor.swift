/// Where a viewer stands in a feed, and how the feed's timestamps become the viewer's.
///
/// Of the kept group that a new viewer begins with, the timestamps are squeezed to just before the live
/// unit's, so that the viewer inherits no latency: it decodes the group as fast as it comes.
@RTCActor
struct FeedCursor {
  let feed: PacketFeed
  /// Added to the feed's timestamps.
  var timestampOffset: UInt32
  /// The next packet to send; nil: waits for a group to start.
  private(set) var next: Int64?
  private var squeezedUntil: Int64 = 0
  private var squeezeUnit: UInt32 = 0
  private var squeezeTimestamp: UInt32 = 0
  private var squeezeStep: UInt32 = 0

  init(feed: PacketFeed, timestampOffset: UInt32) {
    self.feed = feed
    self.timestampOffset = timestampOffset
  }

  var pending: Int64 { next.map { feed.head - $0 } ?? 0 }

  /// Stands at the kept group start, if there is one.
  /// - Parameter bitsPerSecond: How fast the group will leave; spreads its timestamps accordingly.
  /// - Parameter last: The last timestamp that the viewer was sent; the group fits in behind it.
  mutating func begin(bitsPerSecond: Int, after last: UInt32?) -> Bool {
    guard let start = feed.keptGroupStart else { return false }
    next = start
    let units = feed.latestUnit &- feed.packet(start).unit
    squeezedUntil = feed.head
    squeezeUnit = feed.latestUnit
    squeezeTimestamp = feed.latestTimestamp
    let burst = Double(feed.groupBytes) * 8 / Double(max(1, bitsPerSecond))
    let step = burst * Double(feed.clockRate) / Double(max(1, units))
    // At least a millisecond apart, at most as fast as 60 pictures a second.
    squeezeStep = UInt32(min(max(step, Double(feed.clockRate) / 1_000), Double(feed.clockRate) / 60))
    if let last {
      let room = Int32(bitPattern: squeezeTimestamp &+ timestampOffset &- last)
      squeezeStep = min(squeezeStep, UInt32(max(1, room)) / (units &+ 1))
      squeezeStep = max(1, squeezeStep)
    }
    moveBehind(last)
    return true
  }

  /// Two pictures with one timestamp would be taken for one.
  private mutating func moveBehind(_ last: UInt32?) {
    guard let last, let index = next else { return }
    let first = timestamp(of: feed.packet(index), at: index)
    if Int32(bitPattern: first &- last) <= 0 {
      timestampOffset &+= last &- first &+ UInt32(feed.clockRate / 1_000)
    }
  }

  /// Stands at the packet that was appended first in the last unit.
  mutating func begin(at index: Int64, after last: UInt32?) {
    next = index
    squeezedUntil = index
    moveBehind(last)
  }

  mutating func wait() { next = nil }

  @inline(__always)
  mutating func advance() { if let index = next { next = index + 1 } }

  /// The viewer's timestamp of a packet.
  @inline(__always)
  func timestamp(of packet: FeedPacket, at index: Int64) -> UInt32 {
    let own =
      index < squeezedUntil
      ? squeezeTimestamp &- (squeezeUnit &- packet.unit) &* squeezeStep : packet.timestamp
    return own &+ timestampOffset
  }
}
