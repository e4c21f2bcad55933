import OrielMedia
import Testing

/// Packets of 20 ms that name themselves; the first byte says CELT, 20 ms, mono (RFC 6716 section 3.1).
private func packet(_ number: Int) -> [UInt8] { [0x78, UInt8(truncatingIfNeeded: number)] }

private func milliseconds(_ count: Int) -> Duration { .milliseconds(count) }

extension PlayoutBuffer {
  fileprivate mutating func arrive(_ number: Int, at time: Int, from first: UInt32 = 0) {
    insert(
      packet(number), timestamp: first &+ UInt32(truncatingIfNeeded: number * 960), at: milliseconds(time))
  }

  /// Steps from `start` on, one each 20 ms.
  fileprivate mutating func steps(_ count: Int, from start: Int) -> [PlayoutStep] {
    (0..<count).map { next(at: milliseconds(start + $0 * 20)) }
  }
}

@Suite struct PlayoutBufferTests {
  @Test("Nothing but silence before the first packet, and its sound when it is due")
  func beginning() {
    var buffer = PlayoutBuffer()
    #expect(buffer.next(at: .zero) == .silence)
    #expect(buffer.delay(at: .zero) == nil)
    buffer.arrive(0, at: 100)
    // The jitter is not known yet: 40 ms.
    #expect(buffer.next(at: milliseconds(130)) == .silence)
    #expect(buffer.next(at: milliseconds(140)) == .decode(packet(0)))
  }

  @Test("Packets that come out of order, or twice, are played in order and once")
  func order() {
    var buffer = PlayoutBuffer()
    for (index, number) in [0, 2, 1, 1, 3].enumerated() { buffer.arrive(number, at: index * 10) }
    #expect(buffer.steps(4, from: 40) == (0..<4).map { .decode(packet($0)) })
  }

  @Test("A lost packet is made from the one behind; of two, the first is made up")
  func loss() {
    var buffer = PlayoutBuffer()
    for number in [0, 2, 3, 6] { buffer.arrive(number, at: number * 20) }
    #expect(
      buffer.steps(7, from: 60) == [
        .decode(packet(0)), .fec(packet(2), samples: 960), .decode(packet(2)), .decode(packet(3)),
        .conceal(samples: 960), .fec(packet(6), samples: 960), .decode(packet(6)),
      ])
    #expect(buffer.statistics.recovered == 2)
    #expect(buffer.statistics.concealed == 1)
  }

  @Test("A packet that comes too late for its step is played after it, and nothing is lost")
  func late() {
    var buffer = PlayoutBuffer()
    buffer.arrive(0, at: 0)
    #expect(buffer.steps(2, from: 40) == [.decode(packet(0)), .conceal(samples: 960)])
    buffer.arrive(1, at: 70)
    buffer.arrive(2, at: 75)
    #expect(buffer.steps(2, from: 80) == [.decode(packet(1)), .decode(packet(2))])
    #expect(buffer.statistics.late == 0)
  }

  @Test("A lost packet whose successor came late is not made twice")
  func lateAfterLoss() {
    var buffer = PlayoutBuffer()
    buffer.arrive(0, at: 0)
    #expect(buffer.steps(2, from: 40) == [.decode(packet(0)), .conceal(samples: 960)])
    buffer.arrive(2, at: 70)
    #expect(buffer.next(at: milliseconds(80)) == .decode(packet(2)))
  }

  @Test("A pause ends in silence, and the speech after it begins with its first syllable")
  func pause() {
    var buffer = PlayoutBuffer()
    for number in 0..<3 { buffer.arrive(number, at: number * 20) }
    #expect(buffer.steps(3, from: 40) == (0..<3).map { .decode(packet($0)) })
    let made = buffer.steps(20, from: 100)
    #expect(made.count { $0 == .conceal(samples: 960) } == 5)
    #expect(made.last == .silence)
    // One that was lost on the way all the time is not heard between two sentences.
    buffer.arrive(1, at: 510)
    buffer.insert(packet(9), timestamp: 2 * 960 + 480, at: milliseconds(510))
    #expect(buffer.steps(3, from: 520) == [.silence, .silence, .silence])
    for number in 50..<53 { buffer.arrive(number, at: number * 20) }
    #expect(buffer.steps(3, from: 1_045) == (50..<53).map { .decode(packet($0)) })
  }

  @Test("After a stall of a second the oldest is left out and the delay is small again")
  func stall() throws {
    var buffer = PlayoutBuffer()
    for number in 0..<50 {
      buffer.arrive(number, at: number * 20)
      _ = buffer.next(at: milliseconds(number * 20))
    }
    _ = buffer.steps(50, from: 1_000)
    for number in 50..<100 { buffer.arrive(number, at: 2_000 + number / 10) }
    #expect(buffer.next(at: milliseconds(2_010)) != .silence)
    let delay = try #require(buffer.delay(at: milliseconds(2_010)))
    #expect(delay < buffer.target + milliseconds(60))
    #expect(buffer.statistics.dropped > 30)
  }

  @Test("What is held back follows the jitter up within seconds and down again, between its limits")
  func adapting() {
    var buffer = PlayoutBuffer()
    func run(_ range: Range<Int>, jitter: Int) {
      for number in range {
        buffer.arrive(number, at: number * 20 + (number * 7919) % (jitter + 1))
        _ = buffer.next(at: milliseconds(number * 20))
      }
    }
    run(0..<200, jitter: 0)
    #expect(buffer.target == milliseconds(20))
    run(200..<500, jitter: 60)
    #expect(buffer.target >= milliseconds(65) && buffer.target <= milliseconds(80))
    run(500..<800, jitter: 190)
    #expect(buffer.target == milliseconds(120))
    run(800..<6_000, jitter: 0)
    #expect(buffer.target == milliseconds(20))
  }

  @Test("Packets that always come twice (RED) make nothing later")
  func redundancy() {
    var buffer = PlayoutBuffer()
    for number in 1..<300 {
      buffer.arrive(number - 1, at: number * 20)
      buffer.arrive(number, at: number * 20)
      _ = buffer.next(at: milliseconds(number * 20 + 5))
    }
    #expect(buffer.target == milliseconds(20))
    #expect(buffer.statistics.late == 0 && buffer.statistics.concealed == 0)
  }

  @Test("The clock of RTP wraps, and a sender that begins anew is followed")
  func wrapping() {
    var buffer = PlayoutBuffer()
    for number in 0..<4 { buffer.arrive(number, at: number * 20, from: UInt32.max - 1_500) }
    #expect(buffer.steps(4, from: 60) == (0..<4).map { .decode(packet($0)) })
    for number in 4..<8 { buffer.arrive(number, at: 200 + number * 20, from: 1_000_000_000) }
    #expect(buffer.steps(4, from: 320) == (4..<8).map { .decode(packet($0)) })
  }

  @Test("No packet of a peer makes the buffer grow, stop or crash")
  func hostile() throws {
    var buffer = PlayoutBuffer()
    var state: UInt64 = 42
    func random(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    var played = 0
    for turn in 0..<5_000 {
      let length = Int(random(30))
      let payload = (0..<length).map { _ in UInt8(truncatingIfNeeded: random(256)) }
      let stamp = random(4) == 0 ? UInt32(truncatingIfNeeded: random(1 << 31) << 1) : UInt32(turn * 960)
      buffer.insert(payload, timestamp: stamp, at: milliseconds(turn * 20 + Int(random(500))))
      if case .decode = buffer.next(at: milliseconds(turn * 20)) { played += 1 }
    }
    #expect(played > 0)
    buffer.insert([], timestamp: 0, at: .zero)
    buffer.insert([UInt8](repeating: 0, count: 100_000), timestamp: 0, at: .zero)
    // And it still plays.
    for number in 0..<5 { buffer.arrive(number, at: 200_000 + number * 20, from: 77) }
    let steps = buffer.steps(12, from: 200_000)
    #expect(steps.contains(.decode(packet(4))))
  }
}
