import OrielMedia
import Testing

/// A sender, a network and a loudspeaker on a virtual clock; microseconds.
private struct VirtualTalk {
  /// How much faster the sender's clock runs than the measure, and the loudspeaker's, in ppm.
  var senderDrift = 0.0
  var speakerDrift = 0.0
  var jitter = 0
  /// Milliseconds of a packet and of a frame: 20 is the house's form, 60 makes hours three times as quick.
  var packet = 20

  struct Minute {
    var delay = 0.0
    var target = 0.0
    var statistics = PlayoutStatistics()
  }

  /// One entry a minute: the mean delay of its last second, and the counts so far.
  func run(minutes: Int) -> [Minute] {
    var random = SystemIndependentRandom(state: 7)
    var buffer = PlayoutBuffer(frame: .milliseconds(packet))
    var compensator = DriftCompensator()
    let payload: [UInt8] = [packet == 60 ? 0x18 : 0x78, 1, 2, 3]
    let senderStep = Double(packet) * 1_000 / (1 + senderDrift / 1_000_000)
    let speakerStep = Double(packet) * 1_000 / (1 + speakerDrift / 1_000_000)
    var sent = 0
    var nextArrival = 3_000.0
    var pending = 0.0
    var result: [Minute] = []
    var minute = Minute()
    var delay: Duration?
    var rate = 0.0
    var sum = (delay: 0.0, count: 0.0)
    var ticks = 0
    let perMinute = Int(60_000_000 / speakerStep)
    while result.count < minutes {
      let now = Double(ticks) * speakerStep
      while nextArrival <= now {
        buffer.insert(
          payload, timestamp: UInt32(truncatingIfNeeded: sent * packet * 48),
          at: .microseconds(Int(nextArrival)))
        sent += 1
        nextArrival = max(
          nextArrival, Double(sent) * senderStep + 3_000 + Double(jitter == 0 ? 0 : random.next(jitter)))
      }
      let time = Duration.microseconds(Int(now))
      // The loudspeaker's thread asks at each frame; five times a second is enough, and this has to be quick.
      if ticks % 10 == 0 {
        delay = buffer.delay(at: time, pending: .microseconds(Int(pending / 0.048)))
        rate = compensator.update(delay: delay, target: buffer.target, at: time)
      }
      // A frame uses up so many samples.
      var need = Double(packet) * 48 * (1 + rate / 1_000_000)
      while pending < need {
        switch buffer.next(at: time, pending: .microseconds(Int(pending / 0.048))) {
        case .decode: pending += Double(packet) * 48
        case .fec(_, let samples), .conceal(let samples): pending += Double(samples)
        case .silence: need = min(need, pending)
        }
        if need == pending { break }
      }
      pending -= need
      if let delay, ticks % 10 == 0, ticks % perMinute >= perMinute - 1_000 / packet {
        sum.delay += Double(delay.components.attoseconds) / 1e15
        sum.count += 1
      }
      ticks += 1
      if ticks % perMinute == 0 {
        minute.delay = sum.delay / max(sum.count, 1)
        minute.target = Double(buffer.target.components.attoseconds) / 1e15
        minute.statistics = buffer.statistics
        result.append(minute)
        sum = (0, 0)
      }
    }
    return result
  }
}

/// The same numbers on each machine.
private struct SystemIndependentRandom {
  var state: UInt64
  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}

@Suite struct DriftTests {
  @Test("8 hours with clocks 100 ppm apart neither gather delay nor make gaps", arguments: [100.0, -100.0])
  func eightHours(drift: Double) throws {
    let minutes = VirtualTalk(senderDrift: drift, jitter: 15_000, packet: 60).run(minutes: 480)
    let settled = try #require(minutes.dropFirst(4).first)
    let last = try #require(minutes.last)
    for (before, minute) in zip(minutes.dropFirst(4), minutes.dropFirst(5)) {
      #expect(abs(minute.delay - minute.target) < 5, "delay \(minute.delay) ms, wanted \(minute.target) ms")
      // A gap is 20 ms.
      let gaps = minute.statistics.concealed - before.statistics.concealed
      #expect(gaps <= 1 && minute.statistics.dropped == before.statistics.dropped)
    }
    #expect(abs(last.delay - settled.delay) < 10)
  }

  @Test("A null sink at 48,005 Hz is followed from the first minute on")
  func sinkAtAnotherRate() throws {
    let minutes = VirtualTalk(speakerDrift: 104, jitter: 5_000).run(minutes: 10)
    let last = try #require(minutes.last)
    #expect(abs(last.delay - last.target) < 3)
    #expect(last.statistics.concealed == 0 && last.statistics.dropped == 0)
  }

  @Test("An hour of packets of 20 ms, both clocks off")
  func anHour() throws {
    let minutes = VirtualTalk(senderDrift: -60, speakerDrift: 40, jitter: 15_000).run(minutes: 60)
    let last = try #require(minutes.last)
    #expect(abs(last.delay - last.target) < 3)
    #expect(last.target < 45)
    #expect(last.statistics.concealed == 0 && last.statistics.dropped == 0)
  }

  @Test("The controller finds the drift itself")
  func findsDrift() {
    var compensator = DriftCompensator()
    var delay = 40.0
    for tick in 0..<(50 * 300) {
      let rate = compensator.update(
        delay: .microseconds(Int(delay * 1_000)), target: .milliseconds(40), at: .milliseconds(tick * 20))
      delay += (80 - rate) * 0.02 / 1_000
    }
    #expect(abs(compensator.drift - 80) < 2)
    #expect(abs(delay - 40) < 0.5)
  }

  @Test("The rate stays within its limit whatever is measured")
  func limits() {
    var compensator = DriftCompensator()
    for (tick, delay) in [0, 10_000_000, -10_000_000, .max / 2, .min / 2].enumerated() {
      compensator.update(delay: .microseconds(delay), target: .milliseconds(40), at: .seconds(tick))
      #expect(abs(compensator.rate) <= DriftCompensator.limit)
    }
    compensator.update(delay: nil, target: .zero, at: .zero)
    #expect(compensator.rate == compensator.drift)
  }
}
