/// The protection profile that DTLS-SRTP agreed on (RFC 5764, RFC 7714).
public enum SRTPProfile: UInt16, Sendable, CaseIterable {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case aes128CMSHA1_80 = 0x0001
  case aeadAES128GCM = 0x0007

  /// Bytes of a master key.
  var keyLength: Int { 16 }
  /// Bytes of a master salt.
  var saltLength: Int { self == .aeadAES128GCM ? 12 : 14 }
}

/// What DTLS exports for SRTP: the master key and salt of each direction (RFC 5764 section 4.2).
struct SRTPKeyingMaterial: Sendable, Equatable {
  var profile: SRTPProfile
  /// Protects what is sent.
  var localKey: [UInt8]
  var localSalt: [UInt8]
  /// Opens what is received.
  var remoteKey: [UInt8]
  var remoteSalt: [UInt8]
}
