/// What a receiver says about one source (RFC 3550, section 6.4.1).
struct ReportBlock: Equatable {
  static let length = 24

  var ssrc: UInt32
  /// The lost share since the last report, in 1/256.
  var fractionLost: UInt8
  /// Signed, 24 bits.
  var cumulativeLost: Int32
  var highestSequence: UInt32
  /// In ticks of the source's clock.
  var jitter: UInt32
  /// The middle 32 bits of the last sender report's NTP time; 0: none yet.
  var lastSenderReport: UInt32
  /// Since that report came, in 1/65536 s.
  var delaySinceLast: UInt32
}

/// The sender's part of a sender report.
struct SenderReport: Equatable {
  var ssrc: UInt32
  /// NTP time, 32.32 bits.
  var ntpTime: UInt64
  var rtpTime: UInt32
  var packets: UInt32
  var bytes: UInt32
}

extension RTCPPacket {
  var senderReport: SenderReport? {
    guard type == RTCPType.senderReport, bytes.count >= 28 else { return nil }
    return SenderReport(
      ssrc: bytes.uint32(at: 4), ntpTime: bytes.uint64(at: 8), rtpTime: bytes.uint32(at: 16),
      packets: bytes.uint32(at: 20), bytes: bytes.uint32(at: 24))
  }

  /// Report blocks of a sender or receiver report; none of other packets.
  func forEachReportBlock(_ body: (ReportBlock) -> Void) {
    let first: Int
    switch type {
    case RTCPType.senderReport: first = 28
    case RTCPType.receiverReport: first = 8
    default: return
    }
    for block in 0..<Int(count) {
      let at = first + block * ReportBlock.length
      guard at + ReportBlock.length <= bytes.count else { return }
      // Sign-extended from 24 bits.
      let lost = Int32(bitPattern: bytes.uint24(at: at + 5) << 8) >> 8
      body(
        ReportBlock(
          ssrc: bytes.uint32(at: at), fractionLost: bytes[at + 4], cumulativeLost: lost,
          highestSequence: bytes.uint32(at: at + 8), jitter: bytes.uint32(at: at + 12),
          lastSenderReport: bytes.uint32(at: at + 16), delaySinceLast: bytes.uint32(at: at + 20)))
    }
  }
}
