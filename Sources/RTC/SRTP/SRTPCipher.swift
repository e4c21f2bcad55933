import COpenSSL
import CRTCShims

/// Protects or opens packets of one direction with one set of session keys: AEAD_AES_128_GCM (RFC 7714)
/// or AES_CM_128_HMAC_SHA1_80 (RFC 3711). One context for all sources; a packet allocates nothing.
final class SRTPCipher {
  let profile: SRTPProfile
  private let context: OpaquePointer
  private let mac: OpaquePointer?
  /// 16 bytes for the initialisation vector, then 20 for a digest, then 16 for associated data.
  private let scratch: UnsafeMutableRawPointer
  /// The salt as it is mixed into the vector's bytes 0...7 and 8...15.
  private let saltHigh: UInt64
  private let saltLow: UInt64

  /// Bytes that SRTP adds to a packet.
  var tagLength: Int { profile == .aeadAES128GCM ? 16 : 10 }

  init(profile: SRTPProfile, keys: SRTPSessionKeys, encrypts: Bool) throws(RTCFailure) {
    self.profile = profile
    let isGCM = profile == .aeadAES128GCM
    guard keys.key.count == profile.keyLength, keys.salt.count == profile.saltLength,
      isGCM || keys.authenticationKey.count == 20, let context = EVP_CIPHER_CTX_new()
    else { throw .system }
    // Counter mode is the same in both directions.
    let initialized = EVP_CipherInit_ex(
      context, isGCM ? EVP_aes_128_gcm() : EVP_aes_128_ctr(), nil, keys.key, nil,
      encrypts || !isGCM ? 1 : 0)
    let mac = isGCM ? nil : oriel_hmac_sha1_new(keys.authenticationKey, keys.authenticationKey.count)
    guard initialized == 1, isGCM || mac != nil else {
      EVP_CIPHER_CTX_free(context)
      oriel_hmac_sha1_free(mac)
      throw .system
    }
    self.context = context
    self.mac = mac
    scratch = .allocate(byteCount: 64, alignment: 16)
    let salt = keys.salt + [UInt8](repeating: 0, count: 16 - keys.salt.count)
    (saltHigh, saltLow) = salt.withUnsafeBytes { ($0.uint64(at: 0), $0.uint64(at: 8)) }
  }

  deinit {
    EVP_CIPHER_CTX_free(context)
    oriel_hmac_sha1_free(mac)
    scratch.deallocate()
  }

  // MARK: RTP

  /// Writes the protected payload and the tag behind a header that already stands at `packet`.
  /// - Parameter index: Roll-over counter and sequence number, 48 bits.
  /// - Returns: The length of the protected packet; 0 when libcrypto failed.
  func protect(
    _ packet: UnsafeMutableRawPointer, headerLength: Int, payload: UnsafeRawBufferPointer, ssrc: UInt32,
    index: UInt64
  ) -> Int {
    let out = packet + headerLength
    if profile == .aeadAES128GCM {
      setGCMVector(ssrc: ssrc, low: index)
      guard seal(payload, associated: packet, headerLength, nil, into: out) else { return 0 }
    } else {
      setCounter(ssrc: ssrc, index: index)
      guard applyCounter(payload, into: out) else { return 0 }
      digest(packet, headerLength + payload.count, rollover: UInt32(truncatingIfNeeded: index >> 16))
      out.advanced(by: payload.count).copyMemory(from: scratch + 16, byteCount: 10)
    }
    return headerLength + payload.count + tagLength
  }

  /// Opens the payload of a packet into `out`, which has room for it.
  /// - Returns: The length of the payload; nil when the packet is not authentic.
  func open(
    _ packet: UnsafeRawBufferPointer, headerLength: Int, ssrc: UInt32, index: UInt64,
    into out: UnsafeMutableRawPointer
  ) -> Int? {
    let count = packet.count - headerLength - tagLength
    guard count >= 0, let base = packet.baseAddress else { return nil }
    let sealed = packet.part(headerLength, count)
    if profile == .aeadAES128GCM {
      setGCMVector(ssrc: ssrc, low: index)
      guard
        unseal(sealed, associated: base, headerLength, nil, tag: base + headerLength + count, into: out)
      else { return nil }
    } else {
      digest(base, headerLength + count, rollover: UInt32(truncatingIfNeeded: index >> 16))
      guard CRYPTO_memcmp(scratch + 16, base + headerLength + count, 10) == 0 else { return nil }
      setCounter(ssrc: ssrc, index: index)
      guard applyCounter(sealed, into: out) else { return nil }
    }
    return count
  }

  // MARK: RTCP

  private static let rtcpHeader = 8
  private static let encryptedFlag: UInt32 = 0x8000_0000

  /// Writes the protected compound packet, flag and index and tag included (RFC 3711, section 3.4).
  /// - Returns: The length written, `packet.count` + 4 + `tagLength`; 0 when libcrypto failed.
  func protectRTCP(_ packet: UnsafeRawBufferPointer, index: UInt32, into out: UnsafeMutableRawPointer) -> Int
  {
    guard packet.count >= Self.rtcpHeader, let base = packet.baseAddress else { return 0 }
    let ssrc = packet.uint32(at: 4)
    let clear = packet.part(Self.rtcpHeader, packet.count - Self.rtcpHeader)
    out.copyMemory(from: base, byteCount: Self.rtcpHeader)
    let word = Self.encryptedFlag | index
    if profile == .aeadAES128GCM {
      setGCMVector(ssrc: ssrc, low: UInt64(index))
      guard seal(clear, associated: out, Self.rtcpHeader, word, into: out + Self.rtcpHeader) else { return 0 }
      out.put(word, at: packet.count + 16)
      return packet.count + 20
    }
    setCounter(ssrc: ssrc, index: UInt64(index))
    guard applyCounter(clear, into: out + Self.rtcpHeader) else { return 0 }
    out.put(word, at: packet.count)
    digest(out, packet.count, rollover: word)
    out.advanced(by: packet.count + 4).copyMemory(from: scratch + 16, byteCount: 10)
    return packet.count + 14
  }

  /// The SRTCP index of a protected packet; nil when it is too short or not encrypted.
  func rtcpIndex(of packet: UnsafeRawBufferPointer) -> UInt32? {
    let trailer = tagLength + 4
    guard packet.count >= Self.rtcpHeader + trailer else { return nil }
    let word = packet.uint32(at: profile == .aeadAES128GCM ? packet.count - 4 : packet.count - 14)
    return word & Self.encryptedFlag == 0 ? nil : word & ~Self.encryptedFlag
  }

  /// Opens a protected compound packet into `out`, which has room for all of it.
  func openRTCP(_ packet: UnsafeRawBufferPointer, index: UInt32, into out: UnsafeMutableRawPointer) -> Int? {
    guard let base = packet.baseAddress else { return nil }
    let count = packet.count - tagLength - 4
    guard count >= Self.rtcpHeader else { return nil }
    let ssrc = packet.uint32(at: 4)
    let sealed = packet.part(Self.rtcpHeader, count - Self.rtcpHeader)
    let word = Self.encryptedFlag | index
    if profile == .aeadAES128GCM {
      setGCMVector(ssrc: ssrc, low: UInt64(index))
      guard
        unseal(
          sealed, associated: base, Self.rtcpHeader, word, tag: base + count, into: out + Self.rtcpHeader)
      else { return nil }
    } else {
      digest(base, count, rollover: word)
      guard CRYPTO_memcmp(scratch + 16, base + count + 4, 10) == 0 else { return nil }
      setCounter(ssrc: ssrc, index: UInt64(index))
      guard applyCounter(sealed, into: out + Self.rtcpHeader) else { return nil }
    }
    out.copyMemory(from: base, byteCount: Self.rtcpHeader)
    return count
  }

  // MARK: Vectors and calls into libcrypto

  /// RFC 7714, sections 8.1 and 9.1: two zero bytes, SSRC, 48 bits; mixed with the salt.
  private func setGCMVector(ssrc: UInt32, low: UInt64) {
    scratch.put(saltHigh ^ UInt64(ssrc) << 16 ^ (low >> 32) & 0xffff, at: 0)
    scratch.put(UInt32(truncatingIfNeeded: saltLow >> 32) ^ UInt32(truncatingIfNeeded: low), at: 8)
  }

  /// RFC 3711, section 4.1.1.
  private func setCounter(ssrc: UInt32, index: UInt64) {
    scratch.put(saltHigh ^ UInt64(ssrc), at: 0)
    scratch.put(saltLow ^ index << 16, at: 8)
  }

  private func bytes(_ pointer: UnsafeRawPointer?) -> UnsafePointer<UInt8>? {
    pointer?.assumingMemoryBound(to: UInt8.self)
  }

  private func applyCounter(_ input: UnsafeRawBufferPointer, into out: UnsafeMutableRawPointer) -> Bool {
    var written: Int32 = 0
    return EVP_EncryptInit_ex(context, nil, nil, nil, bytes(scratch)) == 1
      && (input.isEmpty
        || EVP_EncryptUpdate(
          context, out.assumingMemoryBound(to: UInt8.self), &written, bytes(input.baseAddress),
          Int32(input.count)) == 1)
  }

  private func seal(
    _ input: UnsafeRawBufferPointer, associated: UnsafeRawPointer, _ associatedCount: Int, _ word: UInt32?,
    into out: UnsafeMutableRawPointer
  ) -> Bool {
    var written: Int32 = 0
    let bytesOut = out.assumingMemoryBound(to: UInt8.self)
    guard EVP_EncryptInit_ex(context, nil, nil, nil, bytes(scratch)) == 1,
      EVP_EncryptUpdate(context, nil, &written, bytes(associated), Int32(associatedCount)) == 1
    else { return false }
    if let word {
      scratch.put(word, at: 36)
      guard EVP_EncryptUpdate(context, nil, &written, bytes(scratch + 36), 4) == 1 else { return false }
    }
    guard
      input.isEmpty
        || EVP_EncryptUpdate(context, bytesOut, &written, bytes(input.baseAddress), Int32(input.count)) == 1,
      EVP_EncryptFinal_ex(context, bytesOut + input.count, &written) == 1
    else { return false }
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, out + input.count) == 1
  }

  private func unseal(
    _ input: UnsafeRawBufferPointer, associated: UnsafeRawPointer, _ associatedCount: Int, _ word: UInt32?,
    tag: UnsafeRawPointer, into out: UnsafeMutableRawPointer
  ) -> Bool {
    var written: Int32 = 0
    let bytesOut = out.assumingMemoryBound(to: UInt8.self)
    // libcrypto only reads the tag, though it takes a mutable pointer.
    guard EVP_DecryptInit_ex(context, nil, nil, nil, bytes(scratch)) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, UnsafeMutableRawPointer(mutating: tag)) == 1,
      EVP_DecryptUpdate(context, nil, &written, bytes(associated), Int32(associatedCount)) == 1
    else { return false }
    if let word {
      scratch.put(word, at: 36)
      guard EVP_DecryptUpdate(context, nil, &written, bytes(scratch + 36), 4) == 1 else { return false }
    }
    guard
      input.isEmpty
        || EVP_DecryptUpdate(context, bytesOut, &written, bytes(input.baseAddress), Int32(input.count)) == 1
    else { return false }
    return EVP_DecryptFinal_ex(context, bytesOut + input.count, &written) == 1
  }

  /// HMAC-SHA1 over the packet and one more word, into the scratch at 16.
  private func digest(_ packet: UnsafeRawPointer, _ count: Int, rollover: UInt32) {
    scratch.put(rollover, at: 36)
    oriel_hmac_sha1_digest(
      mac, packet, count, scratch + 36, 4, (scratch + 16).assumingMemoryBound(to: UInt8.self))
  }
}
