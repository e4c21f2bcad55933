/// A WebRTC connection to one peer: one path, bundled media sections, one set of data channels.
///
/// Confined to `RTCActor`: its callbacks come on the loop and are called synchronously. Offers and answers
/// go either way (RFC 9429); carrying them to the peer is the caller's part.
@RTCActor
public final class PeerConnection {
  public private(set) var state = PeerState.new
  /// The media sections, in the order of their mids.
  public internal(set) var transceivers: [Transceiver] = []

  public var onStateChange: ((PeerState) -> Void)?
  /// A candidate found after the description was made: its line ("" at the end), mid and section index.
  public var onLocalCandidate: ((String, String?, Int) -> Void)?
  /// A channel that the peer opened.
  public var onDataChannel: ((DataChannel) -> Void)?

  enum Signalling { case stable, haveLocalOffer, haveRemoteOffer }

  let transport: PeerTransport
  let media: MediaSession
  var association: SCTPAssociation?
  var sections: [PeerSection] = []
  var signalling = Signalling.stable
  var remoteOffer: SessionDescription?
  /// Both sides have a section for data channels.
  var isDataAgreed = false
  private var hasStartedAssociation = false
  let canonicalName = String(UInt64.random(in: .min ... .max), radix: 36)
  var origin = SessionDescription.Origin(session: UInt64.random(in: 1...UInt64(Int64.max)), version: 0)

  /// - Throws: `RTCFailure.system` when there is no certificate to be had.
  public init(_ configuration: PeerConfiguration = PeerConfiguration()) throws(RTCFailure) {
    transport = try PeerTransport(configuration)
    media = MediaSession(path: transport.path)
    let media = media
    transport.onMedia = { media.receive($0) }
    transport.onKeys = { [weak self] in self?.keysAgreed($0) }
    transport.onData = { [weak self] in self?.association?.receive($0) }
    transport.onState = { [weak self] in self?.transportChanged($0) }
    transport.onLocalCandidate = { [weak self] line in
      guard let self else { return }
      let index = self.sections.firstIndex { !$0.isRefused } ?? 0
      let mid = self.sections.isEmpty ? nil : self.sections[index].mid
      self.onLocalCandidate?(line, mid, index)
    }
  }

  isolated deinit { close() }

  /// Adds a media section to the next offer, or to take the first section of its kind in the next
  /// accepted offer.
  /// - Parameter codecs: The preferred one first; empty: all that this library carries.
  @discardableResult
  public func addTransceiver(
    _ kind: MediaKind, direction: MediaDirection, codecs: [RTPCodec] = []
  ) -> Transceiver {
    let transceiver = Transceiver(
      kind: kind, direction: direction, codecs: codecs.isEmpty ? Transceiver.defaultCodecs(kind) : codecs)
    transceivers.append(transceiver)
    return transceiver
  }

  /// Opens a channel; before the connection is up it is opened then. The first channel of a connection
  /// must be opened before the offer is made.
  public func openDataChannel(label: String, ordered: Bool = true) -> DataChannel {
    needAssociation().openChannel(label: label, ordered: ordered)
  }

  /// Adds a candidate of the peer; it may come before the peer's description and is then kept.
  /// Names (mDNS) and transports that are not supported are tolerated.
  /// - Parameter candidate: `candidate:…`; "" says that there are no more.
  /// - Throws: `RTCFailure.malformedCandidate`.
  public func addRemoteCandidate(_ candidate: String, mid: String?, mLine: Int?) throws(RTCFailure) {
    guard state != .closed else { return }
    let line = candidate.hasPrefix("a=") ? String(candidate.dropFirst(2)) : candidate
    if line.isEmpty || line.hasPrefix("end-of-candidates") {
      transport.endRemoteCandidates()
      return
    }
    let parsed = try ICECandidate(parsing: line)
    let fields = line.split(separator: " ")
    let fragment = fields.firstIndex(of: "ufrag").flatMap {
      fields.indices.contains($0 + 1) ? fields[$0 + 1] : nil
    }
    transport.addRemoteCandidate(parsed, fragment: fragment.map(String.init))
  }

  public func statistics() -> PeerStatistics {
    var result = PeerStatistics()
    result.state = state
    let pair = transport.path.current?.selectedPair
    result.localPath = pair.map { PeerStatistics.PathKind($0.local) }
    result.remotePath = pair.map { PeerStatistics.PathKind($0.remote) }
    result.protection = transport.dtls?.keys?.profile
    result.datagramsSent = transport.path.datagramsSent
    result.bytesSent = transport.path.bytesSent
    result.datagramsReceived = transport.datagramsReceived
    result.bytesReceived = transport.bytesReceived
    result.restarts = transport.restarts
    return result
  }

  /// Ends the connection and releases what it holds. No callback comes after.
  public func close() {
    guard state != .closed else { return }
    state = .closed
    onStateChange = nil
    onLocalCandidate = nil
    onDataChannel = nil
    // In this order: BYE and SCTP's abort still have a path.
    association?.close()
    association = nil
    media.close()
    transport.close()
  }

  // MARK: Inside

  func needAssociation() -> SCTPAssociation {
    if let association { return association }
    let new = SCTPAssociation { [weak transport] in transport?.sendData($0) }
    new.onDataChannel = { [weak self] in self?.onDataChannel?($0) }
    association = new
    return new
  }

  func startAssociationIfReady() {
    guard isDataAgreed, !hasStartedAssociation, let dtls = transport.dtls, dtls.state == .connected
    else { return }
    hasStartedAssociation = true
    do {
      try needAssociation().start(isClient: dtls.role == .client)
    } catch {
      change(to: .failed(.system))
    }
  }

  private func keysAgreed(_ keys: SRTPKeyingMaterial) {
    do {
      try media.setKeys(keys)
    } catch {
      change(to: .failed(.system))
      return
    }
    startAssociationIfReady()
  }

  private func transportChanged(_ new: PeerTransport.State) {
    switch new {
    case .new, .closed: break
    case .connecting: change(to: .connecting)
    case .connected:
      HeapTrim.soon()
      change(to: .connected)
    case .interrupted: change(to: .interrupted)
    case .failed(let failure): change(to: .failed(failure))
    }
  }

  private func change(to new: PeerState) {
    guard state != new, state != .closed else { return }
    if case .failed = state { return }
    state = new
    onStateChange?(new)
  }
}
