import Testing

@testable import OrielRTC

@Suite struct LoopTests {
  @Test func jobsOfTheActorRunOnTheLoopsThread() async {
    let isOnThread = await RTCActor.run { RTCActor.shared.loop.isOnThread }
    #expect(isOnThread)
    #expect(!RTCActor.shared.loop.isOnThread)
  }

  @Test func anArmedTimerFiresOnceAndACancelledOneNever() async {
    let fired = await withCheckedContinuation { (done: CheckedContinuation<[String], Never>) in
      Task { @RTCActor in
        var fired: [String] = []
        let cancelled = RTCActor.schedule(after: .milliseconds(2)) { fired.append("cancelled") }
        let first = RTCActor.schedule(after: .milliseconds(1)) { fired.append("first") }
        cancelled.cancel()
        var last: LoopTimer?
        last = RTCActor.schedule(after: .milliseconds(10)) {
          withExtendedLifetime((cancelled, first, last)) { last = nil }
          done.resume(returning: fired)
        }
      }
    }
    #expect(fired == ["first"])
  }

  @Test func aTimerThatIsReleasedDoesNotFire() async {
    let fired = await withCheckedContinuation { (done: CheckedContinuation<Int, Never>) in
      Task { @RTCActor in
        var fired = 0
        _ = RTCActor.schedule(after: .milliseconds(1)) { fired += 1 }
        var last: LoopTimer?
        last = RTCActor.schedule(after: .milliseconds(5)) {
          withExtendedLifetime(last) { last = nil }
          done.resume(returning: fired)
        }
      }
    }
    #expect(fired == 0)
  }
}
