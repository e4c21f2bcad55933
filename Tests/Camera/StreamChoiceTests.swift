import OrielMedia
import OrielModel
import Testing

@testable import OrielCamera

@Suite struct StreamChoiceTests {
  /// Feeds an estimate every half second for so long.
  private func run(
    _ choice: inout StreamChoice, estimate: Int, from start: Duration, for length: Duration
  ) -> Duration {
    var now = start
    while now < start + length {
      choice.update(estimate: estimate, mainRate: 2_000_000, subRate: 400_000, at: now)
      now += .milliseconds(500)
    }
    return now
  }

  @Test func aSlowPathGetsTheSubStreamAfterTwoSeconds() {
    var choice = StreamChoice(.main)
    var now = run(&choice, estimate: 1_000_000, from: .zero, for: .seconds(2))
    #expect(choice.current == .main)
    now = run(&choice, estimate: 1_000_000, from: now, for: .seconds(1))
    #expect(choice.current == .sub)
  }

  @Test func aShortDipChangesNothing() {
    var choice = StreamChoice(.main)
    var now = Duration.zero
    for _ in 0..<20 {
      now = run(&choice, estimate: 1_000_000, from: now, for: .seconds(1))
      now = run(&choice, estimate: 3_000_000, from: now, for: .seconds(1))
      #expect(choice.current == .main)
    }
  }

  @Test func aPathThatIsWideAgainGetsTheMainStream() {
    var choice = StreamChoice(.main)
    var now = run(&choice, estimate: 500_000, from: .zero, for: .seconds(4))
    #expect(choice.current == .sub)
    now = run(&choice, estimate: 2_100_000, from: now, for: .seconds(4))
    #expect(choice.current == .sub, "2.1 Mbit/s is no margin over 2")
    now = run(&choice, estimate: 2_500_000, from: now, for: .seconds(5))
    #expect(choice.current == .main)
  }

  @Test func aTrialThatFailsMakesTheNextOneRarer() {
    var choice = StreamChoice(.main)
    var now = Duration.zero
    var ups: [Duration] = []
    while now < .seconds(400) {
      let before = choice.current
      // The path carries 600 kbit/s: more than sub, far from main, and it says so when main is tried.
      let estimate = before == .main && ups.last != now ? 500_000 : 600_000
      choice.update(estimate: estimate, mainRate: 2_000_000, subRate: 400_000, at: now)
      if before == .sub, choice.current == .main { ups.append(now) }
      now += .milliseconds(500)
    }
    let gaps = zip(ups.dropFirst(), ups).map { $0 - $1 }
    #expect(gaps.count >= 3)
    #expect(zip(gaps.dropFirst(), gaps).allSatisfy { $0 >= $1 })
    #expect((gaps.last ?? .zero) >= .seconds(80))
  }

  @Test func aTrialOnAWidePathSucceeds() {
    var choice = StreamChoice(.main)
    var now = run(&choice, estimate: 300_000, from: .zero, for: .seconds(3))
    var estimate = 600_000.0
    var downs = 0
    while now < .seconds(120) {
      let before = choice.current
      choice.update(estimate: Int(estimate), mainRate: 2_000_000, subRate: 400_000, at: now)
      if before == .main, choice.current == .sub { downs += 1 }
      // As the estimator does: 8 % a second, up to half as much again as is sent.
      estimate = min(estimate * 1.04, choice.current == .main ? 3_100_000 : 700_000)
      now += .milliseconds(500)
    }
    #expect(choice.current == .main)
    #expect(downs == 0)
  }

  @Test func aTrialThatGetsNowhereEnds() {
    var choice = StreamChoice(.main)
    var now = run(&choice, estimate: 600_000, from: .zero, for: .seconds(14))
    #expect(choice.current == .main, "on trial")
    now = run(&choice, estimate: 600_000, from: now, for: .seconds(22))
    #expect(choice.current == .sub)
  }

  @Test func theViewersWishCounts() {
    var choice = StreamChoice(.main)
    _ = run(&choice, estimate: 500_000, from: .zero, for: .seconds(4))
    choice.want(.main)
    #expect(choice.current == .main)
    choice.want(.sub)
    _ = run(&choice, estimate: 50_000_000, from: .zero, for: .seconds(60))
    #expect(choice.current == .sub)
  }

  @Test func unknownRatesDecideNothing() {
    var choice = StreamChoice(.main)
    for second in 0..<60 {
      choice.update(estimate: 0, mainRate: 2_000_000, subRate: 0, at: .seconds(second))
      choice.update(estimate: 100_000, mainRate: 0, subRate: 0, at: .seconds(second))
    }
    #expect(choice.current == .main)
  }
}

@Suite struct KeyFrameGateTests {
  @Test func manyRequestsCostOne() {
    var gate = KeyFrameGate()
    #expect(gate.request(at: .zero) == .forward)
    #expect(gate.request(at: .milliseconds(200)) == .later(.milliseconds(800)))
    for _ in 0..<50 { #expect(gate.request(at: .milliseconds(300)) == .drop) }
    expect(gate.delayPassed(at: .seconds(1)))
    #expect(gate.request(at: .milliseconds(1500)) == .later(.milliseconds(500)))
  }

  @Test func aKeyFrameThatComesAnswersAll() {
    var gate = KeyFrameGate()
    _ = gate.request(at: .zero)
    _ = gate.request(at: .milliseconds(100))
    gate.keyFrameCame(at: .milliseconds(500))
    expect(!gate.delayPassed(at: .seconds(1)))
    #expect(gate.request(at: .seconds(2)) == .forward)
  }
}

@Suite struct EncoderRateTests {
  @Test func oneViewerIsFollowed() {
    var rate = EncoderRate(full: 2_000_000)
    #expect(rate.update(estimates: [1_000_000]) == 850_000)
    #expect(rate.update(estimates: [1_050_000]) == nil, "under a tenth")
    #expect(rate.update(estimates: [100_000]) == 500_000, "the floor")
    #expect(rate.update(estimates: [9_000_000]) == 2_000_000)
    #expect(rate.update(estimates: [9_000_000]) == nil)
  }

  @Test func withMoreViewersOrNoneTheConfiguredRateHolds() {
    var rate = EncoderRate(full: 2_000_000)
    _ = rate.update(estimates: [600_000])
    #expect(rate.update(estimates: [600_000, 600_000]) == 2_000_000)
    _ = rate.update(estimates: [600_000])
    #expect(rate.update(estimates: []) == 2_000_000)
    #expect(rate.update(estimates: [0]) == nil)
  }
}

@Suite struct RateMeterTests {
  @Test func itMeasuresBitsPerSecond() {
    var meter = RateMeter()
    for step in 0...50 { meter.add(bytes: 10_000, at: .milliseconds(step * 40)) }
    #expect((1_900_000...2_100_000).contains(meter.bitsPerSecond))
  }
}

@Suite struct TicksTests {
  @Test(arguments: [
    (Duration.zero, UInt32(0)), (.milliseconds(20), 1800), (.seconds(1), 90_000),
    (.microseconds(33_333), 2999),
    (.seconds(47_722), 20_032_704 + 2256),
  ])
  func ticksOfAMediaClock(_ time: Duration, _ ticks: UInt32) {
    let exact = UInt32(truncatingIfNeeded: Int64((time / .seconds(1) * 90_000).rounded(.down)))
    #expect(abs(Int64(time.ticks(clockRate: 90_000)) - Int64(exact)) <= 1)
    if time < .seconds(10) { #expect(time.ticks(clockRate: 90_000) == ticks) }
  }
}
