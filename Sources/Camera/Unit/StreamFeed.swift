import OrielMedia
import OrielRTC

/// One encoded picture stream of a camera on its way to the viewers: packetized once, kept once.
@RTCActor
final class StreamFeed {
  private(set) var feed: PacketFeed
  private(set) var rate = RateMeter()
  /// The latest key frame, for covers.
  private(set) var keyFrame: AccessUnit?
  private var packetizer: VideoPacketizer
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    packetizer = VideoPacketizer(codec: .h264, maximumPayload: PacketFeed.maximumPayload)
    feed = PacketFeed(kind: .video, clockRate: 90_000, capacity: capacity)
  }

  /// Whether a viewer may begin now.
  var hasKeyFrame: Bool { keyFrame != nil }

  func append(_ unit: AccessUnit, at now: Duration) {
    if packetizer.codec != unit.codec {
      packetizer = VideoPacketizer(codec: unit.codec, maximumPayload: PacketFeed.maximumPayload)
    }
    if unit.isKeyFrame { keyFrame = unit }
    rate.add(bytes: unit.bytes.count, at: now)
    let batch = packetizer.packetize(unit)
    guard !batch.lengths.isEmpty else { return }
    feed.append(
      batch.bytes, payloadLengths: batch.lengths, timestamp: unit.timestamp.ticks(clockRate: 90_000),
      startsGroup: unit.isKeyFrame, captureTime: unit.captureTime == 0 ? nil : unit.captureTime)
  }

  /// Forgets what was sent: the stream stops, and what is kept would be an old picture.
  func reset() {
    feed = PacketFeed(kind: .video, clockRate: 90_000, capacity: capacity)
    keyFrame = nil
    rate = RateMeter()
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
