import Testing

@testable import OrielCamera

@Suite struct RecordingTimelineTests {
  private let noon: Int64 = 1_796_126_400_000

  /// What is recorded, as a store tells it.
  private func taken(_ ranges: [Range<Int64>]) -> (Int64) -> [Range<Int64>] {
    { time in ranges.filter { $0.upperBound > time } }
  }

  @Test func aRecordingLiesAtTheTimeOfDayWhereThatIsFree() {
    let free = RecordingTimeline.free(from: noon, room: 120_000, taken: taken([0..<noon]))
    #expect(free == noon..<Int64.max)
  }

  @Test func aRecordingNeverLiesWhereSomethingIsRecorded() {
    let hour: Int64 = 3_600_000
    let ranges = [noon - 1000..<noon + hour, noon + hour + 60_000..<noon + 2 * hour]
    let free = RecordingTimeline.free(from: noon, room: 120_000, taken: taken(ranges))
    #expect(free.lowerBound == noon + 2 * hour, "a gap of a minute has no room for a file")
  }

  @Test func aGapWithRoomIsUsedAndTellsWhereItEnds() {
    let hour: Int64 = 3_600_000
    let ranges = [noon - hour..<noon + 5, noon + hour..<noon + 2 * hour]
    let free = RecordingTimeline.free(from: noon, room: 120_000, taken: taken(ranges))
    #expect(free == noon + 5..<noon + hour)
  }

  @Test func aClockThatWasNeverSetGoesOnAfterTheLastRecording() {
    #expect(RecordingTimeline.wanted(clock: 5_000, latestEnd: noon) == noon)
    #expect(RecordingTimeline.wanted(clock: 5_000, latestEnd: nil) == RecordingTimeline.earliest)
    #expect(RecordingTimeline.wanted(clock: noon, latestEnd: noon + 5) == noon)
  }

  @Test(arguments: [Int64(-3_600_000), -1_001, 1_001, 86_400_000])
  func aJumpOfTheClockIsSeen(jump: Int64) {
    var timeline = RecordingTimeline()
    timeline.begin(clock: noon, media: .seconds(7))
    #expect(!timeline.hasJumped(clock: noon + 10_040, media: .seconds(17)))
    #expect(timeline.hasJumped(clock: noon + 10_000 + jump, media: .seconds(17)))
  }
}
