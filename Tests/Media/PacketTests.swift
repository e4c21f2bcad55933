import Foundation
import Testing

@testable import OrielMedia

/// Bytes that are the same in every run.
struct Sequence32: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A key frame with parameter sets, and a slice of the size asked for.
func keyFrame(_ codec: VideoCodec, sliceSize: Int, seed: UInt64 = 1) -> AccessUnit {
  var generator = Sequence32(state: seed)
  let body = (0..<sliceSize).map { _ in UInt8.random(in: 1...255, using: &generator) }
  let units: [[UInt8]] =
    switch codec {
    case .h264:
      [
        [0x67, 0x42, 0xC0, 0x1F, 0xDA, 0x01, 0x40, 0x16, 0xE8, 0x40], [0x68, 0xCE, 0x3C, 0x80, 0x11],
        [0x65] + body,
      ]
    case .h265:
      [[0x40, 1, 0x0C, 1, 0x11], [0x42, 1, 1, 1, 0x60, 0x11], [0x44, 1, 0xC1, 0x73], [0x26, 1] + body]
    }
  return AccessUnit(
    codec: codec, isKeyFrame: true, timestamp: .zero, bytes: units.flatMap { [0, 0, 0, 1] + $0 })
}

extension MediaSuites {
  @Suite struct PacketTests {
    @Test(arguments: VideoCodec.allCases, [1, 50, 1157, 1158, 1159, 1160, 1161, 2317, 5000, 200_000])
    func whatIsCutComesTogetherAgain(codec: VideoCodec, size: Int) throws {
      var packetizer = VideoPacketizer(codec: codec)
      var depacketizer = VideoDepacketizer(codec: codec)
      let unit = keyFrame(codec, sliceSize: size)
      let whole = carry(unit, &packetizer, &depacketizer)
      #expect(whole.count == 1)
      #expect(whole.first?.bytes == unit.bytes)
      #expect(whole.first?.isKeyFrame == true)
    }

    @Test(arguments: VideoCodec.allCases) func fragmentsHaveOneSize(codec: VideoCodec) {
      var packetizer = VideoPacketizer(codec: codec, maximumPayload: 1000)
      let batch = packetizer.packetize(keyFrame(codec, sliceSize: 10_321))
      let fragments = batch.lengths.dropFirst()
      #expect(fragments.dropLast().allSatisfy { $0 == fragments.first })
      #expect(fragments.allSatisfy { $0 <= 1000 })
      #expect(batch.lengths.reduce(0, +) == batch.bytes.count)
      // The parameter sets travel in one packet, as RFC 6184 5.7.1 and RFC 7798 4.4.2 say.
      #expect(codec == .h264 ? batch.bytes[0] & 0x1F == 24 : (batch.bytes[0] >> 1) & 0x3F == 48)
    }

    @Test(arguments: VideoCodec.allCases) func lossIsFollowedByTheNextKeyFrame(codec: VideoCodec) {
      var packetizer = VideoPacketizer(codec: codec)
      var depacketizer = VideoDepacketizer(codec: codec)
      #expect(carry(keyFrame(codec, sliceSize: 4000), &packetizer, &depacketizer).count == 1)
      #expect(!depacketizer.needsKeyFrame)
      // A delta picture of which the second packet is lost.
      var delta = keyFrame(codec, sliceSize: 4000)
      delta.bytes = [0, 0, 0, 1] + (codec == .h264 ? [0x41] : [0x02, 1]) + delta.bytes.suffix(4000)
      let batch = packetizer.packetize(delta)
      var units = 0
      var position = 0
      for (index, length) in batch.lengths.enumerated() {
        let payload = Array(batch.bytes[position..<position + length])
        position += length
        if index == 1 { continue }
        payload.withUnsafeBytes {
          let unit = depacketizer.push(
            payload: $0, timestamp: 3000, marker: index == batch.lengths.count - 1, isAfterGap: index == 2)
          if unit != nil { units += 1 }
        }
      }
      #expect(units == 0)
      #expect(depacketizer.needsKeyFrame)
      #expect(carry(delta, &packetizer, &depacketizer).isEmpty)
      #expect(carry(keyFrame(codec, sliceSize: 100), &packetizer, &depacketizer).count == 1)
      #expect(carry(delta, &packetizer, &depacketizer).count == 1)
    }

    @Test func parameterSetsSentEarlierStandInFrontOfTheKeyFrame() throws {
      var packetizer = VideoPacketizer(codec: .h264)
      var depacketizer = VideoDepacketizer(codec: .h264)
      _ = carry(keyFrame(.h264, sliceSize: 10), &packetizer, &depacketizer)
      let bare = AccessUnit(
        codec: .h264, isKeyFrame: true, timestamp: .milliseconds(40), bytes: [0, 0, 0, 1, 0x65, 0x88, 0x80])
      let whole = try #require(carry(bare, &packetizer, &depacketizer).first)
      #expect(whole.bytes.count > bare.bytes.count)
      #expect(Array(whole.bytes.suffix(bare.bytes.count)) == bare.bytes)
      #expect(whole.bytes[4] == 0x67)
    }

    @Test func accessUnitWithoutMarkerEndsAtTheNextTimestamp() {
      var packetizer = VideoPacketizer(codec: .h264)
      var depacketizer = VideoDepacketizer(codec: .h264)
      let batch = packetizer.packetize(keyFrame(.h264, sliceSize: 50))
      var units: [AccessUnit] = []
      for time in [0, 3000, 6000] as [UInt32] {
        var position = 0
        for length in batch.lengths {
          Array(batch.bytes[position..<position + length]).withUnsafeBytes {
            if let unit = depacketizer.push(payload: $0, timestamp: time, marker: false) {
              units.append(unit)
            }
          }
          position += length
        }
      }
      #expect(units.map(\.timestamp) == [.zero, .nanoseconds(33_333_333)])
    }

    @Test func timesGoOnWhereTheRTPClockWraps() {
      var line = RTPTimeline()
      #expect(line.advance(to: UInt32.max - 44_999) == .zero)
      #expect(line.advance(to: 45_000) == .seconds(1))
      #expect(line.advance(to: 0) == .milliseconds(500))
    }

    @Test(arguments: VideoCodec.allCases) func unitWithoutEndIsDropped(codec: VideoCodec) {
      var depacketizer = VideoDepacketizer(codec: codec)
      let start: [UInt8] = codec == .h264 ? [0x7C, 0x85] : [0x62, 1, 0x93]
      let middle: [UInt8] = codec == .h264 ? [0x7C, 0x05] : [0x62, 1, 0x13]
      let filling = [UInt8](repeating: 7, count: 60_000)
      (start + filling).withUnsafeBytes {
        _ = depacketizer.push(payload: $0, timestamp: 1, marker: false)
      }
      (middle + filling).withUnsafeBytes { payload in
        // More than the limit of 8 MiB, without an end.
        for _ in 0..<200 {
          #expect(depacketizer.push(payload: payload, timestamp: 1, marker: false) == nil)
        }
        #expect(depacketizer.push(payload: payload, timestamp: 1, marker: true) == nil)
      }
      #expect(depacketizer.dropped == 1)
    }

    /// Every file of the corpus, mutated a few thousand times: no crash, and nothing larger than the limit.
    @Test(arguments: VideoCodec.allCases) func hostilePayloadsDoNoHarm(codec: VideoCodec) throws {
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Corpus")
      let seeds = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.lastPathComponent.hasPrefix(codec.rawValue) }.sorted { $0.path < $1.path }
        .map { Array(try Data(contentsOf: $0)) }
      #expect(seeds.count >= 4)
      var generator = Sequence32(state: 7)
      var depacketizer = VideoDepacketizer(codec: codec)
      var inspector = StreamInspector(codec: codec, allowH265: true)
      var packetizer = VideoPacketizer(codec: codec, maximumPayload: 100)
      for round in 0..<3000 {
        guard var bytes = seeds.randomElement(using: &generator) else { break }
        for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
          let index = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0...3, using: &generator) {
          case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.removeSubrange(index...)
          case 2: bytes.insert(contentsOf: [0, 0, 1], at: index)
          default: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
          }
        }
        let unit = bytes.withUnsafeBytes {
          depacketizer.push(
            payload: $0, timestamp: UInt32.random(in: 0...UInt32.max, using: &generator),
            marker: round % 3 == 0, isAfterGap: round % 11 == 0)
        }
        #expect((unit?.bytes.count ?? 0) <= VideoDepacketizer.sizeLimit + 200_000)
        _ = inspector.inspect([0, 0, 1] + bytes)
        _ = packetizer.packetize(
          AccessUnit(codec: codec, isKeyFrame: true, timestamp: .zero, bytes: [0, 0, 1] + bytes))
      }
    }
  }
}
