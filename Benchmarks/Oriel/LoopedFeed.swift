import OrielMedia
import OrielRTC

/// Plays access units into a feed over and over, 30 a second, on the loop itself as a camera's pump does.
@RTCActor
final class LoopedFeed {
  private let units: [AccessUnit]
  private let feed: PacketFeed
  private let began = RTCActor.monotonicMicroseconds
  private var packetizer = VideoPacketizer(codec: .h264)
  private var number = 0
  private var timer: LoopTimer?

  init(_ units: [AccessUnit], into feed: PacketFeed) {
    self.units = units
    self.feed = feed
    let timer = LoopTimer { [weak self] in self?.appendNext() }
    self.timer = timer
    timer.arm(after: .zero)
  }

  private func appendNext() {
    var unit = units[number % units.count]
    unit.timestamp = .seconds(1) * number / 30
    let batch = packetizer.packetize(unit)
    feed.append(
      batch.bytes, payloadLengths: batch.lengths, timestamp: UInt32(truncatingIfNeeded: number * 3000),
      startsGroup: unit.isKeyFrame)
    number += 1
    let due = began + Int64(number) * 1_000_000 / 30
    timer?.arm(after: .microseconds(max(0, due - RTCActor.monotonicMicroseconds)))
  }
}
