import OrielModel
import Testing

@testable import OrielCamera

/// Who talks into a camera, without a device and without time.
@Suite struct TalkLineStateTests {
  private func talking(_ duplex: TalkCapability = .fullDuplex) -> TalkLineState {
    var line = TalkLineState(duplex: duplex)
    #expect(line.handle(.message(1, .start), at: .zero) == [.open(1)])
    #expect(
      line.handle(.opened(1, nil), at: .milliseconds(50)) == [.tell(1, TalkMessage(.started, duplex: duplex))]
    )
    return line
  }

  private func ended(_ talker: Int, _ code: ErrorCode? = nil) -> TalkLineState.Action {
    .tell(talker, TalkMessage(.ended, errorCode: code?.rawValue ?? 0))
  }

  @Test func theSecondIsToldAtOnceThatTheLineIsBusyAndGetsItAfterTheFirst() {
    var line = talking()
    #expect(line.handle(.message(2, .start), at: .seconds(1)) == [ended(2, .talkBusy)])
    #expect(line.handle(.sound(2), at: .seconds(1)) == [], "what it sends is not heard")
    #expect(line.handle(.message(2, .stop), at: .seconds(1)) == [], "and it cannot end the other's talk")
    #expect(line.handle(.sound(1), at: .seconds(1)) == [.play])
    #expect(line.handle(.message(1, .stop), at: .seconds(2)) == [.close, ended(1)])
    #expect(line.handle(.message(2, .start), at: .seconds(2)) == [.open(2)])
  }

  @Test func aTalkerThatDiesFreesTheLineWithinFiveSeconds() {
    var line = talking()
    #expect(line.handle(.sound(1), at: .seconds(10)) == [.play])
    #expect(line.handle(.tick, at: .milliseconds(13_900)) == [])
    #expect(line.handle(.message(1, .alive), at: .milliseconds(13_950)) == [])
    #expect(line.handle(.tick, at: .milliseconds(17_900)) == [])
    #expect(line.handle(.tick, at: .milliseconds(18_000)) == [.close, ended(1, .talkTimeout)])
    var other = talking()
    #expect(other.handle(.left(1), at: .seconds(1)) == [.close], "a session that ends takes its talk along")
    #expect(other.talker == nil)
  }

  @Test func halfDuplexBeginsWithTheCameraSpeakingAndIsTurnedRound() {
    var line = talking(.halfDuplex)
    #expect(line.handle(.message(2, .speak), at: .seconds(1)) == [], "only by who talks")
    #expect(
      line.handle(.message(1, .speak), at: .seconds(1)) == [
        .holdSound(true), .tell(1, TalkMessage(.speaking)),
      ])
    #expect(line.handle(.message(1, .speak), at: .seconds(1)) == [.tell(1, TalkMessage(.speaking))])
    #expect(
      line.handle(.message(1, .listen), at: .seconds(2)) == [
        .holdSound(false), .tell(1, TalkMessage(.listening)),
      ])
    _ = line.handle(.message(1, .speak), at: .seconds(3))
    #expect(
      line.handle(.left(1), at: .seconds(3)) == [.close, .holdSound(false)], "the camera is heard again")
    var full = talking()
    #expect(full.handle(.message(1, .speak), at: .seconds(1)) == [])
  }

  @Test func aLoudspeakerThatCannotBeOpenedOrGoesAwayHasItsNumber() {
    var line = TalkLineState(duplex: .fullDuplex)
    _ = line.handle(.message(1, .start), at: .zero)
    #expect(line.handle(.sound(1), at: .zero) == [], "nothing is played before it is open")
    #expect(
      line.handle(.opened(1, .soundUnavailable), at: .zero) == [.close, ended(1, .soundUnavailable)])
    _ = line.handle(.message(1, .start), at: .zero)
    _ = line.handle(.opened(1, nil), at: .zero)
    #expect(line.handle(.outletLost(.soundUnavailable), at: .zero) == [.close, ended(1, .soundUnavailable)])
    #expect(line.handle(.opened(1, nil), at: .zero) == [], "one that was given up meanwhile")
  }

  @Test func aCameraWithoutTalkSaysSo() {
    var line = TalkLineState(duplex: .none)
    #expect(line.handle(.message(1, .start), at: .zero) == [ended(1, .talkUnsupported)])
  }

  @Test func whoAsksAgainIsToldAgain() {
    var line = talking()
    #expect(
      line.handle(.message(1, .start), at: .seconds(1)) == [
        .tell(1, TalkMessage(.started, duplex: .fullDuplex))
      ])
  }

  /// Any order of events from any number of sessions: at most one talks, and every opening is closed.
  @Test func noOrderOfEventsLeavesTheLineOpen() {
    var random = Generator(state: 7)
    for _ in 0..<300 {
      var line = TalkLineState(duplex: Bool.random(using: &random) ? .fullDuplex : .halfDuplex)
      var (opened, isHeld) = (0, false)
      var now = Duration.zero
      func note(_ actions: [TalkLineState.Action]) {
        for action in actions {
          if case .open = action { opened += 1 }
          if action == .close { opened -= 1 }
          if case .holdSound(let held) = action { isHeld = held }
        }
        #expect((0...1).contains(opened))
      }
      for _ in 0..<60 {
        now += .milliseconds(Int.random(in: 0...900, using: &random))
        let who = Int.random(in: 1...3, using: &random)
        let event: TalkLineState.Event =
          switch Int.random(in: 0...6, using: &random) {
          case 0: .opened(who, Bool.random(using: &random) ? nil : .soundUnavailable)
          case 1: .sound(who)
          case 2: .left(who)
          case 3: .tick
          default: .message(who, TalkAction.allCases.randomElement(using: &random) ?? .start)
          }
        note(line.handle(event, at: now))
      }
      for who in 1...3 { note(line.handle(.left(who), at: now)) }
      #expect(opened == 0 && !isHeld && line.talker == nil)
    }
  }

  /// The same order on every run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }
}
