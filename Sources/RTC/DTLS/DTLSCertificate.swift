import COpenSSL
import CRTCShims

/// The identity of this process towards its peers: one P-256 key and self-signed certificate, made at
/// first use and never stored. Descriptions carry its fingerprint (RFC 8122).
@RTCActor
final class DTLSCertificate {
  private static var made: Result<DTLSCertificate, RTCFailure>?

  /// - Throws: `RTCFailure.system` when OpenSSL cannot make a key.
  static func shared() throws(RTCFailure) -> DTLSCertificate {
    let result = made ?? Result { () throws(RTCFailure) in try DTLSCertificate() }
    made = result
    return try result.get()
  }

  let context: OpaquePointer
  let fingerprint: DTLSFingerprint

  init() throws(RTCFailure) {
    guard let context = oriel_dtls_context_new() else { throw .system }
    var digest = [UInt8](repeating: 0, count: 32)
    guard oriel_dtls_context_fingerprint(context, &digest) else {
      SSL_CTX_free(context)
      throw .system
    }
    self.context = context
    fingerprint = DTLSFingerprint(algorithm: "sha-256", digest: digest)
  }

  isolated deinit { SSL_CTX_free(context) }
}

/// The digest of a certificate, as descriptions name it (RFC 8122 section 5).
struct DTLSFingerprint: Sendable, Hashable {
  /// `sha-256`, `sha-384` or `sha-512`: weaker ones are not taken.
  var algorithm: String
  var digest: [UInt8]

  init(algorithm: String, digest: [UInt8]) {
    self.algorithm = algorithm
    self.digest = digest
  }

  /// Reads `sha-256 AB:CD:…`; nil for another form or a weak algorithm.
  init?(parsing text: some StringProtocol) {
    let fields = text.split(separator: " ")
    guard fields.count == 2 else { return nil }
    algorithm = fields[0].lowercased()
    let lengths = ["sha-256": 32, "sha-384": 48, "sha-512": 64]
    let parts = fields[1].split(separator: ":", omittingEmptySubsequences: false)
    digest = parts.compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
    guard let length = lengths[algorithm], digest.count == length, parts.count == length else { return nil }
  }

  var text: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for (index, byte) in digest.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ":")) }
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
    return "\(algorithm) \(String(decoding: bytes, as: UTF8.self))"
  }
}
