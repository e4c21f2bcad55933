import Testing

@testable import OrielMedia

@Suite struct PlaybackStateTests {
  /// One minute in files of 20 s, from 100 s on.
  private func archive(group: Int64 = 1_000) -> SimulatedArchive {
    var archive = SimulatedArchive()
    for index in 0..<3 {
      let start = 100_000 + Int64(index) * 20_000
      archive.add("f\(index)", from: start, to: start + 20_000, group: group)
    }
    return archive
  }

  private func started(_ archive: SimulatedArchive, from: Int64 = 100_000, to: Int64 = 160_000)
    -> PlaybackSimulation
  {
    var run = PlaybackSimulation(archive, window: from..<to)
    run.say(.start)
    return run
  }

  @Test func itPlaysEveryPictureWhenItIsDueAndEndsOnce() {
    var run = started(archive())
    run.run(.seconds(70))
    #expect(run.sent.map(\.time) == Array(stride(from: 100_000, to: 160_000, by: 40)))
    #expect(run.sounds.count == 1_500)
    let start = run.sent[0].presentation
    for sent in run.sent {
      #expect(sent.presentation - start == .milliseconds(sent.time - 100_000))
      #expect(abs((sent.at - sent.presentation) / .milliseconds(1)) <= 3)
    }
    #expect(run.ends == [nil])
    #expect(run.gaps.isEmpty)
    let end = run.news.last { if case .ended = $0.news { true } else { false } }
    #expect(end.map { $0.at >= start + .seconds(60) && $0.at < start + .seconds(60.1) } == true)
  }

  @Test func theRangeEndsItBeforeTheRecordingDoes() {
    var run = started(archive(), from: 105_100, to: 107_000)
    run.run(.seconds(5))
    #expect(run.shown.first?.time == 105_120)
    #expect(run.shown.last?.time == 106_960)
    #expect(run.ends == [nil])
  }

  @Test func aSeekShowsThePictureOfItsTimeAndSendsWhatThatNeeds() {
    var run = started(archive(group: 2_000))
    run.run(.seconds(1))
    let before = run.sent.count
    run.say(.seek(to: 133_330, requestId: 7))
    run.run(.milliseconds(10))
    let after = run.sent[before...]
    #expect(after.first?.isKeyFrame == true)
    #expect(after.first?.time == 132_000)
    #expect(after.first { !$0.isPreroll }?.time == 133_360)
    guard
      case .moved(7, let anchor, let first)? = run.news.map(\.news).first(where: {
        if case .moved = $0 { true } else { false }
      })
    else {
      _ = Issue.record("nothing was told")
      return
    }
    #expect(anchor.time == 133_360)
    #expect(first == after.first?.presentation)
    #expect(anchor.presentation == after.first { !$0.isPreroll }?.presentation)
    #expect(anchor.presentation - first <= .milliseconds(100))
    // From there on in real time.
    run.run(.seconds(2))
    let last = run.sent[run.sent.count - 1]
    #expect(last.presentation - anchor.presentation == .milliseconds(last.time - anchor.time))
  }

  @Test func ofTwentySeeksInASecondTheLastCounts() {
    var run = started(archive())
    run.readTime = .milliseconds(120)
    run.run(.seconds(1))
    for index in 0..<20 {
      run.say(.seek(to: 110_000 + Int64(index) * 2_000, requestId: index))
      run.run(.milliseconds(50))
    }
    let before = run.sent.count
    run.run(.seconds(1))
    let told = run.news.compactMap { news -> Int? in
      if case .moved(let id, _, _) = news.news { id } else { nil }
    }
    #expect(told.last == 19)
    #expect(told == told.sorted())
    #expect(run.sent[before...].allSatisfy { $0.time >= 148_000 })
    #expect(run.shown.last.map { $0.time >= 148_000 } == true)
  }

  @Test func aSeekOutsideTheRangeIsRefusedAndChangesNothing() {
    var run = started(archive())
    run.run(.seconds(2))
    for time: Int64 in [99_999, 160_000] {
      run.say(.seek(to: time, requestId: 3))
      guard case .refused(3, .outside)? = run.news.last?.news else {
        Issue.record("not refused")
        continue
      }
    }
    run.run(.seconds(1))
    #expect(run.shown.map(\.time) == Array(stride(from: 100_000, to: run.state.position + 1, by: 40)))
    var fresh = PlaybackSimulation(archive(), window: 100_000..<160_000)
    fresh.say(.seek(to: 110_000, requestId: 1))
    guard case .refused(1, .outside)? = fresh.news.last?.news else {
      _ = Issue.record("not refused")
      return
    }
  }

  @Test func aPauseHoldsAndGoesOnWithTheNextPicture() {
    var run = started(archive())
    run.run(.seconds(2))
    run.say(.pause)
    let count = run.sent.count
    let time = run.state.position
    run.run(.seconds(60))
    #expect(run.sent.count == count)
    run.say(.play)
    run.run(.milliseconds(50))
    #expect(run.sent[count].time == time + 40)
    #expect(run.sent[count].presentation - run.sent[count - 1].presentation > .seconds(59))
    run.run(.seconds(60))
    #expect(run.sent.map(\.time) == Array(stride(from: 100_000, to: 160_000, by: 40)))
  }

  @Test func aSeekWhilePausedShowsOnePicture() {
    var run = started(archive())
    run.run(.seconds(1))
    run.say(.pause)
    let count = run.shown.count
    run.say(.seek(to: 120_520, requestId: 1))
    run.run(.seconds(5))
    #expect(run.shown.count == count + 1)
    #expect(run.shown.last?.time == 120_520)
    run.say(.play)
    run.run(.milliseconds(90))
    #expect(run.shown.suffix(2).map(\.time) == [120_560, 120_600])
  }

  @Test func aStepShowsTheNextPictureAndTellsOfIt() {
    var run = started(archive())
    run.run(.seconds(1))
    run.say(.step(requestId: 4))
    let time = run.state.position
    run.say(.step(requestId: 5))
    run.say(.step(requestId: 6))
    run.run(.seconds(1))
    #expect(run.state.position == time + 80)
    let told = run.news.compactMap { news -> Int? in
      if case .paused(let id?, _) = news.news { id } else { nil }
    }
    #expect(told == [4, 5, 6])
  }

  @Test(arguments: [0.25, 0.5, 2, 4]) func atOtherSpeedsEveryPictureComesWithoutSound(rate: Double) {
    var run = started(archive())
    run.say(.rate(rate, requestId: 1))
    run.run(.seconds(4))
    let shown = run.shown
    #expect(shown.map(\.time) == Array(stride(from: 100_000, to: run.state.position + 1, by: 40)))
    let span = Double(run.state.position - 100_000) / 1_000
    #expect(abs(span - 4 * rate) < 0.1 * rate + 0.1)
    #expect(run.sounds.isEmpty)
  }

  @Test(arguments: [8.0, 16]) func fastItSendsKeyFramesAlone(rate: Double) {
    var run = started(archive())
    run.say(.rate(rate, requestId: 1))
    run.run(.seconds(2))
    #expect(run.sent.dropFirst(13).allSatisfy { $0.isKeyFrame })
    let span = Double(run.state.position - 100_000) / 1_000
    #expect(abs(span - 2 * rate) < 1.5)
    // And back: decoding begins anew where it is.
    let count = run.sent.count
    run.say(.rate(1, requestId: 2))
    run.run(.seconds(1))
    #expect(run.sent[count].isKeyFrame)
    let rest = run.sent[count...].map(\.time)
    #expect(rest == Array(stride(from: rest[0], to: rest[0] + Int64(rest.count) * 40, by: 40)))
    guard
      case .playing(2, let anchor, .some)? = run.news.map(\.news).first(where: {
        if case .playing(2, _, _) = $0 { true } else { false }
      })
    else {
      _ = Issue.record("not told")
      return
    }
    #expect(anchor.rate == 1)
  }

  @Test func aRateThatThereIsNotIsRefused() {
    var run = started(archive())
    for rate in [0, -1, 0.06, 16.1, .infinity, .nan] {
      run.say(.rate(rate, requestId: 9))
      guard case .refused(9, .rate)? = run.news.last?.news else {
        Issue.record("\(rate)")
        continue
      }
    }
  }

  @Test func aGapIsJumpedAtOnceAndTold() {
    var archive = SimulatedArchive()
    archive.add("a", from: 0, to: 3_000)
    archive.add("b", from: 3_600_000, to: 3_603_000)
    var run = PlaybackSimulation(archive, window: 0..<4_000_000)
    run.say(.start)
    run.run(.seconds(8))
    #expect(run.gaps == [3_000..<3_600_000])
    #expect(run.ends == [nil])
    let last = run.sent.last { $0.time < 3_000 }
    let next = run.sent.first { $0.time >= 3_600_000 }
    if let last, let next { #expect(next.presentation - last.presentation == .milliseconds(40)) }
    for case .gap(_, let to, let anchor) in run.news.map(\.news) {
      #expect(anchor.time == to)
      #expect(anchor.presentation == next?.presentation)
    }
  }

  @Test func aHoleInsideARecordingIsAGapToo() {
    var archive = SimulatedArchive()
    archive.add("a", from: 0, to: 4_000)
    archive.stretches[0].fragments.removeSubrange(3..<9)
    for rate in [1.0, 16] {
      var run = PlaybackSimulation(archive, window: 0..<10_000)
      run.say(.start)
      run.say(.rate(rate, requestId: nil))
      run.run(.seconds(5))
      #expect(run.gaps == [1_000..<3_000])
      #expect(run.ends == [nil])
    }
  }

  @Test func aSeekIntoAGapShowsWhatFollowsAndTellsTheGap() {
    var archive = SimulatedArchive()
    archive.add("a", from: 0, to: 3_000)
    archive.add("b", from: 60_000, to: 63_000)
    var run = PlaybackSimulation(archive, window: 0..<100_000)
    run.say(.start)
    run.run(.milliseconds(500))
    run.say(.seek(to: 20_000, requestId: 1))
    run.run(.milliseconds(20))
    #expect(run.shown.last?.time == 60_000)
    #expect(run.gaps == [20_000..<60_000])
    // Behind everything there is only the end; a seek leads back.
    run.say(.seek(to: 90_000, requestId: 2))
    run.run(.milliseconds(20))
    guard case .ended(2, _, nil)? = run.news.last?.news else {
      _ = Issue.record("no end")
      return
    }
    run.say(.seek(to: 1_000, requestId: 3))
    run.run(.seconds(10))
    #expect(run.ends == [nil, nil])
    #expect(run.shown.contains { $0.time == 62_960 })
  }

  @Test func whereNothingIsRecordedItFailsWithThat() {
    var run = PlaybackSimulation(SimulatedArchive(), window: 0..<1_000)
    run.say(.start)
    run.run(.seconds(1))
    #expect(run.ends == [.nothingRecorded])
    var later = archive()
    later.stretches.removeFirst(2)
    var early = PlaybackSimulation(later, window: 0..<100_000)
    early.say(.start)
    early.run(.seconds(1))
    #expect(early.ends == [.nothingRecorded])
  }

  @Test func whatCannotBeReadIsAGap() {
    var archive = archive()
    archive.broken = ["f1"]
    var run = started(archive)
    run.run(.seconds(45))
    #expect(run.gaps == [120_000..<140_000])
    #expect(run.ends == [nil])
    archive.broken = ["f0", "f1", "f2"]
    var none = started(archive)
    none.run(.seconds(45))
    #expect(none.sent.isEmpty)
    #expect(none.ends == [.unreadable])
  }

  @Test func aCodecThatTheViewerHasNotEndsItWithThat() {
    var archive = archive()
    archive.stretches[1].codec = .h265
    var run = started(archive)
    run.run(.seconds(30))
    #expect(run.ends == [.codec(.h265)])
    #expect(run.sent.allSatisfy { $0.time < 120_000 })
  }

  @Test func aRecordingThatGrowsIsFollowedToItsEnd() {
    var archive = SimulatedArchive()
    archive.add("a", from: 0, to: 2_000, isGrowing: true)
    var run = PlaybackSimulation(archive, window: 0..<1_000_000)
    run.say(.start)
    for second in 3...8 {
      run.run(.seconds(1))
      run.archive.stretches = []
      run.archive.add("a", from: 0, to: Int64(second) * 1_000, isGrowing: second < 8)
    }
    #expect(run.ends.isEmpty)
    run.run(.seconds(4))
    #expect(run.sent.map(\.time) == Array(stride(from: 0, to: 8_000, by: 40)))
    #expect(run.ends == [nil])
    #expect(run.gaps.isEmpty)
  }

  @Test func slowReadingHoldsTheClockInsteadOfLosingPictures() {
    var run = started(archive())
    run.readTime = .milliseconds(900)
    run.run(.seconds(20))
    let shown = run.shown
    #expect(shown.map(\.time) == Array(stride(from: 100_000, to: run.state.position + 1, by: 40)))
    // No burst: what was late is shown at the pace it was taken.
    for (one, two) in zip(shown, shown.dropFirst()) {
      #expect(two.presentation - one.presentation >= .milliseconds(38))
    }
  }

  @Test func aLineThatDoesNotCarryItSlowsItDownWithoutLoss() {
    var run = started(archive())
    run.run(.seconds(1))
    run.state.backlog = .seconds(1)
    let count = run.sent.count
    run.run(.seconds(3))
    #expect(run.sent.count == count)
    run.state.backlog = .zero
    run.run(.seconds(1))
    #expect(run.sent.map(\.time) == Array(stride(from: 100_000, to: run.state.position + 1, by: 40)))
    #expect(run.sent.count - count <= 27)
  }

  @Test func fastOnSuchALineItLeavesPicturesOutAndKeepsTheSpeed() {
    var run = started(archive())
    run.say(.rate(4, requestId: 1))
    run.run(.seconds(1))
    run.state.backlog = .seconds(1)
    let count = run.sent.count
    run.run(.seconds(1))
    #expect(run.sent.count == count)
    run.state.backlog = .zero
    run.run(.seconds(1))
    #expect(run.sent[count].isKeyFrame)
    #expect(abs(run.state.position - 112_000) < 500)
  }

  @Test func theOtherStreamTakesOverWhereItIs() {
    var archive = archive()
    for index in 0..<2 {
      let start = 100_000 + Int64(index) * 20_000
      archive.add("s\(index)", from: start, to: start + 20_000, stream: .sub)
    }
    var run = started(archive)
    run.run(.seconds(5.5))
    run.say(.stream(.sub))
    run.run(.seconds(1))
    let first = run.sent.first { $0.stream == .sub }
    #expect(first?.isKeyFrame == true)
    let shown = run.shown.map(\.time)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 - $0 == 40 })
    // Where the other stream has nothing, the one there was goes on.
    run.say(.stream(.main))
    run.run(.milliseconds(100))
    run.say(.seek(to: 150_000, requestId: 1))
    run.run(.milliseconds(100))
    run.say(.stream(.sub))
    run.run(.seconds(1))
    #expect(run.state.stream == .main)
    #expect(run.ends.isEmpty)
  }

  @Test func whoLostThePictureGetsItAnew() {
    var run = started(archive(group: 4_000))
    run.run(.seconds(3))
    let count = run.sent.count
    let time = run.state.position
    run.say(.refresh)
    run.run(.milliseconds(20))
    #expect(run.sent[count].isKeyFrame)
    #expect(run.sent[count...].last { $0.isPreroll }?.time == time - 40)
    run.run(.seconds(1))
    let shown = run.sent[count...].filter { !$0.isPreroll }.map(\.time)
    #expect(shown.first == time)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 - $0 == 40 })
  }

  @Test func aGroupThatIsTooLongBeginsWithItsKeyFrame() {
    var archive = archive(group: 20_000)
    archive.stretches[0].fragments[0].size = 4 << 20
    var run = started(archive)
    run.run(.seconds(1))
    run.say(.seek(to: 119_000, requestId: 1))
    run.run(.milliseconds(20))
    #expect(run.shown.last?.time == 100_000)
  }

  /// Anything in any order: nothing is sent that cannot be decoded, no clock goes back, every end is told once.
  @Test(arguments: 0..<40) func whateverIsAskedItHolds(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var archive = archive(group: [1_000, 2_000, 3_240].randomElement(using: &random) ?? 1_000)
    if Bool.random(using: &random) { archive.add("late", from: 200_000, to: 230_000) }
    if Bool.random(using: &random) { archive.broken = ["f1"] }
    archive.add("sub", from: 110_000, to: 150_000, stream: .sub)
    var run = PlaybackSimulation(archive, window: 95_000..<225_000)
    run.say(.start)
    var lastSeek: (id: Int, time: Int64)?
    for step in 0..<150 {
      run.readTime = .milliseconds(Int.random(in: 0...200, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0: run.say(.pause)
      case 1, 2: run.say(.play)
      case 3, 4, 5:
        let time = Int64.random(in: 90_000..<230_000, using: &random)
        run.say(.seek(to: time, requestId: step))
        if (95_000..<225_000).contains(time) { lastSeek = (step, time) }
      case 6: run.say(.rate([0.25, 1, 1, 2, 8, 16].randomElement(using: &random) ?? 1, requestId: step))
      case 7: run.say(.step(requestId: step))
      case 8: run.say(.stream(Bool.random(using: &random) ? .main : .sub))
      default: run.state.backlog = .milliseconds(Bool.random(using: &random) ? 0 : 900)
      }
      run.run(.milliseconds(Int.random(in: 0...900, using: &random)))
    }
    run.state.backlog = .zero
    run.say(.play)
    run.run(.seconds(1))
    var previous: PlaybackSimulation.Sent?
    for sent in run.sent {
      if !sent.isKeyFrame {
        #expect(previous?.stream == sent.stream)
        #expect(previous.map { sent.time - $0.time } == 40)
      }
      previous = sent
    }
    if let lastSeek {
      let answered = run.news.contains { news -> Bool in
        switch news.news {
        case .moved(lastSeek.id, let anchor, _): anchor.time >= lastSeek.time - 40 || anchor.rate > 4
        case .ended(lastSeek.id, _, _): true
        default: false
        }
      }
      #expect(answered, "the last seek had no answer")
    }
  }
}

/// A small generator with a seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed &+ 0x9e37_79b9_7f4a_7c15 }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
