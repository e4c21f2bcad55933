extension PeerConnection {
  /// Describes what this side wants. Gathering starts; candidates found later come by `onLocalCandidate`.
  /// - Parameter iceRestart: Look for a path anew, as after a loss; media goes on over the old one until
  ///   there is a new one.
  /// - Throws: `RTCFailure.unexpectedDescription` when an offer of the peer waits for its answer,
  ///   `.notOpen` after the end, `.noPath` when the machine has no address.
  public func createOffer(iceRestart: Bool = false) throws(RTCFailure) -> String {
    guard state != .closed else { throw .notOpen }
    guard signalling != .haveRemoteOffer else { throw .unexpectedDescription }
    try transport.prepare(isOfferer: true, isRestart: iceRestart)
    placeNewSections()
    assignPayloadTypes()
    signalling = .haveLocalOffer
    return describe(setup: .either, media: offerSection)
  }

  /// Takes the peer's answer to the offer made last.
  /// - Throws: `RTCFailure.malformedDescription`, `.unexpectedDescription` without an offer,
  ///   `.unacceptableDescription` when nothing is in common.
  public func acceptAnswer(_ sdp: String) throws(RTCFailure) {
    guard signalling == .haveLocalOffer else { throw .unexpectedDescription }
    let answer = try SessionDescription(parsing: sdp)
    guard answer.media.count == sections.count else { throw .unexpectedDescription }
    guard let carrier = answer.carrier else { throw .unacceptableDescription }
    let remote = try answer.remote(at: carrier)
    let setup = answer.setup(at: carrier)
    let role: DTLSRole = transport.dtls?.role ?? (setup == .passive ? .client : .server)
    try transport.connect(to: remote, role: role)
    signalling = .stable
    for (index, section) in answer.media.enumerated() {
      switch sections[index].content {
      case .media(let transceiver):
        let isTaken = !section.isRefused && section.content == .media(transceiver.kind)
        agree(transceiver, remote: section, codecs: transceiver.offeredCodecs, isTaken: isTaken)
      case .application:
        if !section.isRefused { isDataAgreed = true }
      case .refused: break
      }
    }
    addCandidates(of: answer)
    startAssociationIfReady()
  }

  /// Puts what one description pair agreed on in force.
  private func agree(
    _ transceiver: Transceiver, remote: MediaDescription, codecs: [RTPCodec], isTaken: Bool
  ) {
    let accepted =
      isTaken ? CodecNegotiation.accepted(answered: remote.codecs, offered: codecs) : []
    let peer = remote.direction.reversed
    transceiver.agreedDirection =
      accepted.isEmpty
      ? .inactive
      : MediaDirection(
        sends: peer.sends && transceiver.direction.sends,
        receives: peer.receives && transceiver.direction.receives)
    transceiver.agreedCodecs = accepted
    transceiver.take(remote)
    bind(transceiver)
  }

  /// Tells the media session what a section has agreed on.
  func bind(_ transceiver: Transceiver) {
    guard let mid = transceiver.mid, let direction = transceiver.agreedDirection else { return }
    media.bind(
      NegotiatedMedia(
        mid: mid, kind: transceiver.kind, direction: direction, codecs: transceiver.agreedCodecs,
        extensions: transceiver.agreedExtensions, localSource: transceiver.localSource,
        canonicalName: canonicalName, remoteSources: transceiver.remoteSources),
      sender: transceiver.sender, receiver: transceiver.receiver)
  }

  func addCandidates(of description: SessionDescription) {
    for section in description.media where !section.isRefused {
      for line in section.candidates {
        // One that cannot be read is not worth the description.
        try? addRemoteCandidate(line, mid: section.mid, mLine: nil)
      }
    }
    if description.media.contains(where: { !$0.isRefused && $0.endsCandidates }) {
      transport.endRemoteCandidates()
    }
  }

  // MARK: Writing

  /// The description of this side with the sections that `media` gives, of which nil is refused.
  func describe(setup: SetupRole, media write: (Int) -> MediaDescription?) -> String {
    origin.version += 1
    var description = SessionDescription()
    description.origin = origin
    let local = transport.localDescription
    var bundle: [String] = []
    for index in sections.indices {
      guard var section = write(index) else {
        description.media.append(refusal(at: index))
        continue
      }
      section.mid = sections[index].mid
      section.transport = local.transport
      section.transport.setup = setup
      if description.media.allSatisfy(\.isRefused) {
        section.candidates = local.candidates
        section.endsCandidates = local.isComplete
      }
      if let mid = section.mid { bundle.append(mid) }
      description.media.append(section)
    }
    description.bundle = bundle
    return description.text
  }

  private func refusal(at index: Int) -> MediaDescription {
    var section =
      sections[index].remote ?? MediaDescription(content: .other("video"), proto: "UDP/TLS/RTP/SAVPF")
    section.port = 0
    section.isBundleOnly = false
    section.mid = sections[index].mid
    if section.formats.isEmpty { section.formats = ["0"] }
    return section
  }

  private func placeNewSections() {
    for transceiver in transceivers where transceiver.mid == nil {
      let mid = freeMid()
      transceiver.mid = mid
      sections.append(PeerSection(content: .media(transceiver), mid: mid))
    }
    let hasApplication = sections.contains {
      if case .application = $0.content { true } else { false }
    }
    if association != nil, !hasApplication {
      sections.append(PeerSection(content: .application, mid: freeMid()))
    }
  }

  private func freeMid() -> String {
    let used = Set(sections.compactMap(\.mid))
    var number = sections.count
    while used.contains(String(number)) { number += 1 }
    return String(number)
  }

  /// Gives each codec of each section a payload type of its own, and keeps those that are agreed.
  private func assignPayloadTypes() {
    var free = (Array(96...127) + Array(35...63)).map { UInt8($0) }
    for transceiver in transceivers {
      for codec in transceiver.agreedCodecs + transceiver.offeredCodecs {
        free.removeAll { $0 == codec.payloadType }
      }
    }
    for transceiver in transceivers {
      let known = transceiver.agreedCodecs + transceiver.offeredCodecs
      transceiver.offeredCodecs = transceiver.codecs.compactMap { codec in
        var codec = codec
        let same = known.first {
          $0.isNamed(codec.name) && $0.parameters["profile-level-id"] == codec.parameters["profile-level-id"]
        }
        if let same {
          codec.payloadType = same.payloadType
        } else if free.isEmpty {
          return nil
        } else {
          codec.payloadType = free.removeFirst()
        }
        return codec
      }
    }
  }

  private func offerSection(_ index: Int) -> MediaDescription? {
    switch sections[index].content {
    case .refused: return nil
    case .application: return .dataChannels(proto: "UDP/DTLS/SCTP")
    case .media(let transceiver):
      var section = MediaDescription(content: .media(transceiver.kind), proto: "UDP/TLS/RTP/SAVPF")
      section.direction = transceiver.direction
      section.codecs = transceiver.offeredCodecs
      section.extensions = [
        .init(number: 1, uri: HeaderExtensionURI.mid),
        .init(number: 2, uri: HeaderExtensionURI.absoluteSendTime),
        .init(number: 3, uri: HeaderExtensionURI.transportWideSequence),
      ]
      describe(transceiver, in: &section)
      return section
    }
  }

  func describe(_ transceiver: Transceiver, in section: inout MediaDescription) {
    section.formats = section.codecs.map { String($0.payloadType) }
    section.multiplexesRTCP = true
    if section.direction.sends {
      section.stream = transceiver.streamName
      section.track = "\(transceiver.streamName)-\(transceiver.kind.rawValue)-\(transceiver.mid ?? "")"
      section.sources = [.init(number: transceiver.localSource, canonicalName: canonicalName)]
    }
  }
}

extension MediaDescription {
  /// Data channels over SCTP port 5000, messages up to 256 KiB (RFC 8841).
  static func dataChannels(proto: String) -> MediaDescription {
    var section = MediaDescription(content: .application, proto: proto)
    section.formats = ["webrtc-datachannel"]
    section.sctpPort = 5000
    section.maximumMessageSize = 262_144
    return section
  }
}

extension Transceiver {
  /// Takes from the peer's section what receiving and sending need.
  func take(_ remote: MediaDescription) {
    func number(_ uri: String) -> UInt8? { remote.extensions.first { $0.uri == uri }?.number }
    agreedExtensions = HeaderExtensionNumbers(
      transportWideSequence: number(HeaderExtensionURI.transportWideSequence),
      absoluteSendTime: number(HeaderExtensionURI.absoluteSendTime),
      mid: number(HeaderExtensionURI.mid))
    remoteSources = remote.sources.map(\.number).filter { !remote.repairSources.contains($0) }
  }
}
