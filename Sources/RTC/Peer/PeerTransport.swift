/// ICE and DTLS of one connection, and the sorting of what arrives (RFC 7983).
@RTCActor
final class PeerTransport {
  enum State: Sendable, Equatable {
    case new, connecting, connected, interrupted
    case failed(RTCFailure)
    case closed
  }

  /// What a peer's description says about its transport.
  struct Remote {
    var credentials: ICECredentials
    var fingerprints: [DTLSFingerprint]
    var isLite: Bool
  }

  /// From both descriptions to the end of the DTLS handshake.
  static let connectDeadline = Duration.seconds(30)
  /// From the loss of the path to giving it up.
  static let recoveryDeadline = Duration.seconds(30)
  private static let maximumEarlyCandidates = 64
  private static let maximumEarlyDatagrams = 16

  let path = PeerPath()
  private(set) var state = State.new
  private(set) var dtls: DTLSTransport?
  private(set) var datagramsReceived: UInt64 = 0
  private(set) var bytesReceived: UInt64 = 0
  private(set) var restarts = 0

  var onState: ((State) -> Void)?
  /// A candidate line found after the description was made; "" is the end.
  var onLocalCandidate: ((String) -> Void)?
  var onKeys: ((SRTPKeyingMaterial) -> Void)?
  /// SRTP or SRTCP; valid during the call.
  var onMedia: ((UnsafeRawBufferPointer) -> Void)?
  /// SCTP; valid during the call.
  var onData: ((UnsafeRawBufferPointer) -> Void)?

  private let configuration: PeerConfiguration
  private let certificate: DTLSCertificate
  /// The session that the newest descriptions name; it carries once it has a pair.
  private var agent: (any ICEAgent)?
  private var remote: Remote?
  private var earlyCandidates: [(candidate: ICECandidate, fragment: String?)] = []
  private var hasEarlyEnd = false
  private var earlyDatagrams: [[UInt8]] = []
  private var deadline: LoopTimer?
  private var announcement: LoopTimer?

  init(_ configuration: PeerConfiguration) throws(RTCFailure) {
    self.configuration = configuration
    certificate = try DTLSCertificate.shared()
  }

  var fingerprint: DTLSFingerprint { certificate.fingerprint }
  var remoteCredentials: ICECredentials? { remote?.credentials }

  // MARK: Local side

  /// Makes sure that there is an ICE session to describe; with `isRestart` a new one.
  func prepare(isOfferer: Bool, isRestart: Bool) throws(RTCFailure) {
    guard agent == nil || isRestart else { return }
    let new = try NiceAgent(configuration, isControlling: isOfferer)
    if let agent, agent !== path.current { agent.close() }
    agent = new
    remote?.credentials = ICECredentials(fragment: "", password: "")
    watch(new)
    new.gather()
    new.onCandidate = { [weak self] in self?.onLocalCandidate?($0) }
    let announceEnd: @RTCActor () -> Void = { [weak self] in self?.onLocalCandidate?("") }
    new.onGathered = announceEnd
    // Nobody may hear of the end before having the description.
    if new.hasGathered { announcement = RTCActor.schedule(after: .zero, announceEnd) }
  }

  /// Fills in what the local description says of the transport, with the candidates found so far.
  var localDescription: (transport: TransportDescription, candidates: [String], isComplete: Bool) {
    guard let agent else { return (TransportDescription(), [], false) }
    let transport = TransportDescription(
      fragment: agent.localCredentials.fragment, password: agent.localCredentials.password,
      fingerprints: [certificate.fingerprint])
    return (transport, agent.localCandidates, agent.hasGathered)
  }

  // MARK: Remote side

  /// Both descriptions are known: checks and, over the first pair, the handshake begin.
  func connect(to remote: Remote, role: DTLSRole) throws(RTCFailure) {
    guard let agent else { throw .unexpectedDescription }
    if dtls != nil, let known = self.remote, Set(known.fingerprints) != Set(remote.fingerprints) {
      throw .unacceptableDescription
    }
    let isNewSession = self.remote?.credentials != remote.credentials
    self.remote = remote
    if isNewSession {
      if remote.isLite { agent.setControlling(true) }
      agent.setRemoteCredentials(remote.credentials)
      deliverEarlyCandidates()
    }
    if dtls == nil {
      try beginDTLS(role: role, fingerprints: remote.fingerprints)
      armDeadline(Self.connectDeadline)
    }
    update()
  }

  /// A remote candidate; those of a session that is not described yet are kept.
  func addRemoteCandidate(_ candidate: ICECandidate, fragment: String?) {
    if let agent, let expected = remote?.credentials.fragment, !expected.isEmpty,
      fragment == nil || fragment == expected
    {
      agent.addRemoteCandidate(candidate)
    } else if earlyCandidates.count < Self.maximumEarlyCandidates {
      earlyCandidates.append((candidate, fragment))
    }
  }

  func endRemoteCandidates() {
    if let agent, let remote, !remote.credentials.fragment.isEmpty {
      agent.endRemoteCandidates()
    } else {
      hasEarlyEnd = true
    }
  }

  func sendData(_ packet: UnsafeRawBufferPointer) { dtls?.send(packet) }

  /// Ends everything; no callback comes after.
  func close() {
    guard state != .closed else { return }
    state = .closed
    onState = nil
    onLocalCandidate = nil
    onKeys = nil
    onMedia = nil
    onData = nil
    deadline?.cancel()
    deadline = nil
    announcement?.cancel()
    announcement = nil
    dtls?.close()
    dtls = nil
    if let agent, agent !== path.current { agent.close() }
    path.close()
    agent = nil
    earlyCandidates = []
    earlyDatagrams = []
  }

  // MARK: Inside

  private func watch(_ agent: any ICEAgent) {
    agent.onDatagram = { [weak self] in self?.received($0) }
    agent.onState = { [weak self] _ in self?.update() }
    agent.onSelectedPair = { [weak self, weak agent] in
      guard let self, let agent else { return }
      self.pairSelected(by: agent)
    }
  }

  private func pairSelected(by agent: any ICEAgent) {
    if let before = path.carry(over: agent) {
      before.close()
      restarts += 1
    }
    if let dtls, dtls.role == .client { dtls.start() }
    update()
  }

  private func deliverEarlyCandidates() {
    let early = earlyCandidates
    earlyCandidates = []
    for (candidate, fragment) in early { addRemoteCandidate(candidate, fragment: fragment) }
    if hasEarlyEnd { agent?.endRemoteCandidates() }
    hasEarlyEnd = false
  }

  private func received(_ datagram: UnsafeRawBufferPointer) {
    datagramsReceived &+= 1
    bytesReceived &+= UInt64(datagram.count)
    guard let first = datagram.first else { return }
    switch first {
    case 128...191: onMedia?(datagram)
    case 20...63:
      if let dtls {
        dtls.receive(datagram)
      } else if earlyDatagrams.count < Self.maximumEarlyDatagrams {
        earlyDatagrams.append(Array(datagram))
      }
    default: break
    }
  }

  private func beginDTLS(role: DTLSRole, fingerprints: [DTLSFingerprint]) throws(RTCFailure) {
    let dtls = try DTLSTransport(role: role, certificate: certificate, fingerprints: fingerprints) {
      [weak path] in path?.sendOrKeep($0)
    }
    self.dtls = dtls
    dtls.onConnected = { [weak self] keys in
      self?.onKeys?(keys)
      self?.update()
    }
    dtls.onFailure = { [weak self] in self?.fail($0) }
    dtls.onApplicationData = { [weak self] in self?.onData?($0) }
    // The client's hello waits for a pair, so that its repetition does not begin with a delay.
    if role == .server || path.isWritable { dtls.start() }
    let early = earlyDatagrams
    earlyDatagrams = []
    for datagram in early { datagram.withUnsafeBytes { dtls.receive($0) } }
  }

  private func update() {
    switch state {
    case .failed, .closed: return
    default: break
    }
    let isSecure = dtls?.state == .connected
    let carrier = path.current?.state
    if isSecure, carrier == .connected {
      deadline?.cancel()
      change(to: .connected)
    } else if state == .connected || state == .interrupted {
      if carrier == .failed, state == .connected {
        armDeadline(Self.recoveryDeadline)
        change(to: .interrupted)
      }
    } else if agent?.state == .failed {
      fail(.noPath)
    } else if remote != nil {
      change(to: .connecting)
    }
  }

  private func armDeadline(_ duration: Duration) {
    let timer =
      deadline
      ?? LoopTimer { [weak self] in
        guard let self else { return }
        let isFirst = self.dtls?.state != .connected
        self.fail(!isFirst ? .pathLost : self.path.isWritable ? .handshakeTimeout : .noPath)
      }
    deadline = timer
    timer.arm(after: duration)
  }

  private func fail(_ failure: RTCFailure) {
    switch state {
    case .failed, .closed: return
    default: break
    }
    deadline?.cancel()
    change(to: .failed(failure))
  }

  private func change(to new: State) {
    guard new != state else { return }
    state = new
    onState?(new)
  }
}
