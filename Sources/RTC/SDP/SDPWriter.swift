extension SessionDescription {
  /// The description as text, lines ended by CRLF.
  var text: String {
    var lines = SDPLines()
    lines.add("v=0")
    lines.add("o=- \(origin.session) \(origin.version) IN IP4 127.0.0.1")
    lines.add("s=-")
    lines.add("t=0 0")
    if let bundle, !bundle.isEmpty { lines.add("a=group:BUNDLE " + bundle.joined(separator: " ")) }
    lines.add("a=extmap-allow-mixed")
    lines.add("a=msid-semantic: WMS *")
    lines.add("a=ice-options:trickle")
    if isLite { lines.add("a=ice-lite") }
    lines.add(transport)
    for section in media { section.write(to: &lines) }
    return lines.text
  }
}

private struct SDPLines {
  private(set) var text = ""

  mutating func add(_ line: String) {
    text += line
    text += "\r\n"
  }

  mutating func add(_ transport: TransportDescription) {
    if let fragment = transport.fragment { add("a=ice-ufrag:\(fragment)") }
    if let password = transport.password { add("a=ice-pwd:\(password)") }
    for fingerprint in transport.fingerprints { add("a=fingerprint:\(fingerprint.text)") }
    if let setup = transport.setup { add("a=setup:\(setup.rawValue)") }
  }
}

extension MediaDescription {
  fileprivate func write(to lines: inout SDPLines) {
    let name =
      switch content {
      case .media(let kind): kind.rawValue
      case .application: "application"
      case .other(let name): name
      }
    lines.add("m=\(name) \(port) \(proto) " + formats.joined(separator: " "))
    lines.add("c=IN IP4 0.0.0.0")
    if let mid { lines.add("a=mid:\(mid)") }
    guard !isRefused else {
      lines.add("a=inactive")
      return
    }
    lines.add(transport)
    for candidate in candidates { lines.add("a=\(candidate)") }
    if endsCandidates { lines.add("a=end-of-candidates") }
    switch content {
    case .application:
      if let sctpPort { lines.add("a=sctp-port:\(sctpPort)") }
      if let maximumMessageSize { lines.add("a=max-message-size:\(maximumMessageSize)") }
    case .media: writeMedia(to: &lines)
    case .other: break
    }
  }

  private func writeMedia(to lines: inout SDPLines) {
    lines.add("a=\(direction.rawValue)")
    if multiplexesRTCP { lines.add("a=rtcp-mux") }
    lines.add("a=rtcp-rsize")
    for item in extensions { lines.add("a=extmap:\(item.number) \(item.uri)") }
    for codec in codecs {
      let channels = codec.channels > 1 ? "/\(codec.channels)" : ""
      lines.add("a=rtpmap:\(codec.payloadType) \(codec.name)/\(codec.clockRate)\(channels)")
      for value in codec.feedback { lines.add("a=rtcp-fb:\(codec.payloadType) \(value)") }
      if !codec.parameters.isEmpty {
        let parameters = codec.parameters.sorted { $0.key < $1.key }
          .map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)" }
        lines.add("a=fmtp:\(codec.payloadType) " + parameters.joined(separator: ";"))
      }
    }
    if let stream { lines.add("a=msid:\(stream) \(track ?? stream)") }
    for source in sources {
      lines.add("a=ssrc:\(source.number) cname:\(source.canonicalName)")
      if let stream { lines.add("a=ssrc:\(source.number) msid:\(stream) \(track ?? stream)") }
    }
  }
}
