import Testing

@testable import OrielRTC

@Suite struct CodecNegotiationTests {
  private func offered(_ codec: RTPCodec, _ payloadType: UInt8) -> RTPCodec {
    var codec = codec
    codec.payloadType = payloadType
    return codec
  }

  @Test func theOwnOrderCountsAndTheOffersPayloadTypes() {
    let answer = CodecNegotiation.answer(
      offered: [offered(.h265, 40), offered(.h264(), 41), offered(.h264(profileLevelID: "640032"), 42)],
      supported: [.h264(profileLevelID: "64001f"), .h264(), .h265], onlySends: false)
    #expect(answer.map(\.payloadType) == [42, 41, 40])
    #expect(answer.first?.parameters["profile-level-id"] == "640032")
  }

  @Test func aStreamMayBeSentUnderAProfileThatIncludesIts() {
    let main = offered(.h264(profileLevelID: "4d001f"), 50)
    let own = [RTPCodec.h264()]
    #expect(
      CodecNegotiation.answer(offered: [main], supported: own, onlySends: true).map(\.payloadType) == [50])
    #expect(CodecNegotiation.answer(offered: [main], supported: own, onlySends: false).isEmpty)
    let high = [RTPCodec.h264(profileLevelID: "64001f")]
    #expect(CodecNegotiation.answer(offered: [main], supported: high, onlySends: true).isEmpty)
  }

  @Test func anotherPacketizationModeIsAnotherFormat() {
    var other = offered(.h264(), 60)
    other.parameters["packetization-mode"] = nil
    #expect(CodecNegotiation.answer(offered: [other], supported: [.h264()], onlySends: true).isEmpty)
  }

  @Test func feedbackIsWhatBothSidesHave() {
    var codec = offered(.h264(), 70)
    codec.feedback = ["nack", "nack pli", "x-strange"]
    let answer = CodecNegotiation.answer(offered: [codec], supported: [.h264()], onlySends: true)
    #expect(answer.first?.feedback == ["nack", "nack pli"])
  }

  @Test(arguments: [
    ("42e01f", H264Profile.constrainedBaseline), ("42001f", .baseline), ("4d001f", .main), ("64001f", .high),
    ("640c1f", .constrainedHigh), ("42c01f", .constrainedBaseline), ("f4001f", .other), ("xyz", .other),
  ]) func profilesAreTold(text: String, profile: H264Profile) {
    #expect(H264Profile(profileLevelID: text) == profile)
  }
}
