/// A session description as WebRTC uses it (RFC 8866, RFC 9429): what is read and written of it here.
/// What is not understood is left out in reading.
struct SessionDescription: Sendable, Equatable {
  var origin = Origin()
  /// The mids of the BUNDLE group (RFC 9143); nil: the description has none.
  var bundle: [String]?
  var isLite = false
  var transport = TransportDescription()
  var media: [MediaDescription] = []

  struct Origin: Sendable, Equatable {
    var session: UInt64 = 0
    var version: UInt64 = 1
  }
}

/// `setup` (RFC 5763): who begins the DTLS handshake.
enum SetupRole: String, Sendable {
  case active, passive
  case either = "actpass"
  case holdConnection = "holdconn"
}

/// ICE and DTLS attributes, which stand at the session or at a media section.
struct TransportDescription: Sendable, Equatable {
  var fragment: String?
  var password: String?
  var fingerprints: [DTLSFingerprint] = []
  var setup: SetupRole?
}

/// One media section.
struct MediaDescription: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    case media(MediaKind)
    /// A data channel association over SCTP (RFC 8841).
    case application
    /// Something else; it is refused.
    case other(String)
  }

  var content: Content
  /// 0: refused, unless `isBundleOnly`.
  var port: Int = 9
  var proto: String
  /// The format tokens as they stand, for refusing with the same.
  var formats: [String] = []
  var mid: String?
  var direction = MediaDirection.sendReceive
  var codecs: [RTPCodec] = []
  var extensions: [HeaderExtension] = []
  var transport = TransportDescription()
  var isBundleOnly = false
  var multiplexesRTCP = false
  /// Candidate lines (`candidate:…`) as they stand.
  var candidates: [String] = []
  var endsCandidates = false
  var sources: [Source] = []
  /// Sources that only repeat others' packets (RFC 4588), by `ssrc-group:FID`.
  var repairSources: Set<UInt32> = []
  /// Media stream and track identification (RFC 8830).
  var stream: String?
  var track: String?
  var sctpPort: Int?
  var maximumMessageSize: Int?

  var isRefused: Bool { port == 0 && !isBundleOnly }

  struct Source: Sendable, Equatable {
    var number: UInt32
    var canonicalName: String
  }

  struct HeaderExtension: Sendable, Equatable {
    var number: UInt8
    var uri: String
  }

  init(content: Content, proto: String) {
    self.content = content
    self.proto = proto
  }
}

enum HeaderExtensionURI {
  static let mid = "urn:ietf:params:rtp-hdrext:sdes:mid"
  static let absoluteSendTime = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
  static let transportWideSequence =
    "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
}
