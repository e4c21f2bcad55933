import OrielModel

/// A talk beside a session, pure: inputs in, actions out, no clock and no device of its own.
///
/// The microphone comes first: without one the network is not touched. Then the camera is asked, and again whenever the
/// session was made anew.
struct TalkState: Sendable, Equatable {
  enum Phase: Sendable, Equatable {
    case idle
    /// Microphone and loudspeaker are being opened.
    case opening
    /// The camera is asked, or is to be when the data channel opens.
    case asking
    case on(TalkCapability)
  }

  enum Input: Sendable, Equatable {
    case start
    case stop
    /// Half duplex: speak (true) or listen.
    case press(Bool)
    /// Microphone and loudspeaker are open, or are not.
    case opened(OrielError?)
    /// The microphone has gone away; nil: the file was played to its end.
    case inputEnded(OrielError?)
    case channel(isOpen: Bool)
    case heard(TalkMessage)
    /// The session has ended for good, with this number or without.
    case sessionOver(OrielError?)
    case timer
  }

  enum Action: Sendable, Equatable {
    case open
    case close
    case send(TalkAction)
    /// `timer` follows.
    case arm(Duration)
    case disarm
    /// What the microphone hears is sent, or not.
    case speak(Bool)
    /// What the camera says is played, or not.
    case listen(Bool)
    case emit(PlayerEvent)
  }

  /// The camera answers within this.
  static let answerLimit = Duration.seconds(10)
  /// So often the camera is told that the talker is there.
  static let aliveInterval = Duration.seconds(1)

  private(set) var phase = Phase.idle
  private var isChannelOpen = false
  private var isPressed = false
  /// The camera has once said yes: what comes after a reconnection is not told again.
  private var hasStarted = false

  mutating func handle(_ input: Input) -> [Action] {
    switch input {
    case .start:
      guard phase == .idle else { return [] }
      phase = .opening
      isPressed = false
      hasStarted = false
      return [.open]
    case .stop:
      guard phase != .idle else { return [] }
      return end() + [.emit(.talkEnded)]
    case .press(let isPressed):
      self.isPressed = isPressed
      guard case .on(.halfDuplex) = phase else { return [] }
      // Sound is sent at once: it may overtake the word that announces it.
      return direction() + [.send(isPressed ? .speak : .listen)]
    case .opened(let error):
      guard phase == .opening else { return [] }
      if let error { return fail(error) }
      phase = .asking
      return ask()
    case .inputEnded(let error):
      guard phase != .idle else { return [] }
      return error.map { fail($0) } ?? end() + [.emit(.talkEnded)]
    case .channel(let isOpen):
      isChannelOpen = isOpen
      switch phase {
      case .on where !isOpen:
        phase = .asking
        return [.speak(false), .disarm]
      case .asking where isOpen: return ask()
      default: return []
      }
    case .heard(let message): return hear(message)
    case .sessionOver(let error):
      isChannelOpen = false
      guard phase != .idle else { return [] }
      return error.map { fail($0) } ?? end() + [.emit(.talkEnded)]
    case .timer: return timeIsUp()
    }
  }

  private func ask() -> [Action] { isChannelOpen ? [.send(.start), .arm(Self.answerLimit)] : [] }

  private mutating func hear(_ message: TalkMessage) -> [Action] {
    switch (message.action, phase) {
    case (.started, .asking):
      let duplex = message.duplex ?? .fullDuplex
      phase = .on(duplex)
      var actions = direction() + [.arm(Self.aliveInterval)]
      if duplex == .halfDuplex, isPressed { actions.append(.send(.speak)) }
      if !hasStarted { actions.append(.emit(.talkStarted(duplex))) }
      hasStarted = true
      return actions
    case (.speaking, .on(.halfDuplex)): return [.emit(.talkTurned(isSpeaking: true))]
    case (.listening, .on(.halfDuplex)): return [.emit(.talkTurned(isSpeaking: false))]
    case (.ended, .asking), (.ended, .on):
      let code = message.errorCode ?? 0
      guard code != 0 else { return end() + [.emit(.talkEnded)] }
      return fail(OrielError(ErrorCode(rawValue: code) ?? .streamInnerError))
    default: return []
    }
  }

  /// Who speaks and who listens now.
  private func direction() -> [Action] {
    guard case .on(let duplex) = phase else { return [] }
    guard duplex == .halfDuplex else { return [.speak(true), .listen(true)] }
    return [.speak(isPressed), .listen(!isPressed)]
  }

  private mutating func timeIsUp() -> [Action] {
    switch phase {
    case .asking: fail(OrielError(.talkRequestTimeout))
    case .on: [.send(.alive), .arm(Self.aliveInterval)]
    case .idle, .opening: []
    }
  }

  private mutating func fail(_ error: OrielError) -> [Action] { end() + [.emit(.talkFailed(error))] }

  private mutating func end() -> [Action] {
    let isToldOf = phase != .opening && isChannelOpen
    phase = .idle
    return [.disarm] + (isToldOf ? [.send(.stop)] : []) + [.close]
  }
}
