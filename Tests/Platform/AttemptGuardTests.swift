import Testing

@testable import OrielPlatform

@Suite struct AttemptGuardTests {
  private func fail(
    _ attempts: inout AttemptGuard, _ serial: String, _ account: String, _ address: String, at now: Duration
  ) -> Duration {
    switch attempts.begin(subject: serial, parties: [account, address], at: now) {
    case .admitted: .zero
    case .wait(let wait): wait
    }
  }

  @Test func waitsGrowAfterTheFreeTriesUpToACeiling() {
    var attempts = AttemptGuard(policy: .code)
    var now = Duration.zero
    for _ in 0..<3 { #expect(fail(&attempts, "S", "a", "1", at: now) == .zero) }
    #expect(fail(&attempts, "S", "a", "1", at: now) == .seconds(5))
    now += .seconds(5)
    #expect(fail(&attempts, "S", "a", "1", at: now) == .zero)
    #expect(fail(&attempts, "S", "a", "1", at: now) == .seconds(10))
    for _ in 0..<20 {
      now += .seconds(900)
      #expect(fail(&attempts, "S", "a", "1", at: now) == .zero)
    }
    #expect(fail(&attempts, "S", "a", "1", at: now) == .seconds(900))
    now += .seconds(24 * 3600)
    #expect(fail(&attempts, "S", "a", "1", at: now) == .zero)
  }

  @Test func aStrangerCannotLockTheOwnerOut() {
    var attempts = AttemptGuard(policy: .code)
    var now = Duration.zero
    // A thousand strangers, each with an account and an address of its own, at the owner's serial.
    for stranger in 0..<1_000 {
      now += .milliseconds(100)
      _ = fail(&attempts, "S", "stranger \(stranger)", "10.0.\(stranger)", at: now)
    }
    #expect(fail(&attempts, "S", "owner", "home", at: now) == .zero)
    // The owner mistypes once while they go on: the wait is bounded, and counts from the owner's own slip.
    #expect(fail(&attempts, "S", "owner", "home", at: now) == .seconds(300))
    for stranger in 0..<1_000 {
      now += .milliseconds(300)
      _ = fail(&attempts, "S", "stranger \(stranger)", "10.0.\(stranger)", at: now)
    }
    #expect(fail(&attempts, "S", "owner", "home", at: now) == .zero)
  }

  @Test func theCountOfASerialSlowsThoseWhoFailedOnIt() {
    var attempts = AttemptGuard(policy: .code)
    for stranger in 0..<12 { _ = fail(&attempts, "S", "s\(stranger)", "\(stranger)", at: .zero) }
    #expect(fail(&attempts, "S", "s0", "0", at: .zero) == .seconds(40))
    #expect(fail(&attempts, "T", "s0", "0", at: .zero) == .zero)
  }

  @Test func manySerialsFromOneAccountAreSlowedToo() {
    var attempts = AttemptGuard(policy: .code)
    for serial in 0..<10 { #expect(fail(&attempts, "S\(serial)", "a", "\(serial)", at: .zero) == .zero) }
    #expect(fail(&attempts, "S10", "a", "10", at: .zero) == .seconds(5))
  }

  @Test func successForgivesThisSubjectOnly() {
    var attempts = AttemptGuard(policy: .code)
    for _ in 0..<3 { _ = fail(&attempts, "S", "a", "1", at: .zero) }
    guard case .admitted(let ticket) = attempts.begin(subject: "T", parties: ["a", "1"], at: .zero) else {
      Issue.record("not admitted")
      return
    }
    attempts.succeeded(ticket)
    #expect(fail(&attempts, "S", "a", "1", at: .zero) == .seconds(5))
    #expect(fail(&attempts, "T", "a", "1", at: .zero) == .zero)
  }

  @Test func withdrawnTriesDoNotCount() {
    var attempts = AttemptGuard(policy: .code)
    for _ in 0..<100 {
      guard case .admitted(let ticket) = attempts.begin(subject: "S", parties: ["a", "1"], at: .zero) else {
        Issue.record("not admitted")
        return
      }
      attempts.withdrawn(ticket)
    }
    #expect(attempts.recordCount == 0)
  }

  @Test func triesAtTheSameMomentGainNothing() {
    var attempts = AttemptGuard(policy: .code)
    let admitted = (0..<100).count { _ in
      if case .admitted = attempts.begin(subject: "S", parties: ["a", "1"], at: .zero) {
        true
      } else {
        false
      }
    }
    #expect(admitted == 3)
  }

  @Test func memoryIsBounded() {
    var attempts = AttemptGuard(policy: .signIn, recordLimit: 500)
    for number in 0..<2_000 {
      _ = attempts.begin(subject: "\(number)", parties: ["\(number)"], at: .milliseconds(number))
    }
    #expect(attempts.recordCount <= 500)
  }

  @Test(arguments: [
    ("10.0.0.1", "10.0.0.1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("2001:db8::1", "20:1:d:b8:0:0:0:0/64"),
    ("2001:db8:0:0:ffff::9", "20:1:d:b8:0:0:0:0/64"), ("fe80::1%eth0", "fe:80:0:0:0:0:0:0/64"),
  ])
  func addressesAreCountedByWhatAPeerHas(address: String, key: String) {
    #expect(AttemptAddress.key(address) == key)
  }
}
