/// The header of a sender's packets, ready but for what differs from packet to packet.
///
/// Extensions in the one-byte form (RFC 8285): the transport-wide number first, then the MID, which only
/// the first packets carry, until the viewer is known to have learned the source.
struct RTPHeaderTemplate {
  /// Header with MID, the longest: fixed part, extension header, number, MID of 16 bytes.
  static let maximumLength = 12 + 4 + 3 + 17

  private let bytes: UnsafeMutableRawPointer
  private let bytesWithMID: UnsafeMutableRawPointer
  let length: Int
  let lengthWithMID: Int
  /// Where the transport-wide number goes; 0: nowhere.
  private let numberPlace: Int
  private let payloadType: UInt8

  /// - Parameters:
  ///   - transportNumberID: 1...14, or nil.
  ///   - midID: 1...14, or nil.
  init(payloadType: UInt8, ssrc: UInt32, transportNumberID: UInt8?, midID: UInt8?, mid: String) {
    func isUsable(_ id: UInt8?) -> Bool { id.map { (1...14).contains($0) } ?? false }
    let number: [UInt8] = isUsable(transportNumberID) ? [(transportNumberID ?? 0) << 4 | 1, 0, 0] : []
    let name = Array(mid.utf8)
    let hasMID = isUsable(midID) && (1...16).contains(name.count)
    let midElement = hasMID ? [(midID ?? 0) << 4 | UInt8(name.count - 1)] + name : []
    func make(_ elements: [UInt8]) -> (UnsafeMutableRawPointer, Int) {
      let words = (elements.count + 3) / 4
      let length = words == 0 ? 12 : 16 + words * 4
      let header = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 4)
      header.initializeMemory(as: UInt8.self, repeating: 0, count: length)
      header.put(UInt8(words == 0 ? 0x80 : 0x90), at: 0)
      header.put(payloadType, at: 1)
      header.put(ssrc, at: 8)
      if words > 0 {
        header.put(RTPHeaderExtensions.oneByteProfile, at: 12)
        header.put(UInt16(words), at: 14)
        for (place, byte) in elements.enumerated() { header.put(byte, at: 16 + place) }
      }
      return (header, length)
    }
    (bytes, length) = make(number)
    (bytesWithMID, lengthWithMID) = make(number + midElement)
    numberPlace = number.isEmpty ? 0 : 17
    self.payloadType = payloadType
  }

  var hasTransportNumber: Bool { numberPlace != 0 }
  var hasMID: Bool { lengthWithMID > length }

  func deallocate() {
    bytes.deallocate()
    bytesWithMID.deallocate()
  }

  /// Writes the header of a packet and returns its length.
  @inline(__always)
  func write(
    to packet: UnsafeMutableRawPointer, marker: Bool, sequenceNumber: UInt16, timestamp: UInt32,
    transportNumber: UInt16, withMID: Bool
  ) -> Int {
    let length = withMID ? lengthWithMID : self.length
    packet.copyMemory(from: withMID ? bytesWithMID : bytes, byteCount: length)
    packet.put(payloadType | (marker ? 0x80 : 0), at: 1)
    packet.put(sequenceNumber, at: 2)
    packet.put(timestamp, at: 4)
    if numberPlace != 0 { packet.put(transportNumber, at: numberPlace) }
    return length
  }
}
