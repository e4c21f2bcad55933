import Testing

@testable import OrielRTC

@Suite("RTCP")
struct RTCPTests {
  /// What a writer has written, packet by packet.
  private func packets(_ write: (inout RTCPWriter) -> Void, read: (RTCPPacket) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 1_200, alignment: 8) { buffer in
      var writer = RTCPWriter(buffer)
      write(&writer)
      var reader = RTCPReader(writer.written)
      while let packet = reader.next() { read(packet) }
    }
  }

  @Test("writes and reads reports in one compound")
  func reports() {
    let block = ReportBlock(
      ssrc: 7, fractionLost: 12, cumulativeLost: -3, highestSequence: 0x1_0002, jitter: 99,
      lastSenderReport: 0xaabb_ccdd, delaySinceLast: 65_536)
    let report = SenderReport(ssrc: 1, ntpTime: 0x0102_0304_0506_0708, rtpTime: 5, packets: 6, bytes: 7)
    var types: [UInt8] = []
    var blocks: [ReportBlock] = []
    var reports: [SenderReport] = []
    packets {
      $0.senderReport(report)
      $0.receiverReport(ssrc: 2, block)
      $0.sourceDescription(ssrc: 1, canonicalName: "camera")
      $0.bye(ssrc: 1)
    } read: { packet in
      types.append(packet.type)
      packet.forEachReportBlock { blocks.append($0) }
      if let report = packet.senderReport { reports.append(report) }
      #expect(packet.bytes.count % 4 == 0)
    }
    #expect(types == [200, 201, 202, 203])
    #expect(blocks == [block])
    #expect(reports == [report])
  }

  @Test("packs and unpacks the numbers of a NACK")
  func nack() {
    let lost: [UInt16] = [65_530, 65_531, 65_535, 0, 3, 12, 13, 500, 600, 616, 617]
    var got: [UInt16] = []
    packets {
      $0.nack(sender: 1, source: 2, lost: lost)
    } read: { packet in
      #expect(packet.mediaSource == 2)
      packet.forEachLost { got.append($0) }
    }
    #expect(got == lost)
  }

  @Test("writes and reads PLI, FIR and REMB")
  func payloadFeedback() {
    var sawLoss = 0
    var intra: [UInt32] = []
    var rates: [UInt64] = []
    packets {
      $0.pictureLoss(sender: 1, source: 9)
      $0.fullIntraRequest(sender: 1, source: 8, command: 3)
      $0.maximumBitrate(sender: 1, source: 9, bitsPerSecond: 2_500_000)
    } read: { packet in
      if packet.isPictureLoss { sawLoss += 1 }
      packet.forEachFullIntraRequest { source, command in
        intra.append(source)
        #expect(command == 3)
      }
      if let rate = packet.maximumBitrate { rates.append(rate) }
    }
    #expect(sawLoss == 1)
    #expect(intra == [8])
    #expect(rates.count == 1)
    #expect(abs(Int(rates.first ?? 0) - 2_500_000) < 20_000)
  }

  @Test("leaves out what does not fit")
  func room() {
    withUnsafeTemporaryAllocation(byteCount: 30, alignment: 4) { buffer in
      var writer = RTCPWriter(buffer)
      writer.receiverReport(ssrc: 1, nil)
      writer.senderReport(.init(ssrc: 1, ntpTime: 0, rtpTime: 0, packets: 0, bytes: 0))
      writer.bye(ssrc: 1)
      #expect(writer.count == 16)
    }
  }

  @Test("reports arrivals by transport-wide number, gaps and reordering and long pauses included")
  func transportFeedback() {
    var random = SplitMix(state: 5)
    for _ in 0..<200 {
      var writer = TransportFeedbackWriter()
      var sent: [(number: UInt16, at: Int64?)] = []
      var time: Int64 = 1_000_000 + Int64(random.next() % 10_000_000)
      let first = UInt16(truncatingIfNeeded: random.next())
      for place in 0..<UInt16(1 + random.next() % 300) {
        time += Int64(random.next() % 4 == 0 ? random.next() % 100_000 : random.next() % 1_000)
        sent.append((first &+ place, place == 0 || random.unit() > 0.2 ? time : nil))
      }
      for packet in sent.shuffledSlightly(&random) {
        if let at = packet.at { writer.arrived(packet.number, at: at) }
      }
      var got: [UInt16: Int64?] = [:]
      while !writer.isEmpty {
        packets {
          writer.write(to: &$0, sender: 1, source: 2, now: time + 30_000)
        } read: { packet in
          guard let feedback = TransportFeedback(packet) else {
            Issue.record("not a feedback message")
            return
          }
          #expect(feedback.forEachPacket { got[$0] = .some($1) })
        }
      }
      for packet in sent.prefix(through: sent.lastIndex { $0.at != nil } ?? 0) {
        guard let arrival = got[packet.number] else {
          Issue.record("nothing was said of a packet")
          continue
        }
        if let at = packet.at {
          #expect(arrival.map { abs($0 - at) <= 250 } == true)
        } else {
          #expect(arrival == nil)
        }
      }
    }
  }

  @Test("reads the forms of status chunks that others write: runs and vectors of one and two bits")
  func chunks() {
    // Base 10, 24 packets: a run of 3 received, 14 of one bit (all but the last), 7 of two bits.
    let bytes = hex(
      "8fcd000c 00000001 00000002 000a0018 00000501 2003 bffe d555"
        + String(repeating: "04", count: 3 + 13 + 7) + "00000000000000")
    var statuses: [Bool] = []
    var last: Int64 = 0
    bytes.prefix(52).withUnsafeBytes { raw in
      var reader = RTCPReader(raw)
      guard let packet = reader.next(), let feedback = TransportFeedback(packet) else {
        Issue.record("not read")
        return
      }
      #expect(feedback.base == 10)
      #expect(feedback.number == 1)
      feedback.forEachPacket { _, arrival in
        statuses.append(arrival != nil)
        last = arrival ?? last
      }
    }
    #expect(statuses.count == 24)
    #expect(statuses.filter { !$0 }.count == 1)
    #expect(!statuses[16])
    #expect(last == 5 * 64_000 + 23 * 1_000)
  }
}

extension Array {
  /// Neighbours change places now and then.
  fileprivate func shuffledSlightly(_ random: inout SplitMix) -> Self {
    var result = self
    for place in indices.dropFirst(2) where random.next() % 5 == 0 { result.swapAt(place, place - 1) }
    return result
  }
}
