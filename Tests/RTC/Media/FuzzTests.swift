import Foundation
import Testing

@testable import OrielRTC

@Suite("Damaged and hostile input")
@RTCActor
struct FuzzTests {
  /// The packets of `Tests/RTC/Corpus/<name>.hex`, one a line.
  private func corpus(_ name: String) throws -> [[UInt8]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "Corpus/\(name).hex"), encoding: .utf8)
    let packets = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { hex(String($0)) }
    #expect(!packets.isEmpty)
    return packets
  }

  private func mutate(_ packet: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var packet = packet
    for _ in 0..<(1 + random.next() % 4) {
      let place = packet.isEmpty ? 0 : Int(random.next() % UInt64(packet.count))
      switch random.next() % 5 {
      case 0 where !packet.isEmpty: packet[place] = UInt8(truncatingIfNeeded: random.next())
      case 1 where !packet.isEmpty: packet[place] ^= 1 << UInt8(random.next() % 8)
      case 2: packet.removeLast(packet.count - place)
      case 3 where !packet.isEmpty: packet[place] = [0, 1, 0x7f, 0x80, 0xff][Int(random.next() % 5)]
      default: packet.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      }
    }
    return packet
  }

  @Test("RTP headers, extensions and padding")
  func rtp() throws {
    var random = SplitMix(state: 11)
    var read = 0
    for seed in try corpus("rtp") {
      for _ in 0..<2_000 {
        mutate(seed, &random).withUnsafeBytes { packet in
          guard let header = RTPHeader(packet) else { return }
          read += 1
          for id in UInt8(0)...16 { _ = header.extensions.value(id: id, in: packet)?.count }
          let body = packet.part(header.length, packet.count - header.length)
          let payload = header.payload(opened: body)
          #expect((payload?.count ?? 0) <= packet.count)
          for probe in [KeyFrameProbe.h264, .h265] { _ = payload.map(probe.startsKeyFrame) }
        }
      }
    }
    #expect(read > 1_000)
  }

  @Test("RTCP of every kind")
  func rtcp() throws {
    var random = SplitMix(state: 12)
    var packets = 0
    for seed in try corpus("rtcp") {
      for _ in 0..<1_000 {
        mutate(seed, &random).withUnsafeBytes { compound in
          var reader = RTCPReader(compound)
          var inOne = 0
          while let packet = reader.next() {
            inOne += 1
            _ = packet.senderReport
            var reported = 0
            packet.forEachReportBlock { _ in reported += 1 }
            packet.forEachLost { _ in reported += 1 }
            packet.forEachFullIntraRequest { _, _ in reported += 1 }
            _ = packet.maximumBitrate
            TransportFeedback(packet)?.forEachPacket { _, _ in reported += 1 }
            #expect(reported <= TransportFeedback.maximumPackets)
          }
          packets += inOne
          #expect(inOne <= RTCPReader.maximumPackets)
        }
      }
    }
    #expect(packets > 1_000)
  }

  @Test("authentic RTCP of every kind, damaged before it was protected, and random datagrams")
  func session() async throws {
    let call = try VirtualCall()
    call.sender.attach(call.feed)
    call.source.start()
    await call.clock.run(for: 300_000)
    let key = [UInt8](repeating: 2, count: 16)
    let peer = try SRTPSender(
      profile: .aeadAES128GCM, masterKey: key, masterSalt: [UInt8](repeating: 3, count: 12))
    var random = SplitMix(state: 13)
    // Far beyond what the real viewer has used, so that none is taken for a replay.
    var out = [UInt8](repeating: 0, count: 2_000)
    for _ in 0..<500 {
      out.withUnsafeMutableBytes { out in
        hex("80c9000100000001").withUnsafeBytes { _ = peer.protectRTCP($0, into: out.baseAddress!) }
      }
    }
    for seed in try corpus("rtcp") {
      for _ in 0..<100 {
        let packet = mutate(seed, &random)
        let length = out.withUnsafeMutableBytes { out in
          packet.withUnsafeBytes { peer.protectRTCP($0, into: out.baseAddress!) }
        }
        out.withUnsafeBytes { call.camera.receive(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
        await call.clock.run(for: 500)
      }
    }
    for _ in 0..<5_000 {
      let packet = (0..<Int(random.next() % 100)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      packet.withUnsafeBytes { call.camera.receive($0) }
      packet.withUnsafeBytes { call.viewer.receive($0) }
    }
    let before = call.picture.shown.count
    await call.clock.run(for: 1_000_000)
    #expect(call.picture.shown.count > before + 20, "the stream goes on")
  }

  @Test("authentic RTP with wild numbers, times and lengths")
  func wildStream() async throws {
    let call = try VirtualCall()
    let peer = try SRTPSender(
      profile: .aeadAES128GCM, masterKey: [UInt8](repeating: 1, count: 16),
      masterSalt: [UInt8](repeating: 3, count: 12))
    var random = SplitMix(state: 14)
    var index: UInt64 = 100
    var delivered = 0
    call.receiver.onPacket = { _ in delivered += 1 }
    var packet = [UInt8](repeating: 0, count: 2_000)
    for round in 0..<3_000 {
      index += round % 50 == 0 ? random.next() % 3_000 : random.next() % 4
      let payload = [UInt8](repeating: 5, count: Int(random.next() % 1_300))
      let length = packet.withUnsafeMutableBytes { packet in
        let base = packet.baseAddress!
        base.put(UInt8(random.next() % 8 == 0 ? 0xa0 : 0x80), at: 0)
        base.put(UInt8(96 | (random.next() % 2 == 0 ? 0x80 : 0)), at: 1)
        base.put(UInt16(truncatingIfNeeded: index), at: 2)
        base.put(UInt32(truncatingIfNeeded: random.next()), at: 4)
        base.put(UInt32(1_111), at: 8)
        return payload.withUnsafeBytes {
          peer.protect(base, headerLength: 12, payload: $0, ssrc: 1_111, index: index)
        }
      }
      packet.withUnsafeBytes { call.viewer.receive(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
      await call.clock.run(for: Int64(random.next() % 10_000))
    }
    await call.clock.run(for: 2_000_000)
    #expect(delivered > 1_000)
    let statistics = call.receiver.statistics
    #expect(statistics.lost > 0)
    #expect(statistics.packets >= UInt64(delivered))
  }

  @Test("the opening message of a data channel")
  func dcep() throws {
    var random = SplitMix(state: 15)
    for seed in try corpus("dcep") {
      for _ in 0..<2_000 {
        let open = DataChannelOpen(mutate(seed, &random))
        #expect((open?.label.utf8.count ?? 0) <= DataChannelOpen.maximumName)
      }
    }
  }
}
