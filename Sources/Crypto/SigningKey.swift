import COpenSSL
import OrielModel

/// An Ed25519 private key (RFC 8032). The identity of a device.
public struct SigningKey: Sendable {
  /// The 32-byte seed. Secret: keep it in a 0600 file only.
  public let seed: [UInt8]
  /// The 32-byte public key.
  public let publicKey: [UInt8]

  public init() throws { try self.init(seed: RandomBytes.make(count: 32)) }

  /// - Throws: `OrielError` 730010 when the seed is not 32 bytes.
  public init(seed: [UInt8]) throws {
    self.seed = seed
    publicKey = try RawKey(privateKey: seed, type: EVP_PKEY_ED25519).publicKey()
  }

  /// The 64-byte signature of a message.
  public func sign(_ message: [UInt8]) throws -> [UInt8] {
    let key = try RawKey(privateKey: seed, type: EVP_PKEY_ED25519)
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 64)
    var length = 64
    guard EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1,
      EVP_DigestSign(context, &signature, &length, message, message.count) == 1, length == 64
    else { throw OrielError(.serverError, "signing failed") }
    return signature
  }

  /// Whether the signature is the key's for the message. Malformed input is simply not valid.
  public static func isValid(signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard signature.count == 64, let key = try? RawKey(publicKey: publicKey, type: EVP_PKEY_ED25519) else {
      return false
    }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit(context, nil, nil, nil, key.pointer) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}
