import COpenSSL

/// The session keys of one direction of SRTP or of SRTCP (RFC 3711, section 4.3; RFC 7714, section 11).
struct SRTPSessionKeys {
  var key: [UInt8]
  /// 14 bytes for counter mode, 12 for GCM.
  var salt: [UInt8]
  /// 20 bytes for HMAC-SHA1, none for GCM.
  var authenticationKey: [UInt8]

  enum Use: UInt8 {
    case rtp = 0
    case rtcp = 3
  }

  init(key: [UInt8], salt: [UInt8], authenticationKey: [UInt8] = []) {
    self.key = key
    self.salt = salt
    self.authenticationKey = authenticationKey
  }

  /// Derives from the master key and salt, key derivation rate 0.
  init(profile: SRTPProfile, masterKey: [UInt8], masterSalt: [UInt8], use: Use) throws(RTCFailure) {
    guard masterKey.count == profile.keyLength, masterSalt.count == profile.saltLength else {
      throw .system
    }
    let first = use.rawValue
    func derive(_ label: UInt8, _ count: Int) throws(RTCFailure) -> [UInt8] {
      // A shorter salt is filled with zeros on the right (RFC 7714, section 11).
      var block = masterSalt + [UInt8](repeating: 0, count: 16 - masterSalt.count)
      block[7] ^= label
      return try Self.keystream(key: masterKey, block: block, count: count)
    }
    key = try derive(first, profile.keyLength)
    authenticationKey = profile == .aeadAES128GCM ? [] : try derive(first + 1, 20)
    salt = try derive(first + 2, profile.saltLength)
  }

  /// AES-128 in counter mode over zeros.
  static func keystream(key: [UInt8], block: [UInt8], count: Int) throws(RTCFailure) -> [UInt8] {
    guard let context = EVP_CIPHER_CTX_new() else { throw .system }
    defer { EVP_CIPHER_CTX_free(context) }
    let zeros = [UInt8](repeating: 0, count: count)
    var stream = zeros
    var written: Int32 = 0
    guard EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), nil, key, block) == 1,
      EVP_EncryptUpdate(context, &stream, &written, zeros, Int32(count)) == 1, Int(written) == count
    else { throw .system }
    return stream
  }
}
