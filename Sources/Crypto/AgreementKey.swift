import COpenSSL
import OrielModel

/// An X25519 private key (RFC 7748): what others seal to.
public struct AgreementKey: Sendable {
  /// The 32-byte scalar. Secret: keep it in a 0600 file only.
  public let scalar: [UInt8]
  /// The 32-byte public key.
  public let publicKey: [UInt8]

  public init() throws { try self.init(scalar: RandomBytes.make(count: 32)) }

  /// - Throws: `OrielError` 730010 when the scalar is not 32 bytes.
  public init(scalar: [UInt8]) throws {
    self.scalar = scalar
    publicKey = try RawKey(privateKey: scalar, type: EVP_PKEY_X25519).publicKey()
  }
}
