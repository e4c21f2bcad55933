import OrielModel
import Testing

@testable import OrielCamera

@Suite struct PlatformLinkStateTests {
  private static let challenge = LinkMessage.challenge(Challenge(nonce: "n"))
  private static let welcome = LinkMessage.welcome(Welcome(time: 1, clientId: "c", iceServers: []))
  private static let command = LinkMessage.command(Command(id: "1", request: .capture(cameraNo: 1)))

  /// The state machine with a virtual clock that fires the timer it was asked for.
  private struct Machine {
    var state = PlatformLinkState()
    var now = Duration.zero
    var timer: (number: Int, at: Duration)?

    mutating func handle(_ event: PlatformLinkState.Event) -> [PlatformLinkState.Action] {
      let actions = state.handle(event, at: now, random: 1)
      for action in actions {
        switch action {
        case .startTimer(let number, let delay): timer = (number, now + delay)
        case .stopTimer: timer = nil
        default: break
        }
      }
      return actions
    }

    mutating func fire() -> [PlatformLinkState.Action] {
      guard let due = timer else { return [] }
      now = due.at
      return handle(.timer(due.number))
    }

    /// To `online`.
    mutating func connect() {
      if state.phase == .idle { _ = handle(.start) }
      _ = handle(.opened(attempt: state.attempt))
      _ = handle(.received(challenge, attempt: state.attempt))
      _ = handle(.received(welcome, attempt: state.attempt))
    }
  }

  @Test func theWayToOnline() {
    var machine = Machine()
    #expect(machine.handle(.start) == [.open(attempt: 1), .startTimer(1, .seconds(10))])
    #expect(machine.handle(.opened(attempt: 1)) == [.startTimer(2, .seconds(10))])
    #expect(
      machine.handle(.received(Self.challenge, attempt: 1))
        == [.sendHello(nonce: "n"), .startTimer(3, .seconds(10))])
    #expect(
      machine.handle(.received(Self.welcome, attempt: 1))
        == [.stopTimer, .welcome(Welcome(time: 1, clientId: "c", iceServers: []))])
    #expect(machine.handle(.received(Self.command, attempt: 1)) == [.deliver(Self.command)])
    #expect(machine.state.phase == .online)
  }

  @Test(arguments: 0..<3) func everyStepHasItsLimit(_ steps: Int) {
    var machine = Machine()
    _ = machine.handle(.start)
    if steps > 0 { _ = machine.handle(.opened(attempt: 1)) }
    if steps > 1 { _ = machine.handle(.received(Self.challenge, attempt: 1)) }
    let actions = machine.fire()
    #expect(machine.now == .seconds(10))
    #expect(actions.contains(.close))
    #expect(machine.state.phase == .waiting)
    #expect(machine.fire().contains(.open(attempt: 2)))
  }

  @Test func aPlatformThatIsBackWithinAMinuteHasItsCameraWithinFiveSeconds() {
    var machine = Machine()
    machine.connect()
    machine.now += .seconds(100)
    _ = machine.handle(.closed(OrielError(.platformUnreachable), attempt: 1))
    let start = machine.now
    while machine.now - start < .seconds(55) {
      let before = machine.now
      let opened = machine.fire()
      #expect(machine.now - before <= .seconds(3))
      guard case .open(let attempt) = opened.first else {
        Issue.record("no attempt")
        return
      }
      _ = machine.handle(.closed(OrielError(.platformUnreachable), attempt: attempt))
    }
  }

  @Test func aLinkThatHeldResetsTheBackoffOneThatDidNotDoesNot() {
    var machine = Machine()
    machine.connect()
    for _ in 0..<3 {
      _ = machine.handle(.closed(OrielError(.platformUnreachable), attempt: machine.state.attempt))
      _ = machine.fire()
      machine.connect()
    }
    let quick = machine.handle(.closed(OrielError(.platformUnreachable), attempt: machine.state.attempt))
    #expect(quick.first == .offline(OrielError(.platformUnreachable), retryIn: .seconds(3)))
    _ = machine.fire()
    machine.connect()
    machine.now += .seconds(10)
    let later = machine.handle(.closed(OrielError(.platformUnreachable), attempt: machine.state.attempt))
    #expect(later.first == .offline(OrielError(.platformUnreachable), retryIn: .seconds(1)))
  }

  @Test(arguments: [ErrorCode.serialTaken, .deviceLinkReplaced, .platformUntrusted])
  func whatSomebodyMustMendIsTriedSlowly(_ code: ErrorCode) {
    var machine = Machine()
    _ = machine.handle(.start)
    _ = machine.handle(.opened(attempt: 1))
    _ = machine.handle(.received(Self.challenge, attempt: 1))
    let actions = machine.handle(.received(.refused(Refusal(errorCode: code.rawValue)), attempt: 1))
    #expect(actions.prefix(2) == [.close, .offline(OrielError(code), retryIn: .seconds(60))])
  }

  @Test func anUnknownRefusalHasANumberToo() {
    var machine = Machine()
    machine.connect()
    let actions = machine.handle(.received(.refused(Refusal(errorCode: 1)), attempt: 1))
    #expect(actions.contains(.offline(OrielError(.platformAnswer), retryIn: .seconds(1))))
  }

  @Test func goAwayReconnects() {
    var machine = Machine()
    machine.connect()
    let signal = LinkMessage.signal(SignalMessage(.goAway, session: "", to: "O12345678"))
    #expect(machine.handle(.received(signal, attempt: 1)).first == .close)
    #expect(machine.fire().contains(.open(attempt: 2)))
  }

  @Test func whatAnOlderConnectionSaysIsIgnored() {
    var machine = Machine()
    machine.connect()
    _ = machine.handle(.closed(OrielError(.platformUnreachable), attempt: 1))
    _ = machine.fire()
    for event: PlatformLinkState.Event in [
      .opened(attempt: 1), .closed(OrielError(.platformUnreachable), attempt: 1), .garbled(attempt: 1),
      .received(Self.challenge, attempt: 1), .received(Self.welcome, attempt: 1), .timer(1),
    ] {
      #expect(machine.handle(event) == [])
      #expect(machine.state.phase == .opening)
    }
  }

  @Test func anUnreadableMessageEndsAnOpeningButNotAServingLink() {
    var machine = Machine()
    _ = machine.handle(.start)
    _ = machine.handle(.opened(attempt: 1))
    #expect(machine.handle(.garbled(attempt: 1)).first == .close)
    _ = machine.fire()
    machine.connect()
    #expect(machine.handle(.garbled(attempt: 2)) == [])
    #expect(machine.state.phase == .online)
  }

  @Test func nothingHappensAfterStop() {
    for steps in 0..<5 {
      var machine = Machine()
      if steps > 0 { _ = machine.handle(.start) }
      if steps > 1 { _ = machine.handle(.opened(attempt: 1)) }
      if steps > 2 { _ = machine.handle(.received(Self.challenge, attempt: 1)) }
      if steps > 3 { _ = machine.handle(.received(Self.welcome, attempt: 1)) }
      let timer = machine.timer
      #expect(machine.handle(.stop).contains(.close) == (steps > 0))
      for event: PlatformLinkState.Event in [
        .start, .stop, .opened(attempt: 1), .received(Self.challenge, attempt: 1), .timer(timer?.number ?? 0),
        .closed(OrielError(.platformUnreachable), attempt: 1), .garbled(attempt: 1),
      ] { #expect(machine.handle(event) == []) }
    }
  }

  /// Every event in every order up to a depth: the machine keeps its promises.
  @Test func noOrderOfEventsBreaksIt() {
    let messages = [
      Self.challenge, Self.welcome, Self.command, .refused(Refusal(errorCode: 730_006)),
      .signal(SignalMessage(.goAway, session: "", to: "x")),
    ]
    var visited = 0
    func walk(_ machine: Machine, depth: Int) {
      visited += 1
      guard depth > 0 else { return }
      let attempt = machine.state.attempt
      var events: [PlatformLinkState.Event] = [
        .start, .opened(attempt: attempt), .garbled(attempt: attempt), .timer(machine.timer?.number ?? -1),
        .closed(OrielError(.platformUnreachable), attempt: attempt), .stop,
      ]
      events += messages.map { .received($0, attempt: attempt) }
      for event in events {
        var next = machine
        let before = next.state.phase
        let actions = next.handle(event)
        let opens = actions.count {
          if case .open = $0 { true } else { false }
        }
        #expect(opens <= 1)
        if opens == 1 { #expect(before == .idle || before == .waiting) }
        for action in actions {
          if case .deliver = action { #expect(before == .online) }
          if case .sendHello = action { #expect(before == .greeting) }
        }
        switch next.state.phase {
        case .opening, .greeting, .registering, .waiting: #expect(next.timer != nil)
        case .idle, .online, .stopped: #expect(next.timer == nil)
        }
        walk(next, depth: depth - 1)
      }
    }
    walk(Machine(), depth: 4)
    #expect(visited > 10_000)
  }
}
