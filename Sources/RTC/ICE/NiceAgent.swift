import CNice
import CRTCShims

#if canImport(Glibc)
  import Glibc
#endif

/// ICE by libnice. The only file that knows it.
@RTCActor
final class NiceAgent: ICEAgent {
  /// Host addresses offered; each costs a socket.
  static let maximumAddresses = 8
  /// Candidates taken from a peer; each is paired with every local one.
  static let maximumRemoteCandidates = 64
  private static let maximumServers = 8

  let localCredentials: ICECredentials
  private(set) var localCandidates: [String] = []
  private(set) var hasGathered = false
  private(set) var state = ICEState.new
  private(set) var selectedPair: ICESelectedPair?
  var onCandidate: ((String) -> Void)?
  var onGathered: (() -> Void)?
  var onState: ((ICEState) -> Void)?
  var onSelectedPair: (() -> Void)?
  var onDatagram: ((UnsafeRawBufferPointer) -> Void)?

  private var ice: OpaquePointer?
  private var isDirect = false
  private var canSegment = true
  private let relayOnly: Bool
  private var remoteCandidates = 0
  private var hasRemoteEnd = false
  private var hasGivenUp = false

  init(_ configuration: PeerConfiguration, isControlling: Bool) throws(RTCFailure) {
    relayOnly = configuration.relayOnly
    let link = OwnerLink()
    var events = Self.events
    events.owner = Unmanaged.passUnretained(link).toOpaque()
    guard
      let nest = RTCActor.shared.loop.nest,
      let ice = oriel_ice_new(nest, isControlling, configuration.relayOnly, &events)
    else { throw .system }
    let room = 257
    var fragment = [CChar](repeating: 0, count: room)
    var password = fragment
    guard oriel_ice_local_credentials(ice, &fragment, &password, room) else {
      oriel_ice_free(ice)
      throw .system
    }
    localCredentials = ICECredentials(fragment: Self.text(fragment), password: Self.text(password))
    self.link = link
    self.ice = ice
    link.agent = self
    let loopback: Int32 =
      switch configuration.includeLoopback {
      case true?: 1
      case false?: 0
      case nil: Self.hasLoopbackServer(configuration.iceServers) ? 1 : 2
      }
    if oriel_ice_add_addresses(ice, loopback, Int32(Self.maximumAddresses)) == 0 {
      close()
      throw .noPath
    }
    addServers(configuration.iceServers)
  }

  private let link: OwnerLink

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// A relay on this machine cannot be reached from an outward address.
  private static func hasLoopbackServer(_ servers: [ICEServer]) -> Bool {
    servers.contains { $0.urls.contains { ICEServerAddress($0)?.isLoopback ?? false } }
  }

  private func addServers(_ servers: [ICEServer]) {
    var hasSTUN = false
    let addresses = servers.flatMap { server in server.urls.map { (server, $0) } }
    for (server, url) in addresses.prefix(Self.maximumServers) {
      guard let address = ICEServerAddress(url) else { continue }
      if address.scheme == .stun {
        // libnice knows one STUN server; TURN servers answer as well.
        if !hasSTUN { oriel_ice_set_stun(ice, address.host, address.port) }
        hasSTUN = true
      } else if address.scheme != .turnTLS {
        // libnice's TURN over TLS is an old imitation of TLS and not the real one: left out.
        _ = oriel_ice_add_turn(
          ice, address.host, address.port, server.username, server.credential,
          address.scheme == .turnTCP)
      }
    }
  }

  func gather() {
    guard let ice else { return }
    if !oriel_ice_gather(ice) { change(to: .failed) }
  }

  func setControlling(_ isControlling: Bool) {
    if let ice { oriel_ice_set_controlling(ice, isControlling) }
  }

  func setRemoteCredentials(_ credentials: ICECredentials) {
    guard let ice else { return }
    _ = oriel_ice_set_remote_credentials(ice, credentials.fragment, credentials.password)
    if state == .new { change(to: .checking) }
  }

  func addRemoteCandidate(_ candidate: ICECandidate) {
    guard let ice, candidate.component == 1, candidate.transport == .udp, candidate.hasNumericAddress,
      candidate.port > 0, remoteCandidates < Self.maximumRemoteCandidates
    else { return }
    remoteCandidates += 1
    candidate.foundation.withCString { foundation in
      candidate.address.withCString { address in
        var value = OrielICECandidate()
        value.type = candidate.kind.niceValue
        value.priority = candidate.priority
        value.foundation = foundation
        value.address = address
        value.port = candidate.port
        _ = oriel_ice_add_candidate(ice, &value)
      }
    }
  }

  func endRemoteCandidates() {
    hasRemoteEnd = true
    if let ice { oriel_ice_end_candidates(ice) }
    considerFailure()
  }

  func send(_ bytes: UnsafeRawBufferPointer, segmentSize: Int) {
    guard let ice, selectedPair != nil, let start = bytes.baseAddress, segmentSize > 0 else { return }
    let isOne = segmentSize >= bytes.count
    if isDirect, isOne || canSegment {
      let error = oriel_ice_send_segments(ice, start, bytes.count, segmentSize)
      guard !isOne, error == EIO || error == EINVAL || error == EMSGSIZE else { return }
      canSegment = false
    }
    var offset = 0
    while offset < bytes.count {
      let length = min(segmentSize, bytes.count - offset)
      oriel_ice_send(ice, start + offset, length)
      offset += length
    }
  }

  func close() {
    onCandidate = nil
    onGathered = nil
    onState = nil
    onSelectedPair = nil
    onDatagram = nil
    selectedPair = nil
    link.agent = nil
    if let ice { oriel_ice_free(ice) }
    ice = nil
  }

  isolated deinit { close() }

  // MARK: What libnice reports

  fileprivate func gathered(candidate line: String) {
    if relayOnly, !line.contains(" typ relay") { return }
    localCandidates.append(line)
    onCandidate?(line)
  }

  fileprivate func finishedGathering() {
    hasGathered = true
    onGathered?()
    considerFailure()
  }

  fileprivate func changed(niceState: UInt32) {
    hasGivenUp = false
    switch NiceComponentState(niceState) {
    case NICE_COMPONENT_STATE_CONNECTED, NICE_COMPONENT_STATE_READY: change(to: .connected)
    case NICE_COMPONENT_STATE_FAILED:
      hasGivenUp = true
      considerFailure()
    case NICE_COMPONENT_STATE_CONNECTING: if state == .new { change(to: .checking) }
    default: break
    }
  }

  /// Before the peer has said that it has no more candidates, libnice's giving up is too early; without
  /// a candidate of its own, on the other hand, it never gives up.
  private func considerFailure() {
    let isAlone = hasGathered && localCandidates.isEmpty
    if isAlone || (hasGivenUp && (state == .connected || (hasRemoteEnd && hasGathered))) {
      change(to: .failed)
    }
  }

  private func change(to new: ICEState) {
    guard new != state else { return }
    state = new
    onState?(new)
  }

  fileprivate func selectedPairChanged() {
    var (local, remote, isDirect) = (UInt32(0), UInt32(0), false)
    // libnice may report the next change, and somebody close this, from within the call.
    guard let ice, oriel_ice_take_selected(ice, &local, &remote, &isDirect), self.ice != nil else { return }
    self.isDirect = isDirect
    canSegment = true
    selectedPair = ICESelectedPair(
      local: ICECandidate.Kind(niceValue: local), remote: ICECandidate.Kind(niceValue: remote))
    onSelectedPair?()
  }

  fileprivate func received(_ bytes: UnsafeRawBufferPointer) { onDatagram?(bytes) }

  // MARK: The C edge

  /// What C points to. A link, since the callbacks may be under way while the agent goes.
  @RTCActor
  fileprivate final class OwnerLink {
    weak var agent: NiceAgent?
    nonisolated init() {}

    /// `owner` is alive: the agent holds its link until libnice has let go of it.
    nonisolated static func call(
      _ owner: UnsafeMutableRawPointer?, _ body: @RTCActor (NiceAgent) -> Void
    ) {
      guard let owner else { return }
      let link = Unmanaged<OwnerLink>.fromOpaque(owner).takeUnretainedValue()
      RTCActor.assumeIsolated {
        if let agent = link.agent { body(agent) }
      }
    }
  }

  /// Static and nonisolated: literals written in an isolated function would inherit the isolation.
  private nonisolated static var events: OrielICEEvents {
    OrielICEEvents(
      owner: nil,
      candidate: { owner, line in
        guard let line else { return }
        let text = String(cString: line)
        OwnerLink.call(owner) { $0.gathered(candidate: text) }
      },
      gathered: { owner in OwnerLink.call(owner) { $0.finishedGathering() } },
      state: { owner, state in OwnerLink.call(owner) { $0.changed(niceState: state) } },
      selected: { owner in OwnerLink.call(owner) { $0.selectedPairChanged() } },
      received: { owner, bytes, length in
        // Used during this call only, on this thread.
        nonisolated(unsafe) let datagram = UnsafeRawBufferPointer(start: bytes, count: length)
        OwnerLink.call(owner) { $0.received(datagram) }
      })
  }
}

extension ICECandidate.Kind {
  fileprivate var niceValue: UInt32 {
    switch self {
    case .host: NICE_CANDIDATE_TYPE_HOST.rawValue
    case .serverReflexive: NICE_CANDIDATE_TYPE_SERVER_REFLEXIVE.rawValue
    case .peerReflexive: NICE_CANDIDATE_TYPE_PEER_REFLEXIVE.rawValue
    case .relayed: NICE_CANDIDATE_TYPE_RELAYED.rawValue
    }
  }

  fileprivate init(niceValue: UInt32) {
    self =
      switch NiceCandidateType(niceValue) {
      case NICE_CANDIDATE_TYPE_RELAYED: .relayed
      case NICE_CANDIDATE_TYPE_SERVER_REFLEXIVE: .serverReflexive
      case NICE_CANDIDATE_TYPE_PEER_REFLEXIVE: .peerReflexive
      default: .host
      }
  }
}
