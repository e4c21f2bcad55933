import Testing

@testable import OrielKit

struct MediaTimelineTests {
  @Test func sessionsFollowEachOtherOnOneLine() {
    var line = MediaTimeline()
    #expect(line.place(.seconds(7), arrival: .seconds(1)) == .seconds(1))
    #expect(line.place(.milliseconds(7033), arrival: .seconds(9)) == .milliseconds(1033))
    line.startSession()
    #expect(line.place(.zero, arrival: .seconds(5)) == .seconds(5))
  }

  @Test func timeNeverStandsStillOrRunsBack() {
    var line = MediaTimeline()
    var last = line.place(.seconds(3), arrival: .zero)
    for stamp in [Duration.seconds(3), .seconds(2), .zero, .seconds(4)] {
      let time = line.place(stamp, arrival: .zero)
      #expect(time > last)
      last = time
    }
  }

  @Test func timestampsWrap() {
    var unwrapper = TimestampUnwrapper(clockRate: 48_000)
    #expect(unwrapper.time(of: UInt32.max - 479) == .zero)
    #expect(unwrapper.time(of: 0) == .milliseconds(10))
    #expect(unwrapper.time(of: 480) == .milliseconds(20))
    #expect(unwrapper.time(of: 0) == .milliseconds(10))
  }
}
