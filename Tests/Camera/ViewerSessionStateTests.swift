import OrielModel
import Testing

@testable import OrielCamera

@Suite struct ViewerSessionStateTests {
  private typealias Action = ViewerSessionState.Action
  private typealias Event = ViewerSessionState.Event
  private static let offer = SessionDescription(type: "offer", sdp: "v=0")

  private static func candidate(_ number: Int) -> CandidateDescription {
    CandidateDescription(candidate: "candidate:\(number)", sdpMid: "0", sdpMLineIndex: 0)
  }

  /// After a first offer and its answer.
  private static func connecting() -> ViewerSessionState {
    var state = ViewerSessionState()
    _ = state.handle(.offer(offer))
    _ = state.handle(.answered(sdp: "a"))
    return state
  }

  private static func connected() -> ViewerSessionState {
    var state = connecting()
    _ = state.handle(.connected)
    return state
  }

  @Test func anOfferIsAnswered() {
    var state = ViewerSessionState()
    #expect(state.handle(.offer(Self.offer)) == [.answer(sdp: "v=0", isFirst: true)])
    #expect(state.handle(.answered(sdp: "a")) == [.sendAnswer(sdp: "a"), .startTimer(1, .seconds(30))])
    #expect(state.handle(.connected) == [.stopTimer])
    #expect(state.phase == .standing(.connected))
  }

  @Test func candidatesBeforeTheOfferAreKeptInOrder() {
    var state = ViewerSessionState()
    #expect(state.handle(.candidate(Self.candidate(1))) == [.startTimer(1, .seconds(10))])
    #expect(state.handle(.candidate(Self.candidate(2))) == [])
    _ = state.handle(.offer(Self.offer))
    #expect(state.handle(.candidate(Self.candidate(3))) == [])
    let actions = state.handle(.answered(sdp: "a"))
    #expect(
      actions.dropLast() == [
        .sendAnswer(sdp: "a"), .addCandidate(Self.candidate(1)), .addCandidate(Self.candidate(2)),
        .addCandidate(Self.candidate(3)),
      ])
  }

  @Test func ownCandidatesFollowTheAnswer() {
    var state = ViewerSessionState()
    _ = state.handle(.offer(Self.offer))
    #expect(state.handle(.localCandidate(Self.candidate(1))) == [])
    let actions = state.handle(.answered(sdp: "a"))
    #expect(actions.prefix(2) == [.sendAnswer(sdp: "a"), .sendCandidate(Self.candidate(1))])
    #expect(state.handle(.localCandidate(Self.candidate(2))) == [.sendCandidate(Self.candidate(2))])
  }

  @Test func candidatesHaveLimits() {
    var early = ViewerSessionState()
    for number in 0..<1000 { _ = early.handle(.candidate(Self.candidate(number))) }
    _ = early.handle(.offer(Self.offer))
    let kept = early.handle(.answered(sdp: "a")).count {
      if case .addCandidate = $0 { true } else { false }
    }
    #expect(kept == ViewerSessionState.earlyCandidateLimit)
    var late = Self.connecting()
    var taken = 0
    for number in 0..<1000 { taken += late.handle(.candidate(Self.candidate(number))).count }
    #expect(taken == ViewerSessionState.candidateLimit)
    var long = Self.connecting()
    let text = String(repeating: "x", count: ViewerSessionState.candidateSizeLimit + 1)
    #expect(long.handle(.candidate(CandidateDescription(candidate: text))) == [])
    #expect(long.handle(.candidate(CandidateDescription(candidate: "", sdpMid: text))) == [])
  }

  @Test func candidatesWithoutAnOfferAreForgotten() {
    var state = ViewerSessionState()
    _ = state.handle(.candidate(Self.candidate(1)))
    #expect(state.handle(.timer(1)) == [.stopTimer, .release])
  }

  @Test func aDescriptionThatIsNoneIsRefused() {
    for description in [
      SessionDescription(type: "answer", sdp: "v=0"),
      SessionDescription(type: "offer", sdp: String(repeating: "x", count: 65_537)),
    ] {
      var state = ViewerSessionState()
      #expect(state.handle(.offer(description)) == [.sendStatus(740_004), .stopTimer, .release])
    }
  }

  @Test func aFirstOfferThatCannotBeAnsweredEndsTheSession() {
    var state = ViewerSessionState()
    _ = state.handle(.offer(Self.offer))
    #expect(state.handle(.answerFailed(.noCommonCodec)) == [.sendStatus(740_005), .stopTimer, .release])
  }

  @Test func aLaterOfferThatCannotBeAnsweredHarmsNothing() {
    var state = Self.connected()
    #expect(state.handle(.offer(Self.offer)) == [.answer(sdp: "v=0", isFirst: false)])
    #expect(state.handle(.answerFailed(.descriptionMalformed)) == [.sendStatus(740_004)])
    #expect(state.phase == .standing(.connected))
    #expect(state.handle(.offer(SessionDescription(type: "pranswer", sdp: ""))) == [.sendStatus(740_004)])
    #expect(state.phase == .standing(.connected))
  }

  @Test func aSecondOfferWhileOneIsWorkedOnIsRefused() {
    var state = ViewerSessionState()
    _ = state.handle(.offer(Self.offer))
    #expect(state.handle(.offer(Self.offer)) == [.sendStatus(740_004)])
    #expect(state.handle(.answered(sdp: "a")).first == .sendAnswer(sdp: "a"))
  }

  @Test func noPathEndsWithItsNumber() {
    var inTime = Self.connecting()
    #expect(
      inTime.handle(.failed(.connectionFailed, isPath: true)) == [.sendEnd(740_001), .stopTimer, .release])
    var late = Self.connecting()
    #expect(late.handle(.timer(1)) == [.sendEnd(740_001), .stopTimer, .release])
  }

  @Test func aLostPathHasThirtySecondsToComeBack() {
    var state = Self.connected()
    #expect(state.handle(.interrupted) == [.startTimer(3, .seconds(30))])
    #expect(state.handle(.interrupted) == [])
    #expect(state.handle(.failed(.connectionLost, isPath: true)) == [])
    #expect(state.handle(.connected) == [.stopTimer])
    #expect(state.handle(.timer(3)) == [], "an old timer")
    _ = state.handle(.failed(.connectionLost, isPath: true))
    #expect(state.handle(.timer(5)) == [.sendEnd(740_002), .stopTimer, .release])
  }

  @Test func anICERestartRenewsTheGrace() {
    var state = Self.connected()
    _ = state.handle(.interrupted)
    #expect(state.handle(.offer(Self.offer)) == [.answer(sdp: "v=0", isFirst: false)])
    #expect(state.handle(.answered(sdp: "b")) == [.sendAnswer(sdp: "b"), .startTimer(4, .seconds(30))])
    #expect(state.handle(.timer(3)) == [])
    #expect(state.handle(.connected) == [.stopTimer])
  }

  @Test func aRestartOfALivePathNeedsNoTimer() {
    var state = Self.connected()
    _ = state.handle(.offer(Self.offer))
    #expect(state.handle(.answered(sdp: "b")) == [.sendAnswer(sdp: "b")])
    #expect(state.phase == .standing(.connected))
  }

  @Test func aBrokenHandshakeEndsAtOnce() {
    var state = Self.connected()
    #expect(
      state.handle(.failed(.handshakeFailed, isPath: false)) == [.sendEnd(740_003), .stopTimer, .release])
  }

  @Test func endsAreFinal() {
    let ends: [(Event, [Action])] = [
      (.endedByViewer, []), (.closedByPeer, []), (.end(0), [.sendEnd(0)]),
    ]
    for (event, first) in ends {
      for start in [ViewerSessionState(), Self.connecting(), Self.connected()] {
        var state = start
        #expect(state.handle(event) == first + [.stopTimer, .release])
        for later: Event in [
          .offer(Self.offer), .candidate(Self.candidate(1)), .connected, .timer(1), .end(0),
          .answered(sdp: "a"),
        ] { #expect(state.handle(later) == []) }
      }
    }
  }

  /// Every order of events up to a depth: one release, the last action; a running timer wherever something may hang.
  @Test func noOrderOfEventsBreaksIt() {
    var visited = 0
    var broken: [String] = []
    func walk(_ state: ViewerSessionState, timer: Int?, depth: Int) {
      visited += 1
      guard depth > 0 else { return }
      let events: [Event] = [
        .offer(Self.offer),
        .offer(SessionDescription(type: "rollback", sdp: "")), .candidate(Self.candidate(1)),
        .answered(sdp: "a"), .answerFailed(.noCommonCodec),
        .localCandidate(Self.candidate(2)), .connected, .interrupted,
        .failed(.connectionLost, isPath: true), .failed(.handshakeFailed, isPath: false), .timer(timer ?? -1),
        .endedByViewer, .closedByPeer, .end(0),
      ]
      for event in events {
        var next = state
        var running = timer
        let before = next.phase
        let actions = next.handle(event)
        for action in actions {
          switch action {
          case .startTimer(let number, _): running = number
          case .stopTimer: running = nil
          case .answer(_, let isFirst):
            if isFirst != (before == .fresh) { broken.append("isFirst") }
          default: break
          }
        }
        let releases = actions.count { $0 == .release }
        if releases != (next.phase == .ended && before != .ended ? 1 : 0) { broken.append("releases") }
        if releases == 1, actions.last != .release { broken.append("release is not last") }
        switch next.phase {
        case .standing(.connecting), .standing(.lost):
          if running == nil { broken.append("may hang") }
        case .standing(.connected), .ended:
          if running != nil { broken.append("a timer is left") }
        case .fresh, .answering: break
        }
        if next.phase != .ended { walk(next, timer: running, depth: depth - 1) }
      }
    }
    walk(ViewerSessionState(), timer: nil, depth: 4)
    #expect(broken == [])
    #expect(visited > 1000)
  }
}
