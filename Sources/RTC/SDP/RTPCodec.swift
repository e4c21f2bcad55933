public enum MediaKind: String, Sendable, Codable {
  case audio, video
}

/// The direction of a media section, seen from the local side (RFC 8866 section 6.7).
public enum MediaDirection: String, Sendable, Codable {
  case sendReceive = "sendrecv"
  case sendOnly = "sendonly"
  case receiveOnly = "recvonly"
  case inactive

  public var sends: Bool { self == .sendReceive || self == .sendOnly }
  public var receives: Bool { self == .sendReceive || self == .receiveOnly }

  init(sends: Bool, receives: Bool) {
    self =
      switch (sends, receives) {
      case (true, true): .sendReceive
      case (true, false): .sendOnly
      case (false, true): .receiveOnly
      case (false, false): .inactive
      }
  }

  /// The same direction seen from the other side.
  var reversed: MediaDirection { MediaDirection(sends: receives, receives: sends) }
}

/// A payload format of a media section (RFC 8866 section 6.6, `rtpmap` and `fmtp`).
public struct RTPCodec: Sendable, Equatable {
  public var kind: MediaKind
  /// The encoding name, such as `H264`; names compare without regard to case.
  public var name: String
  /// Ticks of the RTP timestamp in a second.
  public var clockRate: Int
  /// 1, or 2 for Opus; without meaning for video.
  public var channels: Int
  /// 0...127; `unassigned` until an offer gives it one.
  public var payloadType: UInt8
  /// Format parameters (`fmtp`), names in lower case.
  public var parameters: [String: String]
  /// `rtcp-fb` values, such as `nack`, `nack pli`, `ccm fir`, `goog-remb`, `transport-cc`.
  public var feedback: [String]

  public static let unassigned: UInt8 = 255

  public init(
    kind: MediaKind, name: String, clockRate: Int, channels: Int = 1, payloadType: UInt8 = unassigned,
    parameters: [String: String] = [:], feedback: [String] = []
  ) {
    self.kind = kind
    self.name = name
    self.clockRate = clockRate
    self.channels = channels
    self.payloadType = payloadType
    self.parameters = parameters
    self.feedback = feedback
  }

  static let videoFeedback = ["nack", "nack pli", "ccm fir", "goog-remb", "transport-cc"]

  /// H.264, non-interleaved (RFC 6184). `profileLevelID`: six hexadecimal digits, such as `42e01f`
  /// (constrained baseline, level 3.1), `4d001f` (main), `64001f` (high).
  public static func h264(profileLevelID: String = "42e01f") -> RTPCodec {
    RTPCodec(
      kind: .video, name: "H264", clockRate: 90_000,
      parameters: [
        "profile-level-id": profileLevelID.lowercased(), "packetization-mode": "1",
        "level-asymmetry-allowed": "1",
      ],
      feedback: videoFeedback)
  }

  /// H.265 (RFC 7798), main profile.
  public static let h265 = RTPCodec(
    kind: .video, name: "H265", clockRate: 90_000,
    parameters: ["level-id": "93", "profile-id": "1", "tier-flag": "0", "tx-mode": "SRST"],
    feedback: videoFeedback)

  /// Opus, 48 kHz (RFC 7587), with in-band error correction.
  public static let opus = RTPCodec(
    kind: .audio, name: "opus", clockRate: 48_000, channels: 2,
    parameters: ["minptime": "10", "useinbandfec": "1"], feedback: ["transport-cc"])

  public func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
  public func hasFeedback(_ value: String) -> Bool { feedback.contains(value) }
}
