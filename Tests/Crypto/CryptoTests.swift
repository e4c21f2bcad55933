import OrielCrypto
import Testing

func hex(_ text: String) -> [UInt8] {
  stride(from: 0, to: text.count, by: 2).compactMap {
    UInt8(text.dropFirst($0).prefix(2), radix: 16)
  }
}

@Suite struct CryptoTests {
  /// RFC 8032, section 7.1, test 2.
  @Test func ed25519SignsAsTheRFCSays() throws {
    let key = try SigningKey(seed: hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
    #expect(key.publicKey == hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
    let signature = try key.sign([0x72])
    #expect(
      signature
        == hex(
          "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ))
    #expect(SigningKey.isValid(signature: signature, of: [0x72], by: key.publicKey))
    #expect(!SigningKey.isValid(signature: signature, of: [0x73], by: key.publicKey))
    #expect(!SigningKey.isValid(signature: [], of: [0x72], by: key.publicKey))
    #expect(!SigningKey.isValid(signature: signature, of: [0x72], by: [1, 2, 3]))
  }

  /// RFC 7748, section 5.2: the iterated test after one iteration is a public key of the base point.
  @Test func x25519MakesThePublicKeyOfTheRFC() throws {
    let key = try AgreementKey(scalar: [9] + [UInt8](repeating: 0, count: 31))
    #expect(key.publicKey == hex("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"))
    #expect(throws: (any Error).self) { try AgreementKey(scalar: [9]) }
  }

  /// RFC 4231 test 2, RFC 2202 test 2, FIPS 180-2.
  @Test func digestsMatchTheirVectors() {
    let message = Array("what do ya want for nothing?".utf8)
    let key = Array("Jefe".utf8)
    #expect(
      Digest.hmacSHA256(message, key: key)
        == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    #expect(Digest.hmacSHA1(message, key: key) == hex("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
    #expect(
      Digest.sha256(Array("abc".utf8))
        == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
  }

  @Test func onlyTheRightPasswordMatches() throws {
    let hash = try PasswordHash.make("correct horse")
    #expect(hash.hasPrefix("$argon2id$"))
    #expect(PasswordHash.matches("correct horse", hash: hash))
    #expect(!PasswordHash.matches("correct hors", hash: hash))
    #expect(!PasswordHash.matches("correct horse", hash: "nonsense"))
  }
}
