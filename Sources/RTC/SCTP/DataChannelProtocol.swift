/// The message that opens a data channel (RFC 8832, section 5.1).
struct DataChannelOpen: Equatable {
  /// Bytes of a label or a protocol name.
  static let maximumName = 1_024

  var isOrdered: Bool
  var label: String
  var protocolName = ""

  init(isOrdered: Bool, label: String) {
    self.isOrdered = isOrdered
    self.label = label
  }

  /// Nil when it is not an open message, is cut, or a name is too long or not UTF-8.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 12, bytes[0] == Self.openType else { return nil }
    let labelLength = Int(bytes[8]) << 8 | Int(bytes[9])
    let protocolLength = Int(bytes[10]) << 8 | Int(bytes[11])
    guard labelLength <= Self.maximumName, protocolLength <= Self.maximumName,
      bytes.count >= 12 + labelLength + protocolLength,
      let label = String(validating: bytes[12..<(12 + labelLength)], as: UTF8.self),
      let name = String(
        validating: bytes[(12 + labelLength)..<(12 + labelLength + protocolLength)], as: UTF8.self)
    else { return nil }
    // Limits on retransmission or time are for what the peer sends; here all channels are reliable.
    isOrdered = bytes[1] & 0x80 == 0
    self.label = label
    protocolName = name
  }

  var bytes: [UInt8] {
    let label = Array(self.label.utf8.prefix(Self.maximumName))
    let name = Array(protocolName.utf8.prefix(Self.maximumName))
    return [Self.openType, isOrdered ? 0 : 0x80, 0, 0, 0, 0, 0, 0]
      + [
        UInt8(label.count >> 8), UInt8(label.count & 0xff), UInt8(name.count >> 8), UInt8(name.count & 0xff),
      ]
      + label + name
  }

  static let acknowledgement: [UInt8] = [0x02]
  private static let openType: UInt8 = 0x03

  static func isAcknowledgement(_ bytes: [UInt8]) -> Bool { bytes.first == 0x02 }
}

/// What a message is (RFC 8831, section 8).
enum PayloadProtocol {
  static let control: UInt32 = 50
  static let text: UInt32 = 51
  static let binary: UInt32 = 53
  static let emptyText: UInt32 = 56
  static let emptyBinary: UInt32 = 57
}
