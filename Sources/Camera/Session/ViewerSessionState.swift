import OrielModel

/// One viewer's session as a pure state machine: events in, actions out; no I/O, no clock of its own.
///
/// The viewer offers, the camera answers, candidates trickle both ways and may come before the offer. Media is
/// peer to peer, so that the loss of the platform ends nothing. A lost path has `graceLimit` for an ICE restart
/// (an offer in the same session); then the session ends with 740002.
struct ViewerSessionState: Sendable {
  enum Phase: Sendable, Equatable {
    /// No offer yet; early candidates are kept.
    case fresh
    /// The peer connection is working on an offer; what follows is said below.
    case answering(Standing)
    case standing(Standing)
    case ended
  }

  /// How the path to the viewer is.
  enum Standing: Sendable, Equatable {
    /// Never up yet.
    case connecting
    case connected
    /// Was up and is lost; the grace runs.
    case lost
  }

  enum Event: Sendable, Equatable {
    case offer(SessionDescription)
    case candidate(CandidateDescription)
    case answered(sdp: String)
    case answerFailed(ErrorCode)
    case localCandidate(CandidateDescription)
    case connected
    case interrupted
    /// `isPath`: ICE found or kept no path, which a restart may mend.
    case failed(ErrorCode, isPath: Bool)
    case closedByPeer
    case timer(Int)
    case endedByViewer
    /// The agent ends it: 0 when it stops.
    case end(Int)
  }

  enum Action: Sendable, Equatable {
    case answer(sdp: String, isFirst: Bool)
    case addCandidate(CandidateDescription)
    case sendAnswer(sdp: String)
    case sendCandidate(CandidateDescription)
    case sendStatus(Int)
    case sendEnd(Int)
    /// Replaces the timer that was running.
    case startTimer(Int, Duration)
    case stopTimer
    /// Give back everything; the last action of a session.
    case release
  }

  /// From the first candidate to the offer.
  static let offerLimit = Duration.seconds(10)
  /// From the answer to the first connection.
  static let connectLimit = Duration.seconds(30)
  /// From the loss of the path to its return.
  static let graceLimit = Duration.seconds(30)
  /// Bytes of a description.
  static let descriptionLimit = 64 * 1024
  /// Candidates kept before the offer.
  static let earlyCandidateLimit = 64
  /// Candidates taken for one offer.
  static let candidateLimit = 256
  /// Bytes of one candidate.
  static let candidateSizeLimit = 1024
  /// Offers in one session, restarts included.
  static let offerCountLimit = 1000

  private(set) var phase = Phase.fresh
  private var timer = 0
  private var offers = 0
  private var candidates = 0
  private var early: [CandidateDescription] = []
  private var outgoing: [CandidateDescription] = []

  mutating func handle(_ event: Event) -> [Action] {
    if phase == .ended { return [] }
    switch event {
    case .offer(let description): return take(description)
    case .candidate(let candidate): return take(candidate)
    case .answered(let sdp): return send(answer: sdp)
    case .answerFailed(let code): return refuse(code)
    case .localCandidate(let candidate): return send(candidate)
    case .connected: return connected()
    case .interrupted: return lose()
    case .failed(let code, let isPath): return fail(code, isPath: isPath)
    case .timer(let number): return number == timer ? timeout() : []
    case .closedByPeer, .endedByViewer: return finish([])
    case .end(let code): return finish([.sendEnd(code)])
    }
  }

  private var standing: Standing? {
    switch phase {
    case .answering(let standing), .standing(let standing): standing
    case .fresh, .ended: nil
    }
  }

  private mutating func take(_ description: SessionDescription) -> [Action] {
    let isFirst = phase == .fresh
    guard description.type == "offer", description.sdp.utf8.count <= Self.descriptionLimit else {
      return refuseOffer(.descriptionMalformed, isFirst: isFirst)
    }
    // A second offer while one is worked on breaks the order of offer and answer.
    if case .answering = phase { return [.sendStatus(ErrorCode.descriptionMalformed.rawValue)] }
    guard offers < Self.offerCountLimit else { return refuseOffer(.callLimit, isFirst: isFirst) }
    offers += 1
    candidates = early.count
    phase = .answering(standing ?? .connecting)
    return [.answer(sdp: description.sdp, isFirst: isFirst)]
  }

  private mutating func refuseOffer(_ code: ErrorCode, isFirst: Bool) -> [Action] {
    isFirst ? finish([.sendStatus(code.rawValue)]) : [.sendStatus(code.rawValue)]
  }

  private mutating func take(_ candidate: CandidateDescription) -> [Action] {
    guard candidate.candidate.utf8.count <= Self.candidateSizeLimit,
      (candidate.sdpMid?.utf8.count ?? 0) <= Self.candidateSizeLimit
    else { return [] }
    switch phase {
    case .fresh, .answering:
      guard early.count < Self.earlyCandidateLimit else { return [] }
      early.append(candidate)
      return phase == .fresh && early.count == 1 ? [startTimer(Self.offerLimit)] : []
    case .standing:
      guard candidates < Self.candidateLimit else { return [] }
      candidates += 1
      return [.addCandidate(candidate)]
    case .ended:
      return []
    }
  }

  private mutating func send(answer sdp: String) -> [Action] {
    guard case .answering(let standing) = phase else { return [] }
    phase = .standing(standing)
    var actions: [Action] = [.sendAnswer(sdp: sdp)]
    actions += outgoing.map { .sendCandidate($0) }
    actions += early.map { .addCandidate($0) }
    outgoing = []
    early = []
    switch standing {
    case .connecting: actions.append(startTimer(Self.connectLimit))
    case .lost: actions.append(startTimer(Self.graceLimit))
    case .connected: break
    }
    return actions
  }

  private mutating func refuse(_ code: ErrorCode) -> [Action] {
    guard case .answering(let standing) = phase else { return [] }
    early = []
    outgoing = []
    if offers == 1 { return finish([.sendStatus(code.rawValue)]) }
    phase = .standing(standing)
    return [.sendStatus(code.rawValue)]
  }

  private mutating func send(_ candidate: CandidateDescription) -> [Action] {
    switch phase {
    case .answering:
      outgoing.append(candidate)
      return []
    case .standing: return [.sendCandidate(candidate)]
    case .fresh, .ended: return []
    }
  }

  private mutating func connected() -> [Action] {
    guard let standing, standing != .connected else { return [] }
    set(.connected)
    return [stopTimer()]
  }

  private mutating func lose() -> [Action] {
    guard standing == .connected else { return [] }
    set(.lost)
    return [startTimer(Self.graceLimit)]
  }

  private mutating func fail(_ code: ErrorCode, isPath: Bool) -> [Action] {
    guard let standing else { return [] }
    guard isPath else { return finish([.sendEnd(code.rawValue)]) }
    switch standing {
    case .connecting: return finish([.sendEnd(code.rawValue)])
    case .connected: return lose()
    case .lost: return []
    }
  }

  private mutating func timeout() -> [Action] {
    switch standing {
    case nil: finish([])
    case .connecting: finish([.sendEnd(ErrorCode.connectionFailed.rawValue)])
    case .lost: finish([.sendEnd(ErrorCode.connectionLost.rawValue)])
    case .connected: []
    }
  }

  private mutating func finish(_ actions: [Action]) -> [Action] {
    phase = .ended
    early = []
    outgoing = []
    return actions + [stopTimer(), .release]
  }

  private mutating func set(_ standing: Standing) {
    if case .answering = phase { phase = .answering(standing) } else { phase = .standing(standing) }
  }

  private mutating func startTimer(_ duration: Duration) -> Action {
    timer += 1
    return .startTimer(timer, duration)
  }

  private mutating func stopTimer() -> Action {
    timer += 1
    return .stopTimer
  }
}
