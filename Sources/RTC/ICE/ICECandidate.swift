/// A candidate as it stands in SDP (RFC 8839 section 5.1).
struct ICECandidate: Sendable, Equatable {
  enum Kind: String, Sendable {
    case host = "host"
    case serverReflexive = "srflx"
    case peerReflexive = "prflx"
    case relayed = "relay"
  }

  enum Transport: String, Sendable { case udp, tcp }

  /// Characters of one candidate line.
  static let maximumLength = 1024

  var foundation: String
  /// 1 is RTP; with RTCP multiplexed there is no other.
  var component: Int
  var transport: Transport
  var priority: UInt32
  /// An IP address, or a name such as `….local` (mDNS), which is not resolved.
  var address: String
  var port: UInt16
  var kind: Kind

  /// Reads `candidate:…`, with or without `a=` in front.
  /// - Throws: `RTCFailure.malformedCandidate`.
  init(parsing line: some StringProtocol) throws(RTCFailure) {
    guard line.utf8.count <= Self.maximumLength else { throw .malformedCandidate }
    var text = Substring(line)
    if text.hasPrefix("a=") { text = text.dropFirst(2) }
    guard text.hasPrefix("candidate:") else { throw .malformedCandidate }
    let fields = text.dropFirst(10).split(whereSeparator: { $0 == " " || $0 == "\r" || $0 == "\n" })
    guard fields.count >= 8, fields[6] == "typ", (1...32).contains(fields[0].utf8.count),
      let component = Int(fields[1]), (1...256).contains(component),
      let transport = Transport(rawValue: fields[2].lowercased()),
      let priority = UInt32(fields[3]),
      fields[4].utf8.count <= 255, let port = UInt16(fields[5]), let kind = Kind(rawValue: String(fields[7]))
    else { throw .malformedCandidate }
    foundation = String(fields[0])
    self.component = component
    self.transport = transport
    self.priority = priority
    address = String(fields[4])
    self.port = port
    self.kind = kind
  }

  /// Whether the address is a number; names are tolerated and left out.
  var hasNumericAddress: Bool {
    if address.contains(":") {
      return address.utf8.allSatisfy { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || $0.isHexDigit }
    }
    let parts = address.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension UInt8 {
  var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
