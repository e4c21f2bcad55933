import OrielModel
import Testing

@testable import OrielKit

/// The state machine of a view, alone.
struct PlayerStateTests {
  private static let gone = OrielError(.platformUnreachable)

  private func state(after inputs: [PlayerInput]) -> PlayerState {
    var state = PlayerState()
    for input in inputs { _ = state.handle(input) }
    return state
  }

  private static let toPlaying: [PlayerInput] = [
    .start(.high), .linkUp, .answered, .peerConnected, .picture,
  ]

  @Test func aStartAsksForTheLinkAndOffersWhenItIsUp() {
    var state = PlayerState()
    #expect(state.handle(.start(.high)) == [.emit(.connecting), .arm(.connect, .seconds(20)), .openLink])
    #expect(state.handle(.linkUp) == [.offer(.high)])
    #expect(state.handle(.answered) == [])
    #expect(state.handle(.peerConnected) == [])
    #expect(state.handle(.picture) == [.disarm(.connect), .emit(.started)])
    #expect(state.isPlaying)
  }

  @Test func aSecondStartChangesNothing() {
    var state = state(after: Self.toPlaying)
    let before = state
    #expect(state.handle(.start(.low)) == [])
    #expect(state == before)
  }

  @Test(
    arguments: [
      ([], ErrorCode.platformUnreachable), ([.linkUp], .deviceTimeout),
      ([.linkUp, .answered], .connectionFailed),
      ([.linkUp, .answered, .peerConnected], .playTimeout),
      ([.linkUp, .answered, .peerConnected, .accessUnit], .decodeTimeout),
      ([.linkUp, .answered, .peerConnected, .source(.sourceRefused)], .sourceRefused),
    ] as [([PlayerInput], ErrorCode)])
  func theTimeLimitOfTheFirstPictureNamesWhatDidNotCome(inputs: [PlayerInput], code: ErrorCode) {
    var state = state(after: [.start(nil)] + inputs)
    let actions = state.handle(.timer(.connect))
    #expect(actions.last == .emit(.failed(OrielError(code))))
    #expect(actions.contains(.close(code.rawValue)))
    #expect(state.phase == .idle)
  }

  @Test func anUnreachablePlatformFailsAStartAtOnce() {
    var state = state(after: [.start(nil)])
    #expect(state.handle(.linkDown(Self.gone)).last == .emit(.failed(Self.gone)))
  }

  @Test func aLinkLostBeforeTheAnswerMakesANewOfferWhenItIsBack() {
    var state = state(after: [.start(nil), .linkUp])
    #expect(state.handle(.linkDown(Self.gone)) == [])
    #expect(state.handle(.linkUp) == [.offer(nil)])
  }

  @Test func aRefusalOfTheFirstOfferIsTheOutcome() {
    for code in [ErrorCode.deviceOffline, .notMyDevice, .connectionLimit, .noCommonCodec] {
      var state = state(after: [.start(nil), .linkUp])
      #expect(state.handle(.refused(OrielError(code))).last == .emit(.failed(OrielError(code))))
    }
  }

  @Test func thePlatformMayGoWhileAViewPlays() {
    var state = state(after: Self.toPlaying)
    #expect(state.handle(.linkDown(Self.gone)) == [])
    #expect(state.handle(.linkUp) == [])
    #expect(state.isPlaying)
  }

  @Test func silenceIsAnsweredByAnICERestartInTheSameSession() {
    var state = state(after: Self.toPlaying)
    let actions = state.handle(.silent(.seconds(2)))
    #expect(
      actions == [
        .emit(.reconnecting), .arm(.loss, .seconds(28)), .arm(.attempt, PlayerState.attemptTimeout), .restart,
      ])
    _ = state.handle(.answered)
    #expect(state.handle(.picture).last == .emit(.reconnected))
    #expect(state.isPlaying)
  }

  @Test func aCameraThatForgotTheSessionGetsANewOneAtOnce() {
    var state = state(after: Self.toPlaying + [.silent(.seconds(2))])
    #expect(state.handle(.refused(OrielError(.sessionUnknown))).last == .offer(.high))
  }

  @Test func aDeviceThatComesBackGetsANewSessionAtOnce() {
    var lost = state(after: Self.toPlaying + [.silent(.seconds(2)), .refused(OrielError(.deviceOffline))])
    #expect(lost.handle(.deviceOnline(silent: .seconds(9))).last == .offer(.high))
    var playing = state(after: Self.toPlaying)
    #expect(playing.handle(.deviceOnline(silent: .seconds(1))).last == .offer(.high))
  }

  @Test func aDeviceThatOnlyRenewedItsLinkKeepsTheView() {
    var state = state(after: Self.toPlaying)
    #expect(state.handle(.deviceOffline(silent: .milliseconds(40))) == [])
    #expect(state.handle(.deviceOnline(silent: .milliseconds(40))) == [])
    #expect(state.isPlaying)
  }

  @Test func anUnansweredAttemptHasTheLinkChecked() {
    var state = state(after: Self.toPlaying + [.silent(.seconds(2))])
    #expect(state.handle(.timer(.attempt)) == [.reviveLink])
    #expect(state.handle(.linkUp).last == .offer(.high))
  }

  @Test func aLossThatDoesNotEndIsReportedWithItsNumber() {
    var state = state(after: Self.toPlaying + [.silent(.seconds(2))])
    #expect(state.handle(.timer(.loss)).last == .emit(.failed(OrielError(.connectionLost))))
    #expect(state.phase == .idle)
  }

  @Test func aSourceWithoutPicturesIsWaitedForAndNamed() {
    var state = state(after: Self.toPlaying)
    #expect(state.handle(.source(.sourceUnreachable)) == [.emit(.reconnecting), .arm(.loss, .seconds(30))])
    var other = state
    #expect(other.handle(.timer(.loss)).last == .emit(.failed(OrielError(.sourceUnreachable))))
    #expect(state.handle(.source(nil)) == [.arm(.attempt, PlayerState.attemptTimeout)])
    #expect(state.handle(.picture).last == .emit(.reconnected))
  }

  @Test func aTokenThatEndsWhileTheViewIsLostEndsIt() {
    var state = state(after: Self.toPlaying + [.peerFailed(OrielError(.connectionLost))])
    let expired = OrielError(.accessTokenExpired)
    #expect(state.handle(.linkDown(expired)).last == .emit(.failed(expired)))
  }

  @Test func theDefinitionIsToldOverTheDataChannelOnceItIsOpen() {
    var state = state(after: Self.toPlaying)
    #expect(state.handle(.setVideoLevel(.low)) == [])
    #expect(state.handle(.channelOpen) == [.sendVideoLevel(.low)])
    #expect(state.handle(.setVideoLevel(.low)) == [])
    #expect(state.handle(.setVideoLevel(.high)) == [.sendVideoLevel(.high)])
    #expect(state.handle(.levelChanged(.high)) == [.emit(.videoLevelChanged(.high))])
  }

  @Test func aNewSessionBeginsAtTheDefinitionThatWasAskedForLast() {
    var state = state(after: Self.toPlaying + [.channelOpen, .setVideoLevel(.low)])
    #expect(state.handle(.peerFailed(OrielError(.connectionLost))).last == .offer(.low))
  }

  @Test func aStopLetsGoOfEverything() {
    for count in 1...Self.toPlaying.count {
      var state = state(after: Array(Self.toPlaying.prefix(count)))
      let actions = state.handle(.stop)
      #expect(actions.contains(.close(0)))
      for timer in PlayerTimer.allCases { #expect(actions.contains(.disarm(timer))) }
      #expect(state.phase == .idle)
      #expect(state.handle(.picture) == [])
    }
  }
}
