/// Which codecs both sides have (RFC 3264 section 6.1, RFC 6184 section 8.2.2, RFC 7798 section 7.2.2).
enum CodecNegotiation {
  /// Retransmission by a second source (RFC 4588) is not offered: lost packets are sent again as they
  /// were, which the peers that matter take.
  ///
  /// - Parameters:
  ///   - offered: The peer's codecs, with its payload types.
  ///   - supported: The own ones, the preferred one first.
  ///   - onlySends: A stream may then be sent under a profile that includes its own.
  /// - Returns: The common ones in the own order, with the offer's payload types and parameters.
  static func answer(offered: [RTPCodec], supported: [RTPCodec], onlySends: Bool) -> [RTPCodec] {
    var result: [RTPCodec] = []
    for own in supported {
      let exact = offered.first { matches(own, $0) && !result.contains(payloadTypeOf: $0) }
      let wider = onlySends ? offered.first { includes($0, own) && !result.contains(payloadTypeOf: $0) } : nil
      guard var codec = exact ?? wider else { continue }
      codec.feedback = codec.feedback.filter(own.feedback.contains)
      result.append(codec)
    }
    return result
  }

  /// What an answer has taken of the own offer, in the answer's order.
  static func accepted(answered: [RTPCodec], offered: [RTPCodec]) -> [RTPCodec] {
    var result: [RTPCodec] = []
    for codec in answered where !result.contains(payloadTypeOf: codec) {
      // The payload type is the offer's; some peers answer with their own and mean it for both ways.
      let own =
        offered.first { $0.payloadType == codec.payloadType && isSameFormat($0, codec) }
        ?? offered.first { matches($0, codec) }
      guard let own else { continue }
      var codec = codec
      codec.feedback = codec.feedback.filter(own.feedback.contains)
      result.append(codec)
    }
    return result
  }

  private static func isSameFormat(_ one: RTPCodec, _ other: RTPCodec) -> Bool {
    one.isNamed(other.name) && one.clockRate == other.clockRate
      && (one.kind == .video || one.channels == other.channels)
  }

  private static func matches(_ own: RTPCodec, _ offered: RTPCodec) -> Bool {
    guard isSameFormat(own, offered) else { return false }
    switch own.name.lowercased() {
    case "h264": return own.packetizationMode == offered.packetizationMode && own.h264 == offered.h264
    case "h265": return own.h265Profile == offered.h265Profile && offered.isSingleStream
    default: return true
    }
  }

  /// Whether what is encoded as `own` may be sent as `offered`.
  private static func includes(_ offered: RTPCodec, _ own: RTPCodec) -> Bool {
    own.isNamed("h264") && isSameFormat(own, offered) && own.packetizationMode == offered.packetizationMode
      && offered.h264.decodes(own.h264)
  }
}

extension RTPCodec {
  fileprivate var packetizationMode: String { parameters["packetization-mode"] ?? "0" }
  /// Without the parameter it is baseline, level 1 (RFC 6184 section 8.1).
  fileprivate var h264: H264Profile {
    H264Profile(profileLevelID: parameters["profile-level-id"] ?? "42000a")
  }
  fileprivate var h265Profile: String { parameters["profile-id"] ?? "1" }
  fileprivate var isSingleStream: Bool { (parameters["tx-mode"] ?? "SRST").uppercased() == "SRST" }
}

extension [RTPCodec] {
  fileprivate func contains(payloadTypeOf codec: RTPCodec) -> Bool {
    contains { $0.payloadType == codec.payloadType }
  }
}
