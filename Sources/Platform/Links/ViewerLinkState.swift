import OrielModel

/// The platform's end of a viewer's link, as a pure state machine: events in, actions out.
struct ViewerLinkState: Sendable {
  enum Phase: Sendable, Equatable {
    /// Waiting for AUTHENTICATE.
    case waiting
    /// The token is being looked up.
    case authenticating
    case serving
    case closed
  }

  enum Event: Sendable {
    case received(LinkMessage)
    case garbled
    case authenticated(Welcome)
    case refused(ErrorCode)
    /// AUTHENTICATE did not come in time.
    case deadline
    /// The right to view has ended: token signed out or expired.
    case tokenEnded(ErrorCode)
    /// From the device: to be passed on to this viewer when the session is one of its own.
    case deliver(SignalMessage, from: DeviceSerial)
    /// A message could not be passed on.
    case undeliverable(SignalMessage, ErrorCode)
    /// The device left the account: its sessions are over.
    case deviceRemoved(DeviceSerial)
    case lost
    /// The platform stops. Sessions go on without it.
    case drain
  }

  enum Action: Sendable, Equatable {
    case send(LinkMessage)
    /// Look the token up, then report `authenticated` or `refused`.
    case authenticate(String)
    /// Check who owns the device, then pass the message on or report `undeliverable`.
    case relay(SignalMessage, to: DeviceSerial)
    /// Tell the device that it may forget a session.
    case end(SignalMessage, at: DeviceSerial)
    /// Tell the device that its message reached nobody.
    case bounce(SignalMessage, ErrorCode, to: DeviceSerial)
    /// Close after what is to be sent.
    case close(UInt16)
    case leave
  }

  static let authenticateDeadline = Duration.seconds(5)
  /// Before AUTHENTICATE nobody is known, so that little is read.
  static let authenticateLimit = 1_024

  private(set) var phase = Phase.waiting
  private(set) var sessions: [String: DeviceSerial] = [:]
  private var clientId = ""
  private var budget = MessageBudget(burst: 1_000, perSecond: 100)

  /// - Parameter now: since any fixed point, only forward.
  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    guard phase != .closed else { return [] }
    switch event {
    case .received(let message):
      guard budget.spend(at: now) else { return refuse(.tooFrequent) }
      return receive(message)
    case .garbled:
      guard phase == .serving else { return refuse(.messageMalformed) }
      return budget.spend(10, at: now) ? [] : refuse(.tooFrequent)
    case .authenticated(let welcome):
      guard phase == .authenticating else { return [] }
      phase = .serving
      clientId = welcome.clientId
      return [.send(.welcome(welcome))]
    case .refused(let code), .tokenEnded(let code):
      return refuse(code)
    case .deadline:
      return phase == .waiting ? refuse(.accessTokenInvalid) : []
    case .deliver(let signal, let serial):
      return deliver(signal, from: serial)
    case .undeliverable(let signal, let code):
      if signal.action == .offer { sessions[signal.sessionId] = nil }
      return signal.action == .sessionEnd ? [] : [.send(DeviceLinkState.status(code, about: signal))]
    case .deviceRemoved(let serial):
      return remove(serial)
    case .lost:
      let ends = endAll()
      let wasServing = phase == .serving
      phase = .closed
      return ends + (wasServing ? [.leave] : [])
    case .drain:
      phase = .closed
      return [.send(.signal(SignalMessage(.goAway, session: "", to: clientId))), .close(1001)]
    }
  }

  private mutating func receive(_ message: LinkMessage) -> [Action] {
    switch (phase, message) {
    case (.waiting, .authenticate(let authentication)):
      phase = .authenticating
      return [.authenticate(authentication.accessToken)]
    case (.waiting, _): return refuse(.messageMalformed)
    case (.serving, .signal(let signal)): return relay(signal)
    default: return []
    }
  }

  private mutating func relay(_ signal: SignalMessage) -> [Action] {
    guard signal.action != .goAway, SignalLimits.isSessionId(signal.sessionId) else { return [] }
    var signal = signal
    signal.senderClientId = clientId
    signal.iceServers = nil
    signal.mayTalk = nil
    guard let serial = try? DeviceSerial(signal.recipientClientId) else {
      return [.send(DeviceLinkState.status(.illegalDeviceSerial, about: signal))]
    }
    signal.recipientClientId = serial.value
    if let fault = SignalLimits.fault(of: signal) {
      return [.send(DeviceLinkState.status(fault, about: signal))]
    }
    if let device = sessions[signal.sessionId] {
      guard device == serial else { return [.send(DeviceLinkState.status(.sessionUnknown, about: signal))] }
    } else {
      switch signal.action {
      case .offer, .candidate:
        guard sessions.count < SignalLimits.sessions else {
          return [.send(DeviceLinkState.status(.connectionLimit, about: signal))]
        }
        sessions[signal.sessionId] = serial
      case .answer, .sessionEnd, .status, .goAway:
        // Nothing to answer or to end: an end that crossed the device's own is no fault.
        return []
      }
    }
    if signal.action == .sessionEnd { sessions[signal.sessionId] = nil }
    return [.relay(signal, to: serial)]
  }

  private mutating func deliver(_ signal: SignalMessage, from serial: DeviceSerial) -> [Action] {
    guard phase == .serving, sessions[signal.sessionId] == serial else {
      return signal.action == .sessionEnd || signal.action == .status
        ? [] : [.bounce(signal, .sessionUnknown, to: serial)]
    }
    if signal.action == .sessionEnd { sessions[signal.sessionId] = nil }
    return [.send(.signal(signal))]
  }

  private mutating func remove(_ serial: DeviceSerial) -> [Action] {
    let gone = sessions.filter { $0.value == serial }.keys.sorted()
    return gone.flatMap { session -> [Action] in
      sessions[session] = nil
      var toViewer = SignalMessage(.sessionEnd, session: session, from: serial.value, to: clientId)
      toViewer.errorCode = ErrorCode.notMyDevice.rawValue
      return [
        .send(.signal(toViewer)), .end(end(of: session, at: serial, because: .notMyDevice), at: serial),
      ]
    }
  }

  private mutating func endAll() -> [Action] {
    defer { sessions = [:] }
    return sessions.sorted { $0.key < $1.key }.map {
      .end(end(of: $0.key, at: $0.value, because: nil), at: $0.value)
    }
  }

  private func end(of session: String, at serial: DeviceSerial, because code: ErrorCode?) -> SignalMessage {
    var signal = SignalMessage(.sessionEnd, session: session, from: clientId, to: serial.value)
    signal.errorCode = code?.rawValue ?? 0
    return signal
  }

  private mutating func refuse(_ code: ErrorCode) -> [Action] {
    let ends = endAll()
    let wasServing = phase == .serving
    phase = .closed
    return ends + [.send(.refused(Refusal(errorCode: code.rawValue)))] + (wasServing ? [.leave] : [])
      + [.close(1008)]
  }
}
