import Testing

@testable import OrielCamera

@Suite struct LinkBackoffTests {
  @Test func theFirstMinuteStaysQuickThenItSlowsDown() {
    var backoff = LinkBackoff()
    var now = Duration.zero
    var waits: [Duration] = []
    while now < .seconds(300) {
      let wait = backoff.next(at: now, random: 1, isRefused: false)
      waits.append(wait)
      now += wait
    }
    #expect(waits.prefix(4) == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
    #expect(waits.prefix(20).allSatisfy { $0 <= .seconds(3) })
    #expect(waits.suffix(5).allSatisfy { $0 == .seconds(30) })
  }

  @Test func jitterHalvesAtMost() {
    var (low, high) = (LinkBackoff(), LinkBackoff())
    for _ in 0..<10 {
      let short = low.next(at: .zero, random: 0, isRefused: false)
      let long = high.next(at: .zero, random: 1, isRefused: false)
      #expect(short * 2 == long)
    }
  }

  @Test func aRefusalWaitsLong() {
    var backoff = LinkBackoff()
    #expect(backoff.next(at: .zero, random: 0, isRefused: true) == .seconds(30))
    #expect(backoff.next(at: .zero, random: 1, isRefused: true) == .seconds(60))
  }

  @Test func resettingBeginsAnew() {
    var backoff = LinkBackoff()
    for _ in 0..<10 { _ = backoff.next(at: .seconds(100), random: 1, isRefused: false) }
    backoff.reset()
    #expect(backoff.next(at: .seconds(900), random: 1, isRefused: false) == .seconds(1))
  }
}

@Suite struct CodeGuardTests {
  @Test func aBurstThenOneInSixSeconds() {
    var codeGuard = CodeGuard()
    for _ in 0..<20 {
      expect(codeGuard.allows(at: .zero))
      codeGuard.noteWrong()
    }
    expect(!codeGuard.allows(at: .seconds(5)))
    expect(codeGuard.allows(at: .seconds(6)))
    codeGuard.noteWrong()
    expect(!codeGuard.allows(at: .seconds(7)))
    expect(codeGuard.allows(at: .seconds(12)))
  }

  @Test func rightAnswersCostNothing() {
    var codeGuard = CodeGuard()
    for _ in 0..<1000 { expect(codeGuard.allows(at: .zero)) }
  }

  @Test func anHourFillsItAgainButNotMore() {
    var codeGuard = CodeGuard()
    for _ in 0..<20 { codeGuard.noteWrong() }
    _ = codeGuard.allows(at: .zero)
    for second in stride(from: 0, through: 3600, by: 600) { _ = codeGuard.allows(at: .seconds(second)) }
    for _ in 0..<20 {
      expect(codeGuard.allows(at: .seconds(3600)))
      codeGuard.noteWrong()
    }
    expect(!codeGuard.allows(at: .seconds(3600)))
  }

  /// 26^6 codes at the steady rate.
  @Test func searchingTakesDecades() {
    #expect(CodeGuard.refill * 308_915_776 / .seconds(365 * 86_400) > 50)
  }
}

/// For calls that change a value, which `#expect` does not take.
func expect(_ condition: Bool, _ location: Testing.SourceLocation = #_sourceLocation) {
  #expect(condition, sourceLocation: location)
}
