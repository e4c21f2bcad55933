import Foundation
import OrielModel
import Testing

@Suite struct LinkMessageTests {
  static func messages() throws -> [LinkMessage] {
    let serial = try DeviceSerial("O12345678")
    let report = DeviceReport(
      name: "Door", model: "oriel-agent", version: "0.1.0",
      cameras: [CameraRecord(cameraNo: 1, name: "Door", delivery: .encoded)])
    var offer = SignalMessage(.offer, session: "s1", to: serial.value)
    try offer.setPayload(SessionDescription(type: "offer", sdp: "v=0\r\n"))
    offer.cameraNo = 1
    offer.videoLevel = .high
    return [
      .challenge(Challenge(nonce: "bm9uY2U=")),
      .hello(
        Hello(serial: serial, signingKey: "a", agreementKey: "b", bootId: "c", signature: "d", report: report)
      ),
      .authenticate(Authentication(accessToken: "at.x")),
      .welcome(
        Welcome(time: 1, clientId: "v1", iceServers: [ICEServerRecord(urls: ["stun:127.0.0.1:3478"])])),
      .refused(Refusal(errorCode: 730_006)), .report(report), .cover(Cover(cameraNo: 1, jpeg: "/9g=")),
      .command(Command(id: "1", request: .proveCode("ABCDEF"))),
      .command(Command(id: "2", request: .setVideoLevel(cameraNo: 1, level: .low))),
      .commandResult(CommandResult(id: "1", errorCode: 120_010)),
      .event(DeviceEvent(kind: .offline, serial: serial, time: 5)),
      .uploadRequest(
        UploadRequest(
          id: "u1", cameraNo: 1, kind: .event, startTime: 1, endTime: 60_001, size: 100,
          digest: String(repeating: "0f", count: 32),
          fragments: FragmentList(
            headSize: 10, codecs: "avc1.42c01f",
            fragments: [.init(offset: 10, size: 90, time: 0, duration: 500, startsWithKeyFrame: true)]))),
      .uploadGrant(UploadGrant(id: "u1", path: "/v1/cloud/uploads/x", offset: 5, expires: 9)),
      .signal(offer),
    ]
  }

  @Test func everyMessageComesBackAsItWas() throws {
    for message in try Self.messages() {
      #expect(try LinkMessage(text: message.text()) == message)
    }
  }

  @Test func signallingKeepsTheEnvelopeOfKinesis() throws {
    guard case .signal(let offer)? = try Self.messages().last else {
      Issue.record("no offer")
      return
    }
    let object = try JSONSerialization.jsonObject(with: Data(LinkMessage.signal(offer).text().utf8))
    let fields = try #require(object as? [String: Any])
    #expect(fields["action"] as? String == "SDP_OFFER")
    #expect(fields["recipientClientId"] as? String == "O12345678")
    let payload = try #require(Data(base64Encoded: fields["messagePayload"] as? String ?? ""))
    #expect(try JSONDecoder().decode(SessionDescription.self, from: payload).type == "offer")
  }

  @Test(arguments: [
    "", "[]", "null", "{}", "{\"action\":7}", "{\"action\":\"NOPE\"}", "{\"action\":\"HELLO\"}",
    "{\"action\":\"HELLO\",\"serial\":\"nonsense\"}",
    "{\"action\":\"SDP_OFFER\",\"sessionId\":null,\"recipientClientId\":\"x\"}",
  ])
  func nonsenseIsRefusedWithItsNumber(_ text: String) {
    #expect(throws: OrielError(.messageMalformed)) { try LinkMessage(text: text) }
  }

  @Test func deepNestingIsRefused() {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: OrielError(.messageMalformed)) { try LinkMessage(text: text) }
  }

  @Test func aMessageOverTheLimitIsNotEvenParsed() {
    let text = "{\"action\":\"" + String(repeating: "A", count: LinkMessage.sizeLimit) + "\"}"
    #expect(throws: OrielError(.messageMalformed, "more than 512 KiB")) { try LinkMessage(text: text) }
  }

  @Test func mutatedMessagesNeverDoMoreThanThrow() throws {
    var seed: UInt64 = 42
    func random() -> UInt64 {
      seed ^= seed << 13
      seed ^= seed >> 7
      seed ^= seed << 17
      return seed
    }
    var refused = 0
    let texts = try Self.messages().map { Array(try $0.text().utf8) }
    for round in 0..<3000 {
      var bytes = texts[round % texts.count]
      for _ in 0...Int(random() % 4) {
        bytes[Int(random() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random())
      }
      do { _ = try LinkMessage(text: String(decoding: bytes, as: UTF8.self)) } catch { refused += 1 }
    }
    #expect(refused > 1000)
  }
}
