import OrielModel

/// The link to the platform as a pure state machine: events in, actions out, no I/O, no clock of its own.
///
/// Every connection has a number (`attempt`); what an older one still says is ignored.
struct PlatformLinkState: Sendable {
  enum Phase: Sendable, Equatable {
    case idle
    /// The WebSocket is being opened.
    case opening
    /// Open; waiting for CHALLENGE.
    case greeting
    /// HELLO is sent; waiting for WELCOME or REFUSED.
    case registering
    case online
    /// Until the timer asks for the next try.
    case waiting
    case stopped
  }

  enum Event: Sendable, Equatable {
    case start
    case opened(attempt: Int)
    case received(LinkMessage, attempt: Int)
    /// A message that could not be read.
    case garbled(attempt: Int)
    /// The connection could not be made, or ended.
    case closed(OrielError, attempt: Int)
    case timer(Int)
    case stop
  }

  enum Action: Sendable, Equatable {
    case open(attempt: Int)
    case sendHello(nonce: String)
    /// Replaces the timer that was running.
    case startTimer(Int, Duration)
    case stopTimer
    case close
    case welcome(Welcome)
    /// For the commands and the sessions.
    case deliver(LinkMessage)
    case offline(OrielError, retryIn: Duration)
  }

  /// For opening, for CHALLENGE and for WELCOME, each.
  static let stepLimit = Duration.seconds(10)
  /// A link that held this long makes the next outage a new one.
  static let goodAfter = Duration.seconds(10)

  private(set) var phase = Phase.idle
  private(set) var attempt = 0
  private var timer = 0
  private var backoff = LinkBackoff()
  private var onlineSince: Duration?

  /// - Parameters:
  ///   - now: Time since any fixed point, monotonic.
  ///   - random: 0..<1, fresh for each event.
  mutating func handle(_ event: Event, at now: Duration, random: Double) -> [Action] {
    switch event {
    case .start:
      guard phase == .idle else { return [] }
      return open()
    case .stop:
      guard phase != .stopped else { return [] }
      let wasOpen = phase != .idle && phase != .waiting
      phase = .stopped
      return wasOpen ? [.stopTimer, .close] : [.stopTimer]
    case .timer(let number):
      guard number == timer else { return [] }
      return timeout(at: now, random: random)
    case .opened(let number):
      guard number == attempt, phase == .opening else { return [] }
      phase = .greeting
      return [startTimer(Self.stepLimit)]
    case .closed(let error, let number):
      guard number == attempt, isConnected else { return [] }
      return lose(error, at: now, random: random, isOpen: false)
    case .garbled(let number):
      // In service one unreadable message harms nothing: a newer platform may say things we do not know.
      guard number == attempt, isConnected, phase != .online else { return [] }
      return lose(OrielError(.platformAnswer), at: now, random: random)
    case .received(let message, let number):
      guard number == attempt else { return [] }
      return receive(message, at: now, random: random)
    }
  }

  private var isConnected: Bool {
    switch phase {
    case .opening, .greeting, .registering, .online: true
    case .idle, .waiting, .stopped: false
    }
  }

  private mutating func receive(_ message: LinkMessage, at now: Duration, random: Double) -> [Action] {
    switch (phase, message) {
    case (.greeting, .challenge(let challenge)):
      phase = .registering
      return [.sendHello(nonce: challenge.nonce), startTimer(Self.stepLimit)]
    case (.registering, .welcome(let welcome)):
      phase = .online
      onlineSince = now
      return [.stopTimer, .welcome(welcome)]
    case (.greeting, .refused(let refusal)), (.registering, .refused(let refusal)),
      (.online, .refused(let refusal)):
      let code = ErrorCode(rawValue: refusal.errorCode) ?? .platformAnswer
      return lose(OrielError(code), at: now, random: random)
    case (.online, .signal(let signal)) where signal.action == .goAway:
      return lose(
        OrielError(.platformUnreachable, "the platform asked to reconnect"), at: now, random: random)
    case (.online, .command), (.online, .signal), (.online, .uploadGrant):
      return [.deliver(message)]
    case (.greeting, _), (.registering, _):
      return lose(OrielError(.platformAnswer), at: now, random: random)
    default:
      return []
    }
  }

  private mutating func timeout(at now: Duration, random: Double) -> [Action] {
    switch phase {
    case .waiting:
      return open()
    case .opening, .greeting, .registering:
      return lose(OrielError(.platformUnreachable, "no answer in time"), at: now, random: random)
    case .idle, .online, .stopped:
      return []
    }
  }

  private mutating func open() -> [Action] {
    phase = .opening
    attempt += 1
    return [.open(attempt: attempt), startTimer(Self.stepLimit)]
  }

  private mutating func lose(_ error: OrielError, at now: Duration, random: Double, isOpen: Bool = true)
    -> [Action]
  {
    if let since = onlineSince, now - since >= Self.goodAfter { backoff.reset() }
    onlineSince = nil
    phase = .waiting
    let wait = backoff.next(at: now, random: random, isRefused: Self.isLasting(error.code))
    let close: [Action] = isOpen ? [.close] : []
    return close + [.offline(error, retryIn: wait), startTimer(wait)]
  }

  /// Whether somebody must act before another try can succeed.
  private static func isLasting(_ code: ErrorCode) -> Bool {
    switch code {
    case .serialTaken, .deviceLinkReplaced, .platformUntrusted, .messageMalformed, .illegalDeviceSerial: true
    default: false
    }
  }

  private mutating func startTimer(_ duration: Duration) -> Action {
    timer += 1
    return .startTimer(timer, duration)
  }
}
