/// Writes a compound RTCP packet into memory that is given; what does not fit is left out as a whole.
struct RTCPWriter {
  static let rembIdentifier: UInt32 = 0x5245_4d42  // "REMB"

  let bytes: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

  var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[0..<count]) }
  var room: Int { bytes.count - count }

  /// Begins a packet of `length` bytes, a multiple of four; nil when there is no room.
  private mutating func begin(_ type: UInt8, _ field: UInt8, length: Int) -> UnsafeMutableRawPointer? {
    guard length <= room, length % 4 == 0, let base = bytes.baseAddress else { return nil }
    let packet = base + count
    packet.put(0x80 | field, at: 0)
    packet.put(type, at: 1)
    packet.put(UInt16(length / 4 - 1), at: 2)
    count += length
    return packet
  }

  private static func put(_ block: ReportBlock, at place: UnsafeMutableRawPointer) {
    place.put(block.ssrc, at: 0)
    let lost = UInt32(bitPattern: max(-0x80_0000, min(0x7f_ffff, block.cumulativeLost))) & 0xff_ffff
    place.put(UInt32(block.fractionLost) << 24 | lost, at: 4)
    place.put(block.highestSequence, at: 8)
    place.put(block.jitter, at: 12)
    place.put(block.lastSenderReport, at: 16)
    place.put(block.delaySinceLast, at: 20)
  }

  mutating func senderReport(_ report: SenderReport) {
    guard let packet = begin(RTCPType.senderReport, 0, length: 28) else { return }
    packet.put(report.ssrc, at: 4)
    packet.put(report.ntpTime, at: 8)
    packet.put(report.rtpTime, at: 16)
    packet.put(report.packets, at: 20)
    packet.put(report.bytes, at: 24)
  }

  /// - Parameter block: nil: an empty report, which a compound packet may begin with.
  mutating func receiverReport(ssrc: UInt32, _ block: ReportBlock?) {
    let length = 8 + (block == nil ? 0 : ReportBlock.length)
    guard let packet = begin(RTCPType.receiverReport, block == nil ? 0 : 1, length: length) else { return }
    packet.put(ssrc, at: 4)
    if let block { Self.put(block, at: packet + 8) }
  }

  /// A CNAME (RFC 3550, section 6.5.1); longer than 255 bytes it is cut.
  mutating func sourceDescription(ssrc: UInt32, canonicalName: String) {
    let name = canonicalName.utf8.prefix(255)
    let length = (8 + 2 + name.count + 1 + 3) / 4 * 4
    guard let packet = begin(RTCPType.sourceDescription, 1, length: length) else { return }
    packet.put(ssrc, at: 4)
    packet.put(UInt8(1), at: 8)
    packet.put(UInt8(name.count), at: 9)
    var place = 10
    for byte in name {
      packet.put(byte, at: place)
      place += 1
    }
    while place < length {
      packet.put(UInt8(0), at: place)
      place += 1
    }
  }

  mutating func bye(ssrc: UInt32) { begin(RTCPType.bye, 1, length: 8)?.put(ssrc, at: 4) }

  mutating func pictureLoss(sender: UInt32, source: UInt32) {
    guard let packet = begin(RTCPType.payloadFeedback, RTCPFeedbackFormat.pictureLoss, length: 12) else {
      return
    }
    packet.put(sender, at: 4)
    packet.put(source, at: 8)
  }

  mutating func fullIntraRequest(sender: UInt32, source: UInt32, command: UInt8) {
    guard let packet = begin(RTCPType.payloadFeedback, RTCPFeedbackFormat.fullIntraRequest, length: 20)
    else { return }
    packet.put(sender, at: 4)
    packet.put(UInt32(0), at: 8)
    packet.put(source, at: 12)
    packet.put(UInt32(command) << 24, at: 16)
  }

  /// The numbers, ascending, are packed 17 into a word.
  mutating func nack(sender: UInt32, source: UInt32, lost: [UInt16]) {
    var words = 0
    Self.pack(lost) { _, _ in words += 1 }
    guard words > 0,
      let packet = begin(RTCPType.transportFeedback, RTCPFeedbackFormat.nack, length: 12 + words * 4)
    else { return }
    packet.put(sender, at: 4)
    packet.put(source, at: 8)
    var place = 12
    Self.pack(lost) { first, mask in
      packet.put(first, at: place)
      packet.put(mask, at: place + 2)
      place += 4
    }
  }

  private static func pack(_ numbers: [UInt16], _ body: (UInt16, UInt16) -> Void) {
    var index = 0
    while index < numbers.count {
      let first = numbers[index]
      var mask: UInt16 = 0
      index += 1
      while index < numbers.count {
        let distance = numbers[index] &- first
        guard distance >= 1, distance <= 16 else { break }
        mask |= 1 << (distance - 1)
        index += 1
      }
      body(first, mask)
    }
  }

  mutating func maximumBitrate(sender: UInt32, source: UInt32, bitsPerSecond: Int) {
    guard let packet = begin(RTCPType.payloadFeedback, RTCPFeedbackFormat.application, length: 24) else {
      return
    }
    var mantissa = UInt64(max(0, bitsPerSecond))
    var exponent: UInt32 = 0
    while mantissa > 0x3ffff {
      mantissa >>= 1
      exponent += 1
    }
    packet.put(sender, at: 4)
    packet.put(UInt32(0), at: 8)
    packet.put(Self.rembIdentifier, at: 12)
    packet.put(1 << 24 | exponent << 18 | UInt32(mantissa), at: 16)
    packet.put(source, at: 20)
  }

  /// Appends a packet that was made elsewhere, a multiple of four bytes long.
  mutating func append(_ packet: UnsafeRawBufferPointer) {
    guard packet.count <= room, let base = bytes.baseAddress, let from = packet.baseAddress else { return }
    (base + count).copyMemory(from: from, byteCount: packet.count)
    count += packet.count
  }
}
