import Foundation
import OrielMedia
import Testing

@Suite struct VoicePlayoutTests {
  /// A sine of 400 Hz in packets of 20 ms.
  private static func tone(packets: Int, expectedLoss: Int = 10) throws -> [[UInt8]] {
    let encoder = try VoiceEncoder(bitrate: 32_000, expectedLoss: expectedLoss)
    return try (0..<packets).map { packet in
      let samples = (0..<960).map { Int16(8_000 * sin(2 * .pi * 400 * Double(packet * 960 + $0) / 48_000)) }
      return try #require(encoder.encode(samples))
    }
  }

  /// Plays packets that come each 20 ms, and frames of 10 ms on a loudspeaker whose clock is off.
  private func play(_ packets: [[UInt8]?], speakerDrift: Double = 0) throws -> (
    sound: [Int16], statistics: PlayoutStatistics
  ) {
    let playout = try VoicePlayout()
    var sound: [Int16] = []
    var frame = [Int16](repeating: 0, count: 480)
    var next = 0
    var tick = 0
    while next < packets.count {
      let now = Double(tick) * 10_000 / (1 + speakerDrift / 1_000_000)
      while next < packets.count, Double(next) * 20_000 <= now {
        if let packet = packets[next] {
          playout.insert(packet, timestamp: UInt32(next * 960), at: .milliseconds(next * 20))
        }
        next += 1
      }
      frame.withUnsafeMutableBufferPointer { _ = playout.render(into: $0, at: .microseconds(Int(now))) }
      sound += frame
      tick += 1
    }
    return (sound, playout.statistics)
  }

  /// The largest second difference: a click stands out, a sine of this height and pitch has 22.
  private func roughness(_ sound: ArraySlice<Int16>) -> Int {
    let values = sound.map { Int($0) }
    return (2..<values.count).map { abs(values[$0] - 2 * values[$0 - 1] + values[$0 - 2]) }.max() ?? 0
  }

  @Test("A tone goes through without a click while the rate follows the loudspeaker's clock")
  func tone() throws {
    let (sound, statistics) = try play(Self.tone(packets: 500), speakerDrift: 300)
    #expect(statistics.concealed == 0 && statistics.recovered == 0 && statistics.dropped == 0)
    // The coder is rough too; nothing may be added to it.
    let plain = try play(Self.tone(packets: 500)).sound
    #expect(roughness(sound[24_000...]) < roughness(plain[24_000...]) * 5 / 4)
    #expect((sound[24_000...].max() ?? 0) > 7_000)
  }

  @Test("Sound begins 40 to 50 ms after the first packet came")
  func beginning() throws {
    let (sound, _) = try play(Self.tone(packets: 20))
    let first = try #require(sound.firstIndex { abs($0) > 500 })
    #expect(first >= 40 * 48 && first < 57 * 48, "\(first / 48) ms")
  }

  @Test("With one packet in ten lost the tone goes on, made from what the next packet repeats")
  func loss() throws {
    var packets = try Self.tone(packets: 300, expectedLoss: 20).map(Optional.some)
    for index in stride(from: 25, to: packets.count, by: 10) { packets[index] = nil }
    let (sound, statistics) = try play(packets)
    #expect(statistics.recovered >= 25)
    #expect(statistics.concealed == 0)
    let windows = stride(from: 24_000, to: sound.count - 960, by: 960).map { start in
      sound[start..<start + 960].map { abs(Int($0)) }.max() ?? 0
    }
    #expect((windows.min() ?? 0) > 3_000)
  }

  @Test("The encoder takes 20 ms only, and rubbish makes the decoder neither stop nor crash")
  func hostile() throws {
    let encoder = try VoiceEncoder(bitrate: .max, expectedLoss: -3)
    #expect(encoder.encode([]) == nil)
    #expect(encoder.encode([Int16](repeating: 0, count: 959)) == nil)
    #expect(encoder.encode([Int16](repeating: 0, count: 960)) != nil)
    let playout = try VoicePlayout()
    var state: UInt64 = 5
    var frame = [Int16](repeating: 0, count: 480)
    for turn in 0..<3_000 {
      let payload = (0..<(turn % 60)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 40)
      }
      playout.insert(payload, timestamp: UInt32(turn * 960), at: .milliseconds(turn * 20))
      for half in 0..<2 {
        frame.withUnsafeMutableBufferPointer {
          _ = playout.render(into: $0, at: .milliseconds(turn * 20 + half * 10))
        }
      }
    }
    frame.withUnsafeMutableBufferPointer {
      _ = playout.render(into: UnsafeMutableBufferPointer(rebasing: $0[..<0]), at: .seconds(100))
    }
    #expect(playout.statistics.decoded > 100)
  }
}
