/// The fixed header of an RTP packet, its CSRC list and the place of its extension (RFC 3550, section 5.1).
struct RTPHeader {
  static let fixedLength = 12

  var marker: Bool
  var payloadType: UInt8
  var sequenceNumber: UInt16
  var timestamp: UInt32
  var ssrc: UInt32
  var hasPadding: Bool
  /// Header, CSRC list and extension: where the payload begins.
  var length: Int
  var extensions: RTPHeaderExtensions

  /// Nil when the packet is not a whole RTP packet of version 2.
  init?(_ packet: UnsafeRawBufferPointer) {
    guard packet.count >= Self.fixedLength, packet[0] >> 6 == 2 else { return nil }
    var length = Self.fixedLength + Int(packet[0] & 0x0f) * 4
    guard packet.count >= length else { return nil }
    extensions = .none
    if packet[0] & 0x10 != 0 {
      guard packet.count >= length + 4 else { return nil }
      let profile = packet.uint16(at: length)
      let count = Int(packet.uint16(at: length + 2)) * 4
      guard packet.count >= length + 4 + count else { return nil }
      extensions = RTPHeaderExtensions(profile: profile, start: length + 4, end: length + 4 + count)
      length += 4 + count
    }
    hasPadding = packet[0] & 0x20 != 0
    marker = packet[1] & 0x80 != 0
    payloadType = packet[1] & 0x7f
    sequenceNumber = packet.uint16(at: 2)
    timestamp = packet.uint32(at: 4)
    ssrc = packet.uint32(at: 8)
    self.length = length
  }

  /// What lies behind the header, once opened, without its padding; nil when that is longer than all.
  func payload(opened body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard hasPadding else { return body }
    guard let last = body.last, last > 0, Int(last) <= body.count else { return nil }
    return body.part(0, body.count - Int(last))
  }

  /// Whether a datagram is RTCP rather than RTP (RFC 5761, section 4).
  @inline(__always) static func isRTCP(_ packet: UnsafeRawBufferPointer) -> Bool {
    packet.count >= 8 && packet[1] >= 192 && packet[1] <= 223
  }
}
