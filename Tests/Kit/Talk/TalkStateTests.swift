import OrielModel
import Testing

@testable import OrielKit

/// A talk as its viewer sees it, without devices and without time.
@Suite struct TalkStateTests {
  private func talking(_ duplex: TalkCapability = .fullDuplex, isPressed: Bool = false) -> TalkState {
    var talk = TalkState()
    _ = talk.handle(.channel(isOpen: true))
    #expect(talk.handle(.start) == [.open])
    _ = talk.handle(.press(isPressed))
    #expect(talk.handle(.opened(nil)) == [.send(.start), .arm(TalkState.answerLimit)])
    let actions = talk.handle(.heard(TalkMessage(.started, duplex: duplex)))
    #expect(actions.contains(.emit(.talkStarted(duplex))))
    return talk
  }

  @Test func withoutAMicrophoneTheNetworkIsNotTouched() {
    var talk = TalkState()
    _ = talk.handle(.channel(isOpen: true))
    #expect(talk.handle(.start) == [.open])
    let actions = talk.handle(.opened(OrielError(.microphoneUnavailable)))
    #expect(actions == [.disarm, .close, .emit(.talkFailed(OrielError(.microphoneUnavailable)))])
  }

  @Test func itAsksWhenTheChannelOpensAndSpeaksWhenTheCameraSaysYes() {
    var talk = TalkState()
    _ = talk.handle(.start)
    #expect(talk.handle(.opened(nil)) == [])
    #expect(talk.handle(.channel(isOpen: true)) == [.send(.start), .arm(.seconds(10))])
    #expect(
      talk.handle(.heard(TalkMessage(.started, duplex: .fullDuplex))) == [
        .speak(true), .listen(true), .arm(.seconds(1)), .emit(.talkStarted(.fullDuplex)),
      ])
    #expect(talk.handle(.timer) == [.send(.alive), .arm(.seconds(1))])
    #expect(talk.handle(.stop) == [.disarm, .send(.stop), .close, .emit(.talkEnded)])
    #expect(talk.handle(.stop) == [], "stopped once")
  }

  @Test func halfDuplexListensAtFirstAndSpeaksWhilePressed() {
    var talk = TalkState()
    _ = talk.handle(.channel(isOpen: true))
    _ = talk.handle(.start)
    _ = talk.handle(.opened(nil))
    #expect(
      talk.handle(.heard(TalkMessage(.started, duplex: .halfDuplex))).prefix(2) == [
        .speak(false), .listen(true),
      ])
    #expect(talk.handle(.press(true)) == [.speak(true), .listen(false), .send(.speak)])
    #expect(talk.handle(.heard(TalkMessage(.speaking))) == [.emit(.talkTurned(isSpeaking: true))])
    #expect(talk.handle(.press(false)) == [.speak(false), .listen(true), .send(.listen)])
    #expect(talk.handle(.heard(TalkMessage(.listening))) == [.emit(.talkTurned(isSpeaking: false))])
  }

  @Test func pressedBeforeTheCameraAnswersItSpeaksAtOnce() {
    var talk = TalkState()
    _ = talk.handle(.channel(isOpen: true))
    _ = talk.handle(.start)
    _ = talk.handle(.opened(nil))
    _ = talk.handle(.press(true))
    #expect(
      talk.handle(.heard(TalkMessage(.started, duplex: .halfDuplex))) == [
        .speak(true), .listen(false), .arm(.seconds(1)), .send(.speak), .emit(.talkStarted(.halfDuplex)),
      ])
  }

  @Test(arguments: [ErrorCode.talkBusy, .talkUnsupported, .noPermission, .talkTimeout, .soundUnavailable])
  func aRefusalEndsWithItsNumber(code: ErrorCode) {
    var talk = talking()
    let actions = talk.handle(.heard(TalkMessage(.ended, errorCode: code.rawValue)))
    #expect(actions.last == .emit(.talkFailed(OrielError(code))))
    #expect(talk.phase == .idle)
  }

  @Test func noAnswerHasItsNumber() {
    var talk = TalkState()
    _ = talk.handle(.channel(isOpen: true))
    _ = talk.handle(.start)
    _ = talk.handle(.opened(nil))
    #expect(talk.handle(.timer).last == .emit(.talkFailed(OrielError(.talkRequestTimeout))))
  }

  @Test func aSessionThatIsMadeAnewIsAskedAgainAndTheStartIsNotToldTwice() {
    var talk = talking()
    #expect(talk.handle(.channel(isOpen: false)) == [.speak(false), .disarm])
    #expect(talk.handle(.channel(isOpen: true)) == [.send(.start), .arm(.seconds(10))])
    let actions = talk.handle(.heard(TalkMessage(.started, duplex: .fullDuplex)))
    #expect(actions == [.speak(true), .listen(true), .arm(.seconds(1))])
    #expect(
      talk.handle(.sessionOver(OrielError(.connectionLost))) == [
        .disarm, .close, .emit(.talkFailed(OrielError(.connectionLost))),
      ])
  }

  @Test func aFileThatWasPlayedEndsTheTalkAndADeviceThatGoesAwayFailsIt() {
    var talk = talking()
    #expect(talk.handle(.inputEnded(nil)) == [.disarm, .send(.stop), .close, .emit(.talkEnded)])
    talk = talking()
    let actions = talk.handle(.inputEnded(OrielError(.microphoneUnavailable)))
    #expect(actions.last == .emit(.talkFailed(OrielError(.microphoneUnavailable))))
  }

  @Test func whatComesTooLateOrTooEarlyChangesNothing() {
    var talk = TalkState()
    for action in TalkAction.allCases { #expect(talk.handle(.heard(TalkMessage(action))) == []) }
    for input: TalkState.Input in [
      .stop, .press(true), .opened(nil), .inputEnded(nil), .timer, .sessionOver(nil),
    ] {
      #expect(talk.handle(input) == [])
    }
    #expect(talk.phase == .idle)
  }
}
