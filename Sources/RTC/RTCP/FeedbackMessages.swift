extension RTCPPacket {
  /// The source that a feedback message is about (RFC 4585, section 6.1).
  var mediaSource: UInt32? {
    guard type == RTCPType.transportFeedback || type == RTCPType.payloadFeedback, bytes.count >= 12 else {
      return nil
    }
    return bytes.uint32(at: 8)
  }

  /// The sequence numbers that a generic NACK asks for (RFC 4585, section 6.2.1).
  func forEachLost(_ body: (UInt16) -> Void) {
    guard type == RTCPType.transportFeedback, count == RTCPFeedbackFormat.nack else { return }
    var place = 12
    while place + 4 <= bytes.count {
      let first = bytes.uint16(at: place)
      var mask = bytes.uint16(at: place + 2)
      body(first)
      var number = first
      while mask != 0 {
        number &+= 1
        if mask & 1 != 0 { body(number) }
        mask >>= 1
      }
      place += 4
    }
  }

  var isPictureLoss: Bool {
    type == RTCPType.payloadFeedback && count == RTCPFeedbackFormat.pictureLoss && bytes.count >= 12
  }

  /// The sources that a full intra request names with its command numbers (RFC 5104, section 4.3.1).
  func forEachFullIntraRequest(_ body: (_ ssrc: UInt32, _ command: UInt8) -> Void) {
    guard type == RTCPType.payloadFeedback, count == RTCPFeedbackFormat.fullIntraRequest else { return }
    var place = 12
    while place + 8 <= bytes.count {
      body(bytes.uint32(at: place), bytes[place + 4])
      place += 8
    }
  }

  /// The receiver's estimated maximum bit rate, bit/s (draft-alvestrand-rmcat-remb).
  var maximumBitrate: UInt64? {
    guard type == RTCPType.payloadFeedback, count == RTCPFeedbackFormat.application, bytes.count >= 20,
      bytes.uint32(at: 12) == RTCPWriter.rembIdentifier
    else { return nil }
    let word = bytes.uint24(at: 17)
    let exponent = UInt64(word >> 18)
    let mantissa = UInt64(word & 0x3ffff)
    return exponent > 45 ? UInt64.max >> 1 : mantissa << exponent
  }
}
