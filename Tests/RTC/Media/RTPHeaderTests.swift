import Testing

@testable import OrielRTC

@Suite("RTP header")
struct RTPHeaderTests {
  private func with<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    hex(text).withUnsafeBytes(body)
  }

  @Test("reads fixed part, sources, extension and padding")
  func whole() {
    with("b2e00102 00000304 00000506 0000000a 0000000b bede0001 10ff3200 aabbcc03") { packet in
      guard let header = RTPHeader(packet) else {
        Issue.record("not read")
        return
      }
      #expect(header.marker)
      #expect(header.payloadType == 96)
      #expect(header.sequenceNumber == 0x102)
      #expect(header.timestamp == 0x304)
      #expect(header.ssrc == 0x506)
      #expect(header.length == 28)
      #expect(header.payload(opened: packet.part(28, 4)).map(Array.init) == [0xaa])
      #expect(header.extensions.value(id: 1, in: packet).map(Array.init) == [0xff])
      #expect(header.extensions.value(id: 3, in: packet) == nil, "runs over the end")
    }
  }

  @Test("reads elements of the two-byte form")
  func twoByteForm() {
    with("90600001 00000000 00000001 10000002 0500 2003 61626300") { packet in
      let extensions = RTPHeader(packet)?.extensions
      #expect(extensions?.value(id: 5, in: packet)?.isEmpty == true)
      #expect(extensions?.value(id: 32, in: packet).map(Array.init) == Array("abc".utf8))
      #expect(extensions?.value(id: 6, in: packet) == nil)
    }
  }

  @Test(
    "refuses what is cut, of another version, or padded beyond its length",
    arguments: [
      "", "80", "8060000100000000000000", "40600001 00000000 00000001", "81600001 00000000 00000001",
      "90600001 00000000 00000001", "90600001 00000000 00000001 bede0001",
    ])
  func refused(packet: String) {
    #expect(with(packet) { RTPHeader($0) == nil })
  }

  @Test(
    "refuses padding that is longer than what is there, or nothing",
    arguments: ["00", "0105", "", "010203ff"])
  func padding(body: String) {
    let header = with("a0600001 00000000 00000001") { RTPHeader($0) }
    #expect(with(body) { header?.payload(opened: $0) == nil })
  }

  @Test("the sender's template is read back as it was meant")
  func template() {
    let template = RTPHeaderTemplate(
      payloadType: 102, ssrc: 0xdead_beef, transportNumberID: 5, midID: 9, mid: "video0")
    defer { template.deallocate() }
    for withMID in [true, false] {
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { buffer in
        let length = template.write(
          to: buffer.baseAddress!, marker: true, sequenceNumber: 7, timestamp: 8, transportNumber: 0x1234,
          withMID: withMID)
        let packet = UnsafeRawBufferPointer(rebasing: buffer[..<length])
        guard let header = RTPHeader(packet) else {
          Issue.record("not read")
          return
        }
        #expect(header.length == length)
        #expect(header.marker && header.payloadType == 102 && header.ssrc == 0xdead_beef)
        #expect(header.sequenceNumber == 7 && header.timestamp == 8)
        #expect(header.extensions.value(id: 5, in: packet).map(Array.init) == [0x12, 0x34])
        #expect(
          header.extensions.value(id: 9, in: packet).map(Array.init) == (withMID ? Array("video0".utf8) : nil)
        )
      }
    }
  }
}
