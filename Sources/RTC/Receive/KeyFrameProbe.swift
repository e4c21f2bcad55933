/// Whether a payload begins a key frame: as much of the payload formats as it takes to know that a
/// request has been answered (RFC 6184, section 5; RFC 7798, section 4.4).
enum KeyFrameProbe {
  case h264, h265, unknown

  init(codec: RTPCodec) {
    self = codec.isNamed("H264") ? .h264 : codec.isNamed("H265") ? .h265 : .unknown
  }

  func startsKeyFrame(_ payload: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .unknown: return false
    case .h264:
      guard payload.count >= 2 else { return false }
      switch payload[0] & 0x1f {
      case 5, 7: return true
      case 24: return payload.count >= 4 && Self.isH264Key(payload[3])
      case 28: return payload[1] & 0x80 != 0 && Self.isH264Key(payload[1])
      default: return false
      }
    case .h265:
      guard payload.count >= 3 else { return false }
      switch payload[0] >> 1 & 0x3f {
      case 16...21, 32...34: return true
      case 48: return payload.count >= 5 && Self.isH265Key(payload[4] >> 1 & 0x3f)
      case 49: return payload[2] & 0x80 != 0 && Self.isH265Key(payload[2] & 0x3f)
      default: return false
      }
    }
  }

  private static func isH264Key(_ header: UInt8) -> Bool { header & 0x1f == 5 || header & 0x1f == 7 }
  private static func isH265Key(_ type: UInt8) -> Bool {
    (16...21).contains(type) || (32...34).contains(type)
  }
}
