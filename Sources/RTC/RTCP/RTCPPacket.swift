/// The packet types in use (RFC 3550, section 12.1; RFC 4585; RFC 3611).
enum RTCPType {
  static let senderReport: UInt8 = 200
  static let receiverReport: UInt8 = 201
  static let sourceDescription: UInt8 = 202
  static let bye: UInt8 = 203
  static let transportFeedback: UInt8 = 205
  static let payloadFeedback: UInt8 = 206
  static let extendedReport: UInt8 = 207
}

/// The formats of feedback messages (RFC 4585, RFC 5104, draft-holmer-rmcat-transport-wide-cc-extensions).
enum RTCPFeedbackFormat {
  static let nack: UInt8 = 1
  static let transportWide: UInt8 = 15
  static let pictureLoss: UInt8 = 1
  static let fullIntraRequest: UInt8 = 4
  static let application: UInt8 = 15
}

/// One packet of a compound, header included.
struct RTCPPacket {
  let type: UInt8
  /// The count or format field, 0...31.
  let count: UInt8
  /// The whole packet without its padding, at least 4 bytes.
  let bytes: UnsafeRawBufferPointer

  /// The source that speaks; nil when the packet is too short for one.
  var sender: UInt32? { bytes.count >= 8 ? bytes.uint32(at: 4) : nil }
}

/// Walks over a compound or reduced-size RTCP packet (RFC 3550, section 6.1; RFC 5506).
struct RTCPReader {
  /// Packets looked at in one datagram.
  static let maximumPackets = 64

  private let compound: UnsafeRawBufferPointer
  private var place = 0
  private var packets = 0

  init(_ compound: UnsafeRawBufferPointer) { self.compound = compound }

  /// The next packet; nil at the end and where the rest is malformed.
  mutating func next() -> RTCPPacket? {
    guard place + 4 <= compound.count, packets < Self.maximumPackets else { return nil }
    let first = compound[place]
    let length = (Int(compound.uint16(at: place + 2)) + 1) * 4
    guard first >> 6 == 2, place + length <= compound.count else { return nil }
    var used = length
    if first & 0x20 != 0 {
      let padding = Int(compound[place + length - 1])
      guard padding > 0, padding <= length - 4 else { return nil }
      used -= padding
    }
    let packet = RTCPPacket(
      type: compound[place + 1], count: first & 0x1f, bytes: compound.part(place, used))
    place += length
    packets += 1
    return packet
  }
}
