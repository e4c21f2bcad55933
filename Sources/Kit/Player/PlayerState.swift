import OrielModel

/// The life of a view, pure: inputs in, actions out, no clock and no traffic of its own.
///
/// `idle` -> `linking` -> `offered` -> `connecting` -> `waiting` -> `playing` <-> `lost` -> `idle`.
struct PlayerState: Sendable, Hashable {
  enum Phase: Sendable, Hashable {
    case idle
    /// Waits for the link to the platform.
    case linking
    /// The offer is on its way.
    case offered
    /// The camera answered; path and handshake are being made.
    case connecting
    /// Connected, and no picture yet.
    case waiting
    case playing
    /// It played and does not; it is being brought back.
    case lost(Attempt)
  }

  /// What is being done about a loss.
  enum Attempt: Sendable, Hashable {
    /// Nothing just now: link, device or source are to come back, or a pause runs.
    case resting
    /// An ICE restart, or a new session, was offered; the camera has not answered.
    case offered
    /// It was answered; pictures are due.
    case answered
  }

  private(set) var phase = Phase.idle
  private(set) var isLinkUp = false
  /// The definition that was asked for; nil: the camera's own.
  private(set) var level: VideoLevel?
  /// What the running session was offered or told.
  private var toldLevel: VideoLevel?
  private var isChannelOpen = false
  private var hasUnits = false
  /// Why the source gives no picture, as the camera said.
  private var sourceFailure: ErrorCode?

  private let connectTimeout: Duration
  private let lossTimeout: Duration
  /// How long an attempt may take until pictures come again.
  static let attemptTimeout = Duration.seconds(3)
  /// The pause after a refusal.
  static let retryPause = Duration.seconds(1)
  /// Nothing for this long is a loss.
  static let silenceLimit = Duration.seconds(2)
  /// A device that connects anew and has been silent this long has forgotten the session.
  static let forgetfulness = Duration.milliseconds(500)

  init(connectTimeout: Duration = .seconds(20), lossTimeout: Duration = .seconds(30)) {
    self.connectTimeout = connectTimeout
    self.lossTimeout = lossTimeout
  }

  var isPlaying: Bool { phase == .playing }
  var isLost: Bool { if case .lost = phase { true } else { false } }
  private var isStarting: Bool { phase != .idle && !isPlaying && !isLost }

  mutating func handle(_ input: PlayerInput) -> [PlayerAction] {
    switch input {
    case .start(let level): start(level)
    case .stop: phase == .idle ? [] : end(number: 0)
    case .setVideoLevel(let level): setLevel(level)
    case .linkUp: linkUp()
    case .linkDown(let error): linkDown(error)
    case .answered: answered()
    case .refused(let error): refused(error)
    case .sessionEnded(let error): sessionEnded(error)
    case .peerConnected: peerConnected()
    case .peerInterrupted: isPlaying ? lose(after: .zero) + restart() : []
    case .peerFailed(let error): peerFailed(error)
    case .channelOpen: channelOpen()
    case .levelChanged(let level): phase == .idle ? [] : [.emit(.videoLevelChanged(level))]
    case .source(let failure): source(failure)
    case .accessUnit:
      {
        hasUnits = true
        return []
      }()
    case .picture: picture()
    case .silent(let silence): isPlaying ? lose(after: silence) + (sourceFailure == nil ? restart() : []) : []
    case .deviceOnline(let silence): deviceOnline(silence)
    case .deviceOffline(let silence):
      isPlaying && silence > Self.forgetfulness ? lose(after: silence) : []
    case .timer(let timer): fired(timer)
    }
  }
}

// MARK: - Start and end

extension PlayerState {
  private mutating func start(_ level: VideoLevel?) -> [PlayerAction] {
    guard phase == .idle else { return [] }
    self = PlayerState(connectTimeout: connectTimeout, lossTimeout: lossTimeout)
    self.level = level
    phase = .linking
    return [.emit(.connecting), .arm(.connect, connectTimeout), .openLink]
  }

  private mutating func end(number: Int) -> [PlayerAction] {
    phase = .idle
    isLinkUp = false
    isChannelOpen = false
    return PlayerTimer.allCases.map { .disarm($0) } + [.close(number)]
  }

  private mutating func fail(_ error: OrielError) -> [PlayerAction] {
    end(number: error.number) + [.emit(.failed(error))]
  }

  private mutating func offer() -> [PlayerAction] {
    isChannelOpen = false
    hasUnits = false
    sourceFailure = nil
    toldLevel = level
    return [.offer(level)]
  }
}

// MARK: - The link

extension PlayerState {
  private mutating func linkUp() -> [PlayerAction] {
    guard phase != .idle else { return [] }
    isLinkUp = true
    switch phase {
    case .linking:
      phase = .offered
      return offer()
    case .lost(.resting): return sourceFailure == nil ? renew() : []
    case .lost(.offered): return renew()
    default: return []
    }
  }

  private mutating func linkDown(_ error: OrielError) -> [PlayerAction] {
    guard phase != .idle else { return [] }
    isLinkUp = false
    switch phase {
    case .linking: return fail(error)
    // The answer cannot come any more; the link comes back by itself, and the offer is made again then.
    case .offered:
      phase = .linking
      return error.isPointlessToRepeat ? fail(error) : []
    case .lost: return error.isPointlessToRepeat ? fail(error) : []
    case .idle, .connecting, .waiting, .playing: return []
    }
  }
}

// MARK: - The session

extension PlayerState {
  private mutating func answered() -> [PlayerAction] {
    switch phase {
    case .offered: phase = .connecting
    case .lost(.offered): phase = .lost(.answered)
    default: break
    }
    return []
  }

  private mutating func peerConnected() -> [PlayerAction] {
    if phase == .connecting || phase == .offered { phase = .waiting }
    return []
  }

  private mutating func refused(_ error: OrielError) -> [PlayerAction] {
    switch phase {
    case .offered, .connecting, .waiting: return fail(error)
    case .lost(.offered), .lost(.answered):
      if error.isPointlessToRepeat { return fail(error) }
      // The camera was started anew and knows nothing of the session: a new one, at once.
      return error.code == .sessionUnknown ? renew() : rest()
    default: return []
    }
  }

  private mutating func sessionEnded(_ error: OrielError?) -> [PlayerAction] {
    if let error, error.isPointlessToRepeat, phase != .idle { return fail(error) }
    switch phase {
    case .offered, .connecting, .waiting: return fail(error ?? OrielError(.streamOffline))
    case .playing: return lose(after: .zero) + rest()
    case .lost(.offered), .lost(.answered): return error?.code == .sessionUnknown ? renew() : rest()
    case .idle, .linking, .lost(.resting): return []
    }
  }

  private mutating func peerFailed(_ error: OrielError) -> [PlayerAction] {
    switch phase {
    case .offered, .connecting, .waiting: return fail(error)
    case .playing: return lose(after: .zero) + renew()
    // An offer that is on its way makes a connection of its own.
    case .lost(.answered): return rest()
    default: return []
    }
  }

  private mutating func picture() -> [PlayerAction] {
    switch phase {
    case .connecting, .waiting, .offered:
      phase = .playing
      return [.disarm(.connect), .emit(.started)] + tellLevel()
    case .lost:
      phase = .playing
      return [.disarm(.attempt), .disarm(.retry), .disarm(.loss), .emit(.reconnected)] + tellLevel()
    case .idle, .linking, .playing: return []
    }
  }
}

// MARK: - Loss and return

extension PlayerState {
  private mutating func lose(after silence: Duration) -> [PlayerAction] {
    guard isPlaying else { return [] }
    phase = .lost(.resting)
    return [.emit(.reconnecting), .arm(.loss, max(lossTimeout - silence, .zero))]
  }

  /// An ICE restart in the session there is.
  private mutating func restart() -> [PlayerAction] {
    guard isLinkUp else { return [] }
    phase = .lost(.offered)
    return [.arm(.attempt, Self.attemptTimeout), .restart]
  }

  /// A new session.
  private mutating func renew() -> [PlayerAction] {
    guard isLinkUp else {
      phase = .lost(.resting)
      return [.disarm(.attempt), .openLink]
    }
    phase = .lost(.offered)
    return [.disarm(.retry), .arm(.attempt, Self.attemptTimeout)] + offer()
  }

  /// A pause before the next session.
  private mutating func rest() -> [PlayerAction] {
    phase = .lost(.resting)
    return [.disarm(.attempt), .arm(.retry, Self.retryPause)]
  }

  private mutating func deviceOnline(_ silence: Duration) -> [PlayerAction] {
    switch phase {
    case .playing where silence > Self.forgetfulness: return lose(after: silence) + renew()
    case .lost: return renew()
    default: return []
    }
  }

  private mutating func source(_ failure: ErrorCode?) -> [PlayerAction] {
    guard phase != .idle else { return [] }
    sourceFailure = failure
    // The connection is sound: there is nothing to make anew, only to wait for.
    if failure != nil, isPlaying { return lose(after: .zero) }
    guard failure == nil, phase == .lost(.resting), isLinkUp else { return [] }
    phase = .lost(.answered)
    return [.arm(.attempt, Self.attemptTimeout)]
  }

  private mutating func fired(_ timer: PlayerTimer) -> [PlayerAction] {
    switch (timer, phase) {
    case (.connect, _) where isStarting: return fail(overdue)
    case (.loss, .lost): return fail(sourceFailure.map { OrielError($0) } ?? OrielError(.connectionLost))
    case (.retry, .lost(.resting)): return sourceFailure == nil ? renew() : []
    // No answer at all: perhaps it is the link that is dead.
    case (.attempt, .lost(.offered)):
      phase = .lost(.resting)
      isLinkUp = false
      return [.reviveLink]
    case (.attempt, .lost(.answered)):
      if sourceFailure == nil { return renew() }
      phase = .lost(.resting)
      return []
    default: return []
    }
  }

  /// The number of what did not come in time.
  private var overdue: OrielError {
    switch phase {
    case .linking: OrielError(.platformUnreachable)
    case .offered: OrielError(.deviceTimeout)
    case .connecting: OrielError(.connectionFailed)
    default:
      sourceFailure.map { OrielError($0) } ?? OrielError(hasUnits ? .decodeTimeout : .playTimeout)
    }
  }
}

// MARK: - Definition

extension PlayerState {
  private mutating func setLevel(_ level: VideoLevel) -> [PlayerAction] {
    self.level = level
    return phase == .idle ? [] : tellLevel()
  }

  private mutating func channelOpen() -> [PlayerAction] {
    guard phase != .idle else { return [] }
    isChannelOpen = true
    return tellLevel()
  }

  private mutating func tellLevel() -> [PlayerAction] {
    guard isChannelOpen, let level, level != toldLevel else { return [] }
    toldLevel = level
    return [.sendVideoLevel(level)]
  }
}
