import OrielModel

/// Who talks into a camera, one at a time, as a pure state machine: events in, actions out, no clock of its own.
struct TalkLineState: Sendable {
  /// Names a session for the line.
  typealias Talker = Int

  enum Event: Sendable, Equatable {
    case message(Talker, TalkAction)
    /// Sound came from a session.
    case sound(Talker)
    /// The loudspeaker is open, or is not.
    case opened(Talker, ErrorCode?)
    /// The loudspeaker has gone away.
    case outletLost(ErrorCode)
    /// The session has ended.
    case left(Talker)
    /// Time has passed.
    case tick
  }

  enum Action: Sendable, Equatable {
    /// Open the loudspeaker; `opened` follows.
    case open(Talker)
    case close
    /// Play the sound that came.
    case play
    case tell(Talker, TalkMessage)
    /// The camera's own sound is not sent for now: with half duplex it would be the talker's own voice.
    case holdSound(Bool)
  }

  /// A talker of whom nothing is heard for so long has died.
  static let silenceLimit = Duration.seconds(4)

  let duplex: TalkCapability
  private(set) var talker: Talker?
  private var isOpen = false
  private var isSpeaking = false
  private var lastHeard = Duration.zero

  init(duplex: TalkCapability) { self.duplex = duplex }

  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    switch event {
    case .message(let from, let action): return take(action, from, now)
    case .sound(let from):
      guard from == talker, isOpen else { return [] }
      lastHeard = now
      return [.play]
    case .opened(let asker, let failure):
      guard asker == talker else { return [] }
      if let failure { return end(failure.rawValue) }
      isOpen = true
      lastHeard = now
      return [.tell(asker, TalkMessage(.started, duplex: duplex))]
    case .outletLost(let code): return end(code.rawValue)
    case .left(let from): return from == talker ? end(nil) : []
    case .tick:
      guard talker != nil, isOpen, now - lastHeard >= Self.silenceLimit else { return [] }
      return end(ErrorCode.talkTimeout.rawValue)
    }
  }

  private mutating func take(_ action: TalkAction, _ from: Talker, _ now: Duration) -> [Action] {
    if action == .start { return start(from, now) }
    guard from == talker else { return [] }
    lastHeard = now
    switch action {
    case .speak, .listen:
      guard isOpen, duplex == .halfDuplex else { return [] }
      let turned = (action == .speak) != isSpeaking
      isSpeaking = action == .speak
      return (turned ? [.holdSound(isSpeaking)] : [])
        + [.tell(from, TalkMessage(isSpeaking ? .speaking : .listening))]
    case .stop: return end(0)
    case .start, .alive, .started, .speaking, .listening, .ended: return []
    }
  }

  private mutating func start(_ from: Talker, _ now: Duration) -> [Action] {
    guard duplex != .none else { return [refusal(from, .talkUnsupported)] }
    if from == talker {
      // Asked again, as after a reconnection: it is told again.
      return isOpen ? [.tell(from, TalkMessage(.started, duplex: duplex))] : []
    }
    guard talker == nil else { return [refusal(from, .talkBusy)] }
    talker = from
    isOpen = false
    isSpeaking = false
    lastHeard = now
    return [.open(from)]
  }

  private func refusal(_ talker: Talker, _ code: ErrorCode) -> Action {
    .tell(talker, TalkMessage(.ended, errorCode: code.rawValue))
  }

  /// - Parameter code: nil: nobody is there to be told.
  private mutating func end(_ code: Int?) -> [Action] {
    guard let talker else { return [] }
    self.talker = nil
    isOpen = false
    var actions: [Action] = [.close]
    if isSpeaking { actions.append(.holdSound(false)) }
    isSpeaking = false
    if let code { actions.append(.tell(talker, TalkMessage(.ended, errorCode: code))) }
    return actions
  }
}
