extension PeerConnection {
  /// Takes the peer's offer. Its sections become transceivers, in mid order; directions and codecs may be
  /// set on them before `createAnswer`.
  /// - Throws: `RTCFailure.malformedDescription`, `.unexpectedDescription` while an own offer is under way,
  ///   `.unacceptableDescription` without credentials, fingerprint or a section that can be taken.
  public func acceptOffer(_ sdp: String) throws(RTCFailure) {
    guard state != .closed else { throw .notOpen }
    guard signalling != .haveLocalOffer else { throw .unexpectedDescription }
    let offer = try SessionDescription(parsing: sdp)
    guard offer.media.count >= sections.count else { throw .unexpectedDescription }
    guard let carrier = offer.carrier else { throw .unacceptableDescription }
    _ = try offer.remote(at: carrier)
    let bundled = offer.sectionsThatShare(carrier)
    for (index, section) in offer.media.enumerated() {
      place(section, at: index, isUsable: bundled.contains(index) && !section.isRefused)
    }
    let order = sections.compactMap { section -> Transceiver? in
      if case .media(let transceiver) = section.content { transceiver } else { nil }
    }
    transceivers = order + transceivers.filter { other in !order.contains { $0 === other } }
    remoteOffer = offer
    signalling = .haveRemoteOffer
  }

  /// Answers the offer taken last; offered `actpass` this side is passive, since the DTLS server's choice
  /// of the protection profile wins and AES-GCM costs half.
  /// - Throws: `RTCFailure.unexpectedDescription` without an offer, `.noPath`, `.system`.
  public func createAnswer() throws(RTCFailure) -> String {
    guard state != .closed else { throw .notOpen }
    guard signalling == .haveRemoteOffer, let offer = remoteOffer, let carrier = offer.carrier else {
      throw .unexpectedDescription
    }
    let remote = try offer.remote(at: carrier)
    let known = transport.remoteCredentials
    try transport.prepare(isOfferer: false, isRestart: known != nil && known != remote.credentials)
    let role = transport.dtls?.role ?? (offer.setup(at: carrier) == .passive ? .client : .server)
    for (index, section) in offer.media.enumerated() {
      if case .media(let transceiver) = sections[index].content { agree(transceiver, offer: section) }
    }
    let answer = describe(setup: role == .client ? .active : .passive) { index in
      answerSection(to: offer.media[index], at: index)
    }
    try transport.connect(to: remote, role: role)
    signalling = .stable
    remoteOffer = nil
    for index in sections.indices {
      switch sections[index].content {
      case .media(let transceiver): bind(transceiver)
      case .application: isDataAgreed = true
      case .refused: break
      }
    }
    addCandidates(of: offer)
    startAssociationIfReady()
    return answer
  }

  private func place(_ section: MediaDescription, at index: Int, isUsable: Bool) {
    if index == sections.count { sections.append(PeerSection(content: .refused)) }
    let before = sections[index]
    sections[index].remote = section
    sections[index].mid = section.mid
    switch section.content {
    case .media(let kind) where isUsable:
      if case .media(let transceiver) = before.content, transceiver.kind == kind, before.mid == section.mid {
        return
      }
      let waiting = transceivers.first { $0.mid == nil && $0.kind == kind }
      let transceiver = waiting ?? addTransceiver(kind, direction: .sendReceive)
      transceiver.mid = section.mid ?? String(index)
      sections[index].content = .media(transceiver)
    case .application where isUsable:
      sections[index].content = .application
    default:
      if case .media(let transceiver) = before.content { stop(transceiver) }
      sections[index].content = .refused
    }
  }

  private func stop(_ transceiver: Transceiver) {
    transceiver.agreedDirection = .inactive
    bind(transceiver)
  }

  private func agree(_ transceiver: Transceiver, offer: MediaDescription) {
    let peer = offer.direction.reversed
    let direction = MediaDirection(
      sends: peer.sends && transceiver.direction.sends,
      receives: peer.receives && transceiver.direction.receives)
    transceiver.agreedCodecs = CodecNegotiation.answer(
      offered: offer.codecs, supported: transceiver.codecs, onlySends: !direction.receives)
    transceiver.agreedDirection = transceiver.agreedCodecs.isEmpty ? .inactive : direction
    transceiver.take(offer)
  }

  private func answerSection(to offer: MediaDescription, at index: Int) -> MediaDescription? {
    switch sections[index].content {
    case .refused: return nil
    case .application:
      var section = MediaDescription.dataChannels(proto: offer.proto)
      if offer.formats.first != "webrtc-datachannel" { section.formats = offer.formats }
      return section
    case .media(let transceiver):
      guard !transceiver.agreedCodecs.isEmpty else { return nil }
      var section = MediaDescription(content: .media(transceiver.kind), proto: offer.proto)
      section.direction = transceiver.agreedDirection ?? .inactive
      section.codecs = transceiver.agreedCodecs
      let known = [
        HeaderExtensionURI.mid, HeaderExtensionURI.absoluteSendTime,
        HeaderExtensionURI.transportWideSequence,
      ]
      section.extensions = offer.extensions.filter { known.contains($0.uri) }
      describe(transceiver, in: &section)
      return section
    }
  }
}

extension SessionDescription {
  /// The index of the section whose transport carries all (the first of the bundle that is not refused).
  var carrier: Int? {
    media.firstIndex { section in
      guard !section.isRefused else { return false }
      switch section.content {
      case .other: return false
      default: return bundle == nil || section.mid.map { bundle?.contains($0) ?? false } ?? true
      }
    }
  }

  /// The sections that go over the carrier's transport; others would need one of their own.
  func sectionsThatShare(_ carrier: Int) -> Set<Int> {
    guard let bundle, let mid = media[carrier].mid, bundle.contains(mid) else { return [carrier] }
    return Set(media.indices.filter { media[$0].mid.map(bundle.contains) ?? false })
  }

  /// - Throws: `RTCFailure.unacceptableDescription` without valid credentials or a strong fingerprint.
  func remote(at index: Int) throws(RTCFailure) -> PeerTransport.Remote {
    let section = media[index].transport
    let credentials = ICECredentials(
      fragment: section.fragment ?? transport.fragment ?? "",
      password: section.password ?? transport.password ?? "")
    let fingerprints = section.fingerprints.isEmpty ? transport.fingerprints : section.fingerprints
    guard credentials.isValid, !fingerprints.isEmpty else { throw .unacceptableDescription }
    return PeerTransport.Remote(credentials: credentials, fingerprints: fingerprints, isLite: isLite)
  }

  func setup(at index: Int) -> SetupRole? { media[index].transport.setup ?? transport.setup }
}
