/// The profile of a `profile-level-id` (RFC 6184 section 8.1, table 5); the level is no part of it.
enum H264Profile: Sendable {
  case constrainedBaseline, baseline, main, constrainedHigh, high, other

  init(profileLevelID: String) {
    guard profileLevelID.utf8.count == 6, let value = UInt32(profileLevelID, radix: 16) else {
      self = .other
      return
    }
    let (idc, flags) = (value >> 16, value >> 8 & 0xff)
    self =
      switch idc {
      case 0x42: flags & 0x40 != 0 ? .constrainedBaseline : .baseline
      case 0x4d: flags & 0x80 != 0 ? .constrainedBaseline : .main
      case 0x58: flags & 0xc0 == 0xc0 ? .constrainedBaseline : flags & 0x80 != 0 ? .baseline : .other
      case 0x64: flags & 0x0c == 0x0c ? .constrainedHigh : .high
      default: .other
      }
  }

  /// Whether a decoder of this profile shows a stream of `stream`'s.
  func decodes(_ stream: H264Profile) -> Bool {
    if self == stream { return self != .other }
    return switch (self, stream) {
    case (.baseline, .constrainedBaseline), (.main, .constrainedBaseline),
      (.constrainedHigh, .constrainedBaseline), (.high, .constrainedBaseline), (.high, .main),
      (.high, .constrainedHigh), (.constrainedHigh, .main):
      true
    default: false
    }
  }
}
