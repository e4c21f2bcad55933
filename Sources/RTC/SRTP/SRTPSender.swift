/// Protects what is sent on one connection.
///
/// With GCM a packet that is sent again must be the same byte for byte: other associated data under the
/// same sequence number would give the authentication key away (RFC 7714, section 8.4).
final class SRTPSender {
  private let rtp: SRTPCipher
  private let rtcp: SRTPCipher
  private var rtcpIndex: UInt32 = 0

  init(profile: SRTPProfile, masterKey: [UInt8], masterSalt: [UInt8]) throws(RTCFailure) {
    rtp = try SRTPCipher(
      profile: profile,
      keys: SRTPSessionKeys(profile: profile, masterKey: masterKey, masterSalt: masterSalt, use: .rtp),
      encrypts: true)
    rtcp = try SRTPCipher(
      profile: profile,
      keys: SRTPSessionKeys(profile: profile, masterKey: masterKey, masterSalt: masterSalt, use: .rtcp),
      encrypts: true)
  }

  var tagLength: Int { rtp.tagLength }
  /// The most that protection adds to a compound RTCP packet.
  static let rtcpOverhead = 20

  /// See `SRTPCipher.protect`.
  @inline(__always) func protect(
    _ packet: UnsafeMutableRawPointer, headerLength: Int, payload: UnsafeRawBufferPointer, ssrc: UInt32,
    index: UInt64
  ) -> Int {
    rtp.protect(packet, headerLength: headerLength, payload: payload, ssrc: ssrc, index: index)
  }

  func protectRTCP(_ packet: UnsafeRawBufferPointer, into out: UnsafeMutableRawPointer) -> Int {
    rtcpIndex = (rtcpIndex + 1) & 0x7fff_ffff
    return rtcp.protectRTCP(packet, index: rtcpIndex, into: out)
  }
}
