extension SessionDescription {
  /// Reads what browsers and other WebRTC stacks write; lines end in CRLF or LF.
  /// - Throws: `RTCFailure.malformedDescription` for what is not SDP or is over a limit of `SDPLimits`.
  init(parsing text: String) throws(RTCFailure) {
    guard text.utf8.count <= SDPLimits.size else { throw .malformedDescription }
    var parser = SDPParser()
    var count = 0
    // Carriage return and line feed are one Character, hence the split in bytes.
    for raw in text.utf8.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      count += 1
      guard count <= SDPLimits.lines else { throw .malformedDescription }
      try parser.take(Substring(raw))
    }
    self = try parser.finish()
  }
}

/// Goes through the lines of a description once.
private struct SDPParser {
  private var session = SessionDescription()
  private var section: SectionParser?
  private var hasVersion = false

  mutating func take(_ line: Substring) throws(RTCFailure) {
    guard line.utf8.count >= 2, line.utf8.dropFirst().first == UInt8(ascii: "="),
      let kind = line.unicodeScalars.first
    else { throw .malformedDescription }
    let value = line.dropFirst(2)
    if !hasVersion {
      guard line == "v=0" else { throw .malformedDescription }
      hasVersion = true
      return
    }
    switch kind {
    case "m":
      try finishSection()
      guard session.media.count < SDPLimits.mediaSections else { throw .malformedDescription }
      section = try SectionParser(value)
    case "o":
      let fields = value.split(separator: " ")
      if fields.count >= 3 {
        session.origin.session = UInt64(fields[1]) ?? 0
        session.origin.version = UInt64(fields[2]) ?? 1
      }
    case "a":
      let (name, argument) = value.splitOnce(at: ":")
      if section != nil {
        try section?.attribute(name, argument)
      } else {
        try sessionAttribute(name, argument)
      }
    default: break
    }
  }

  mutating func finish() throws(RTCFailure) -> SessionDescription {
    try finishSection()
    guard hasVersion else { throw .malformedDescription }
    return session
  }

  private mutating func finishSection() throws(RTCFailure) {
    if let section { session.media.append(section.finish()) }
    section = nil
  }

  private mutating func sessionAttribute(_ name: Substring, _ value: Substring) throws(RTCFailure) {
    switch name {
    case "group":
      let fields = value.split(separator: " ")
      if fields.first == "BUNDLE", session.bundle == nil {
        session.bundle = fields.dropFirst().map(String.init)
      }
    case "ice-lite": session.isLite = true
    default: try session.transport.attribute(name, value)
    }
  }
}

extension TransportDescription {
  fileprivate mutating func attribute(_ name: Substring, _ value: Substring) throws(RTCFailure) {
    switch name {
    case "ice-ufrag": fragment = String(value)
    case "ice-pwd": password = String(value)
    case "fingerprint":
      guard fingerprints.count < SDPLimits.fingerprints else { throw .malformedDescription }
      if let fingerprint = DTLSFingerprint(parsing: value) { fingerprints.append(fingerprint) }
    case "setup": setup = SetupRole(rawValue: String(value))
    default: break
    }
  }
}

/// One media section; formats are put together at its end, since their lines come in any order.
private struct SectionParser {
  private var media: MediaDescription
  private var maps: [(type: UInt8, name: String, clockRate: Int, channels: Int)] = []
  private var parameters: [UInt8: [String: String]] = [:]
  private var feedback: [UInt8: [String]] = [:]
  private var feedbackForAll: [String] = []

  init(_ value: Substring) throws(RTCFailure) {
    let fields = value.split(separator: " ")
    guard fields.count >= 3, let port = Int(fields[1].splitOnce(at: "/").0), (0...65_535).contains(port),
      fields.count <= 3 + SDPLimits.codecsPerSection
    else { throw .malformedDescription }
    let proto = String(fields[2])
    let isRTP = proto.hasSuffix("RTP/SAVPF") || proto.hasSuffix("RTP/SAVP")
    let content: MediaDescription.Content =
      switch fields[0] {
      case "audio" where isRTP: .media(.audio)
      case "video" where isRTP: .media(.video)
      case "application" where proto.hasSuffix("DTLS/SCTP"): .application
      default: .other(String(fields[0].prefix(32)))
      }
    media = MediaDescription(content: content, proto: proto)
    media.port = port
    media.formats = fields.dropFirst(3).map(String.init)
  }

  mutating func attribute(_ name: Substring, _ value: Substring) throws(RTCFailure) {
    switch name {
    case "mid": media.mid = try bounded(value)
    case "sendrecv", "sendonly", "recvonly", "inactive":
      media.direction = MediaDirection(rawValue: String(name)) ?? .inactive
    case "rtcp-mux", "rtcp-mux-only": media.multiplexesRTCP = true
    case "bundle-only": media.isBundleOnly = true
    case "rtpmap": try map(value)
    case "fmtp": try formatParameters(value)
    case "rtcp-fb": try feedback(value)
    case "extmap": try headerExtension(value)
    case "candidate":
      guard media.candidates.count < SDPLimits.candidatesPerSection else { throw .malformedDescription }
      media.candidates.append("candidate:" + value)
    case "end-of-candidates": media.endsCandidates = true
    case "ssrc": try source(value)
    case "ssrc-group":
      let fields = value.split(separator: " ")
      if fields.first == "FID", fields.count == 3, let repair = UInt32(fields[2]),
        media.repairSources.count < SDPLimits.sourcesPerSection
      {
        media.repairSources.insert(repair)
      }
    case "msid":
      let fields = value.split(separator: " ")
      if media.stream == nil, let stream = fields.first {
        media.stream = try bounded(stream)
        if fields.count > 1 { media.track = try bounded(fields[1]) }
      }
    case "sctp-port": media.sctpPort = Int(value)
    case "sctpmap":
      // The older form, which aiortc and others still write beside the new one.
      if media.sctpPort == nil { media.sctpPort = value.split(separator: " ").first.flatMap { Int($0) } }
    case "max-message-size": media.maximumMessageSize = Int(value)
    default: try media.transport.attribute(name, value)
    }
  }

  func finish() -> MediaDescription {
    guard case .media(let kind) = media.content else { return media }
    var media = media
    for format in media.formats {
      guard let type = UInt8(format), type < 128 else { continue }
      guard let map = maps.first(where: { $0.type == type }) else { continue }
      media.codecs.append(
        RTPCodec(
          kind: kind, name: map.name, clockRate: map.clockRate, channels: map.channels, payloadType: type,
          parameters: parameters[type] ?? [:], feedback: feedbackForAll + (feedback[type] ?? [])))
    }
    return media
  }

  private func bounded(_ value: Substring) throws(RTCFailure) -> String {
    guard value.utf8.count <= SDPLimits.nameLength else { throw .malformedDescription }
    return String(value)
  }

  /// `96 H264/90000`, `111 opus/48000/2`
  private mutating func map(_ value: Substring) throws(RTCFailure) {
    let (typeText, rest) = value.splitOnce(at: " ")
    let fields = rest.split(separator: "/")
    guard let type = UInt8(typeText), type < 128, fields.count >= 2, fields[0].utf8.count <= 64,
      let clockRate = Int(fields[1]), (1...1_000_000).contains(clockRate)
    else { return }
    guard maps.count < SDPLimits.codecsPerSection else { throw .malformedDescription }
    let channels = fields.count > 2 ? Int(fields[2]) ?? 1 : 1
    maps.append((type, String(fields[0]), clockRate, max(1, min(channels, 64))))
  }

  /// `96 profile-level-id=42e01f;packetization-mode=1`
  private mutating func formatParameters(_ value: Substring) throws(RTCFailure) {
    let (typeText, rest) = value.splitOnce(at: " ")
    guard let type = UInt8(typeText), type < 128 else { return }
    var found = parameters[type] ?? [:]
    for item in rest.split(separator: ";") {
      let (name, value) = item.trimmed.splitOnce(at: "=")
      guard !name.isEmpty else { continue }
      guard found.count < SDPLimits.parametersPerCodec else { throw .malformedDescription }
      found[name.lowercased()] = String(value)
    }
    parameters[type] = found
  }

  /// `96 nack pli`, `* transport-cc`
  private mutating func feedback(_ value: Substring) throws(RTCFailure) {
    let (typeText, rest) = value.splitOnce(at: " ")
    if typeText == "*" {
      guard feedbackForAll.count < SDPLimits.feedbackPerCodec else { throw .malformedDescription }
      feedbackForAll.append(String(rest.trimmed))
    } else if let type = UInt8(typeText), type < 128 {
      guard feedback[type]?.count ?? 0 < SDPLimits.feedbackPerCodec else { throw .malformedDescription }
      feedback[type, default: []].append(String(rest.trimmed))
    }
  }

  /// `3 uri`, `3/sendonly uri attributes`
  private mutating func headerExtension(_ value: Substring) throws(RTCFailure) {
    let fields = value.split(separator: " ")
    guard fields.count >= 2, let number = UInt8(fields[0].splitOnce(at: "/").0), (1...255).contains(number)
    else { return }
    guard media.extensions.count < SDPLimits.extensionsPerSection else { throw .malformedDescription }
    media.extensions.append(.init(number: number, uri: try bounded(fields[1])))
  }

  /// `1234 cname:name`, `1234 msid:stream track`
  private mutating func source(_ value: Substring) throws(RTCFailure) {
    let (numberText, rest) = value.splitOnce(at: " ")
    guard let number = UInt32(numberText) else { return }
    let (name, argument) = rest.splitOnce(at: ":")
    if let index = media.sources.firstIndex(where: { $0.number == number }) {
      if name == "cname" { media.sources[index].canonicalName = try bounded(argument) }
      return
    }
    guard media.sources.count < SDPLimits.sourcesPerSection else { throw .malformedDescription }
    media.sources.append(
      .init(number: number, canonicalName: name == "cname" ? try bounded(argument) : ""))
  }
}

extension Substring {
  /// What is before the first `separator`, and what is after it.
  fileprivate func splitOnce(at separator: Character) -> (Substring, Substring) {
    guard let index = firstIndex(of: separator) else { return (self, "") }
    return (self[..<index], self[self.index(after: index)...])
  }

  fileprivate var trimmed: Substring {
    var result = drop { $0 == " " || $0 == "\t" }
    while let last = result.last, last == " " || last == "\t" { result.removeLast() }
    return result
  }
}
