/// Reading transport-wide feedback (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 3.1).
struct TransportFeedback {
  /// Packets that one message may report on.
  static let maximumPackets = 4_096

  /// The first transport-wide number reported on.
  let base: UInt16
  let packetCount: Int
  /// Counts the messages, 8 bits.
  let number: UInt8
  /// In 64 ms, signed, wraps at 24 bits.
  let referenceTime: Int32
  private let bytes: UnsafeRawBufferPointer

  init?(_ packet: RTCPPacket) {
    guard packet.type == RTCPType.transportFeedback, packet.count == RTCPFeedbackFormat.transportWide,
      packet.bytes.count >= 22
    else { return nil }
    bytes = packet.bytes
    base = bytes.uint16(at: 12)
    packetCount = Int(bytes.uint16(at: 14))
    guard packetCount <= Self.maximumPackets else { return nil }
    referenceTime = Int32(bitPattern: bytes.uint24(at: 16) << 8) >> 8
    number = bytes[19]
  }

  /// Every packet in order: its number, and its time of arrival in microseconds on the receiver's clock
  /// (which wraps after 12 days), nil when it has not arrived. Ends where the message is malformed.
  /// - Returns: Whether the message was well formed.
  @discardableResult
  func forEachPacket(_ body: (_ number: UInt16, _ arrival: Int64?) -> Void) -> Bool {
    guard let deltas = deltaStart() else { return false }
    var chunk = 20
    var delta = deltas
    var time = Int64(referenceTime) * 64_000
    var reported = 0
    while reported < packetCount {
      let word = bytes.uint16(at: chunk)
      chunk += 2
      let inChunk = Self.length(of: word)
      for position in 0..<min(inChunk, packetCount - reported) {
        let number = base &+ UInt16(truncatingIfNeeded: reported)
        switch Self.symbol(of: word, at: position) {
        case 1:
          guard delta < bytes.count else { return false }
          time += Int64(bytes[delta]) * 250
          delta += 1
          body(number, time)
        case 2:
          guard delta + 2 <= bytes.count else { return false }
          time += Int64(Int16(bitPattern: bytes.uint16(at: delta))) * 250
          delta += 2
          body(number, time)
        default:
          body(number, nil)
        }
        reported += 1
      }
    }
    return true
  }

  /// Where the chunks end; nil when they run over the packet.
  private func deltaStart() -> Int? {
    var place = 20
    var covered = 0
    while covered < packetCount {
      guard place + 2 <= bytes.count else { return nil }
      let inChunk = Self.length(of: bytes.uint16(at: place))
      guard inChunk > 0 else { return nil }
      covered += inChunk
      place += 2
    }
    return place
  }

  /// Packets that a chunk covers: a run, 14 of one bit or 7 of two.
  private static func length(of chunk: UInt16) -> Int {
    if chunk & 0x8000 == 0 { return Int(chunk & 0x1fff) }
    return chunk & 0x4000 == 0 ? 14 : 7
  }

  private static func symbol(of chunk: UInt16, at position: Int) -> UInt16 {
    if chunk & 0x8000 == 0 { return chunk >> 13 & 3 }
    if chunk & 0x4000 == 0 { return chunk >> UInt16(13 - position) & 1 }
    return chunk >> UInt16(12 - 2 * position) & 3
  }
}
