/// Where the elements of an RTP header extension lie, one-byte or two-byte form (RFC 8285, section 4).
struct RTPHeaderExtensions {
  static let oneByteProfile: UInt16 = 0xbede
  static let none = RTPHeaderExtensions(profile: 0, start: 0, end: 0)

  let profile: UInt16
  let start: Int
  let end: Int

  /// The value of the element with this id, as a part of the packet; nil when it is not there.
  func value(id: UInt8, in packet: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard id != 0, end <= packet.count else { return nil }
    if profile == Self.oneByteProfile { return oneByteValue(id: id, in: packet) }
    if profile & 0xfff0 == 0x1000 { return twoByteValue(id: id, in: packet) }
    return nil
  }

  private func oneByteValue(id: UInt8, in packet: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var place = start
    while place < end {
      let element = packet[place] >> 4
      if element == 0 {  // a byte of padding
        place += 1
        continue
      }
      if element == 15 { return nil }  // reserved: what follows is not to be read
      let count = Int(packet[place] & 0x0f) + 1
      guard place + 1 + count <= end else { return nil }
      if element == id { return packet.part(place + 1, count) }
      place += 1 + count
    }
    return nil
  }

  private func twoByteValue(id: UInt8, in packet: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var place = start
    while place < end {
      let element = packet[place]
      if element == 0 {
        place += 1
        continue
      }
      guard place + 2 <= end else { return nil }
      let count = Int(packet[place + 1])
      guard place + 2 + count <= end else { return nil }
      if element == id { return packet.part(place + 2, count) }
      place += 2 + count
    }
    return nil
  }
}
