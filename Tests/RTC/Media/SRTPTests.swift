import Testing

@testable import OrielRTC

@Suite("SRTP")
struct SRTPTests {
  private static let gcmKeys = SRTPSessionKeys(
    key: hex("000102030405060708090a0b0c0d0e0f"), salt: hex("517569642070726f2071756f"))

  @Test("derives the keys of RFC 3711, appendix B.3")
  func keyDerivation() throws {
    let keys = try SRTPSessionKeys(
      profile: .aes128CMSHA1_80, masterKey: hex("E1F97A0D3E018BE0D64FA32C06DE4139"),
      masterSalt: hex("0EC675AD498AFEEBB6960B3AABE6"), use: .rtp)
    #expect(keys.key == hex("C61E7A93744F39EE10734AFE3FF7A087"))
    #expect(keys.salt == hex("30CBBC08863D8C85D49DB34A9AE1"))
    #expect(keys.authenticationKey == hex("CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4"))
  }

  @Test("makes the keystream of RFC 3711, appendix B.2")
  func keystream() throws {
    let stream = try SRTPSessionKeys.keystream(
      key: hex("2B7E151628AED2A6ABF7158809CF4F3C"), block: hex("F0F1F2F3F4F5F6F7F8F9FAFBFCFD0000"),
      count: 32)
    #expect(stream == hex("E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB"))
  }

  @Test("protects the packet of RFC 7714, section 16.1.1, and opens it")
  func gcmVector() throws {
    let clear = hex(
      "8040f17b8041f8d35501a0b247616c6c696120657374206f6d6e697320646976697361 20696e207061727465732074726573")
    let sealed = hex(
      """
      8040f17b 8041f8d3 5501a0b2 f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5 0d294e6f 42a5f47a
      51c7d19b 36de3adf 8833899d 7f27beb1 6a9152cf 765ee439 0cce
      """)
    #expect(try protect(clear, profile: .aeadAES128GCM, keys: Self.gcmKeys, index: 0xf17b) == sealed)
    #expect(
      try open(sealed, profile: .aeadAES128GCM, keys: Self.gcmKeys, index: 0xf17b) == Array(clear[12...]))
  }

  @Test("protects the RTCP packet of RFC 7714, section 17.1, and opens it")
  func gcmRTCPVector() throws {
    let clear = hex(
      """
      81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61
      deadbeef deadbeef deadbeef deadbeef deadbeef
      """)
    let sealed = hex(
      """
      81c8000d 4d617273 63e94885 dcdab67c a727d766 2f6b7e99 7ff5c0f7 6c06f32d c676a5f1 730d6fda
      4ce09b46 86303ded 0bb9275b c84aa458 96cf4d2f c5abf872 45d9eade 800005d4
      """)
    let sealer = try SRTPCipher(profile: .aeadAES128GCM, keys: Self.gcmKeys, encrypts: true)
    let opener = try SRTPCipher(profile: .aeadAES128GCM, keys: Self.gcmKeys, encrypts: false)
    var out = [UInt8](repeating: 0, count: 200)
    let length = out.withUnsafeMutableBytes { out in
      clear.withUnsafeBytes { sealer.protectRTCP($0, index: 0x5d4, into: out.baseAddress!) }
    }
    #expect(Array(out[..<length]) == sealed)
    var opened = [UInt8](repeating: 0, count: 200)
    let count = opened.withUnsafeMutableBytes { opened in
      sealed.withUnsafeBytes {
        opener.openRTCP($0, index: opener.rtcpIndex(of: $0)!, into: opened.baseAddress!)
      }
    }
    #expect(count == clear.count)
    #expect(Array(opened[..<clear.count]) == clear)
  }

  @Test("protects the AES_CM_128_HMAC_SHA1_80 packet of libsrtp's test, and opens it")
  func counterModeVector() throws {
    let clear = hex("800f1234decafbadcafebabe" + String(repeating: "ab", count: 16))
    let sealed = hex("800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb")
    let keys = try SRTPSessionKeys(
      profile: .aes128CMSHA1_80, masterKey: hex("e1f97a0d3e018be0d64fa32c06de4139"),
      masterSalt: hex("0ec675ad498afeebb6960b3aabe6"), use: .rtp)
    #expect(try protect(clear, profile: .aes128CMSHA1_80, keys: keys, index: 0x1234) == sealed)
    #expect(try open(sealed, profile: .aes128CMSHA1_80, keys: keys, index: 0x1234) == Array(clear[12...]))
  }

  @Test("opens a stream across the roll-over of the sequence number", arguments: SRTPProfile.allCases)
  func rollover(profile: SRTPProfile) throws {
    let (sender, receiver) = try pair(profile)
    for index in UInt64(0x7ff0)..<0x2_0010 where index % 7 != 0 {
      let packet = make(sender, index: index)
      #expect(open(packet, receiver) == [1, 2, 3, UInt8(truncatingIfNeeded: index)])
      if index == 0x7ff1 { #expect(open(packet, receiver) == nil, "a replay must be refused") }
    }
  }

  @Test("takes a late packet once, refuses one that is too old", arguments: SRTPProfile.allCases)
  func lateness(profile: SRTPProfile) throws {
    let (sender, receiver) = try pair(profile)
    let late = make(sender, index: 1_000)
    let tooLate = make(sender, index: 900)
    #expect(open(make(sender, index: 999), receiver) != nil)
    for index in UInt64(1_001)..<2_990 { #expect(open(make(sender, index: index), receiver) != nil) }
    #expect(open(late, receiver) != nil)
    #expect(open(late, receiver) == nil)
    #expect(open(tooLate, receiver) == nil)
  }

  @Test("refuses every packet with one bit turned", arguments: SRTPProfile.allCases)
  func forgery(profile: SRTPProfile) throws {
    let (sender, receiver) = try pair(profile)
    let packet = make(sender, index: 77)
    for bit in 0..<packet.count * 8 {
      var forged = packet
      forged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(open(forged, receiver) == nil)
    }
    for length in 0..<packet.count { #expect(open(Array(packet[..<length]), receiver) == nil) }
    #expect(open(packet, receiver) != nil)
  }

  @Test("opens RTCP once and refuses it unencrypted, replayed or cut", arguments: SRTPProfile.allCases)
  func rtcp(profile: SRTPProfile) throws {
    let (sender, receiver) = try pair(profile)
    let clear = hex("80c9000100000001 81ca0002 00000001 01016100")
    for _ in 0..<3 {
      var sealed = [UInt8](repeating: 0, count: 100)
      let length = sealed.withUnsafeMutableBytes { out in
        clear.withUnsafeBytes { sender.protectRTCP($0, into: out.baseAddress!) }
      }
      sealed.removeLast(sealed.count - length)
      for cut in 0..<length { #expect(openRTCP(Array(sealed[..<cut]), receiver) == nil) }
      #expect(openRTCP(sealed, receiver) == clear)
      #expect(openRTCP(sealed, receiver) == nil)
      #expect(openRTCP(clear, receiver) == nil)
    }
  }

  // MARK: Steps

  private func pair(_ profile: SRTPProfile) throws -> (SRTPSender, SRTPReceiver) {
    let key = [UInt8](0..<16)
    let salt = [UInt8](repeating: 9, count: profile.saltLength)
    return (
      try SRTPSender(profile: profile, masterKey: key, masterSalt: salt),
      try SRTPReceiver(profile: profile, masterKey: key, masterSalt: salt)
    )
  }

  private func make(_ sender: SRTPSender, index: UInt64) -> [UInt8] {
    var packet = hex("80600000 00000001 0000000a") + [UInt8](repeating: 0, count: 40)
    packet[2] = UInt8(truncatingIfNeeded: index >> 8)
    packet[3] = UInt8(truncatingIfNeeded: index)
    let payload: [UInt8] = [1, 2, 3, UInt8(truncatingIfNeeded: index)]
    let length = packet.withUnsafeMutableBytes { packet in
      payload.withUnsafeBytes {
        sender.protect(packet.baseAddress!, headerLength: 12, payload: $0, ssrc: 10, index: index)
      }
    }
    return Array(packet[..<length])
  }

  private func open(_ packet: [UInt8], _ receiver: SRTPReceiver) -> [UInt8]? {
    var out = [UInt8](repeating: 0, count: 1_500)
    let count: Int? = packet.withUnsafeBytes { packet in
      guard let header = RTPHeader(packet) else { return nil }
      return out.withUnsafeMutableBytes { receiver.open(packet, header: header, into: $0.baseAddress!) }
    }
    return count.map { Array(out[..<$0]) }
  }

  private func openRTCP(_ packet: [UInt8], _ receiver: SRTPReceiver) -> [UInt8]? {
    var out = [UInt8](repeating: 0, count: 1_500)
    let count = packet.withUnsafeBytes { packet in
      out.withUnsafeMutableBytes { receiver.openRTCP(packet, into: $0.baseAddress!) }
    }
    return count.map { Array(out[..<$0]) }
  }

  private func protect(_ clear: [UInt8], profile: SRTPProfile, keys: SRTPSessionKeys, index: UInt64) throws
    -> [UInt8]
  {
    let cipher = try SRTPCipher(profile: profile, keys: keys, encrypts: true)
    var out = Array(clear[..<12]) + [UInt8](repeating: 0, count: clear.count + 16)
    let length = out.withUnsafeMutableBytes { out in
      clear.withUnsafeBytes {
        cipher.protect(
          out.baseAddress!, headerLength: 12, payload: $0.part(12, $0.count - 12), ssrc: $0.uint32(at: 8),
          index: index)
      }
    }
    return Array(out[..<length])
  }

  private func open(_ sealed: [UInt8], profile: SRTPProfile, keys: SRTPSessionKeys, index: UInt64) throws
    -> [UInt8]?
  {
    let cipher = try SRTPCipher(profile: profile, keys: keys, encrypts: false)
    var out = [UInt8](repeating: 0, count: sealed.count)
    let count = out.withUnsafeMutableBytes { out in
      sealed.withUnsafeBytes {
        cipher.open(
          $0, headerLength: 12, ssrc: $0.uint32(at: 8), index: index, into: out.baseAddress!)
      }
    }
    return count.map { Array(out[..<$0]) }
  }
}
