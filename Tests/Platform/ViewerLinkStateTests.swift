import OrielModel
import Testing

@testable import OrielPlatform

@Suite struct ViewerLinkStateTests {
  private let serial: DeviceSerial
  private let other: DeviceSerial

  init() throws {
    serial = try DeviceSerial("O12345678")
    other = try DeviceSerial("O87654321")
  }

  private func serving() -> ViewerLinkState {
    var state = ViewerLinkState()
    let authentication = LinkMessage.authenticate(Authentication(accessToken: "t"))
    #expect(state.handle(.received(authentication), at: .zero) == [.authenticate("t")])
    let welcome = Welcome(time: 0, clientId: "v", iceServers: [])
    #expect(state.handle(.authenticated(welcome), at: .zero) == [.send(.welcome(welcome))])
    return state
  }

  private func signal(_ action: SignalAction, _ session: String = "s", to recipient: String = "O12345678")
    -> LinkMessage
  {
    .signal(SignalMessage(action, session: session, from: "forged", to: recipient))
  }

  private func status(_ actions: [ViewerLinkState.Action]) -> Int? {
    guard case .send(.signal(let signal)) = actions.first, signal.action == .status else { return nil }
    return signal.errorCode
  }

  @Test func onlyATokenOpensTheLink() {
    for message in [signal(.offer), .hello, .report] as [LinkMessage?] {
      guard let message else { continue }
      var state = ViewerLinkState()
      #expect(
        state.handle(.received(message), at: .zero)
          == [.send(.refused(Refusal(errorCode: 730_007))), .close(1008)])
    }
    var late = ViewerLinkState()
    #expect(
      late.handle(.deadline, at: .zero) == [.send(.refused(Refusal(errorCode: 110_002))), .close(1008)])
    var wrong = ViewerLinkState()
    _ = wrong.handle(.received(.authenticate(Authentication(accessToken: "t"))), at: .zero)
    #expect(wrong.handle(.received(signal(.offer)), at: .zero) == [])
    #expect(
      wrong.handle(.refused(.accessTokenInvalid), at: .zero)
        == [.send(.refused(Refusal(errorCode: 110_002))), .close(1008)])
  }

  @Test func theSenderIsStamped() {
    var state = serving()
    #expect(
      state.handle(.received(signal(.offer)), at: .zero)
        == [.relay(SignalMessage(.offer, session: "s", from: "v", to: "O12345678"), to: serial)])
    #expect(
      state.handle(.received(signal(.candidate, "early", to: " o12345678")), at: .zero)
        == [.relay(SignalMessage(.candidate, session: "early", from: "v", to: "O12345678"), to: serial)])
  }

  @Test func sessionsBelongToOneDevice() {
    var state = serving()
    _ = state.handle(.received(signal(.offer)), at: .zero)
    #expect(status(state.handle(.received(signal(.candidate, to: "O87654321")), at: .zero)) == 740_006)
    let answer = SignalMessage(.answer, session: "s", from: "O87654321", to: "v")
    #expect(
      state.handle(.deliver(answer, from: other), at: .zero)
        == [.bounce(answer, .sessionUnknown, to: other)])
    #expect(state.handle(.deliver(answer, from: serial), at: .zero) == [.send(.signal(answer))])
    #expect(status(state.handle(.received(signal(.offer, to: "nonsense")), at: .zero)) == 120_014)
  }

  @Test func anEndIsPassedOnOnce() {
    var state = serving()
    _ = state.handle(.received(signal(.offer)), at: .zero)
    #expect(state.handle(.received(signal(.sessionEnd)), at: .zero).count == 1)
    #expect(state.handle(.received(signal(.sessionEnd)), at: .zero) == [])
    let end = SignalMessage(.sessionEnd, session: "s", from: "O12345678", to: "v")
    #expect(state.handle(.deliver(end, from: serial), at: .zero) == [])
    #expect(state.sessions.isEmpty)
  }

  @Test func sessionsAreLimited() {
    var state = serving()
    for number in 0..<SignalLimits.sessions {
      #expect(state.handle(.received(signal(.offer, "s\(number)")), at: .zero).count == 1)
    }
    #expect(status(state.handle(.received(signal(.offer, "one more")), at: .zero)) == nil)
    #expect(status(state.handle(.received(signal(.offer, "one-more")), at: .zero)) == 380_045)
  }

  @Test func whoLeavesEndsItsSessions() {
    var state = serving()
    _ = state.handle(.received(signal(.offer, "b")), at: .zero)
    _ = state.handle(.received(signal(.offer, "a", to: "O87654321")), at: .zero)
    func end(_ session: String, _ serial: DeviceSerial) -> ViewerLinkState.Action {
      var signal = SignalMessage(.sessionEnd, session: session, from: "v", to: serial.value)
      signal.errorCode = 0
      return .end(signal, at: serial)
    }
    #expect(state.handle(.lost, at: .zero) == [end("a", other), end("b", serial), .leave])
    // The platform that stops ends nothing: media goes on without it.
    var stopped = serving()
    _ = stopped.handle(.received(signal(.offer)), at: .zero)
    #expect(stopped.handle(.drain, at: .zero).last == .close(1001))
    #expect(stopped.handle(.lost, at: .zero) == [])
  }

  @Test func anOfferThatReachedNobodyLeavesNoSession() {
    var state = serving()
    let offer = SignalMessage(.offer, session: "s", from: "v", to: "O12345678")
    _ = state.handle(.received(.signal(offer)), at: .zero)
    #expect(status(state.handle(.undeliverable(offer, .deviceOffline), at: .zero)) == 120_007)
    #expect(state.sessions.isEmpty)
  }

  @Test func aRemovedDevicesSessionsEndOnBothSides() {
    var state = serving()
    _ = state.handle(.received(signal(.offer)), at: .zero)
    let actions = state.handle(.deviceRemoved(serial), at: .zero)
    #expect(actions.count == 2)
    #expect(state.sessions.isEmpty)
    #expect(state.handle(.deviceRemoved(serial), at: .zero) == [])
  }

  @Test func aFloodIsCutOff() {
    var state = serving()
    for _ in 0..<2_000 where state.phase == .serving {
      _ = state.handle(.received(signal(.sessionEnd, "none")), at: .zero)
    }
    #expect(state.phase == .closed)
  }
}

extension LinkMessage {
  fileprivate static var hello: LinkMessage { .commandResult(CommandResult(id: "c")) }
  fileprivate static var report: LinkMessage {
    .report(DeviceReport(name: "", model: "", version: "", cameras: []))
  }
}
