import COpenSSL
import Foundation
import OrielModel

/// SHA-256 and HMAC-SHA-256, and HMAC-SHA-1 for the TURN REST convention.
public enum Digest {
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    return digest
  }

  /// The SHA-256 of a file, read in pieces.
  /// - Throws: `OrielError` 395402 when it cannot be read.
  public static func sha256(contentsOfFile path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OrielError(.recordNotFound) }
    let context = EVP_MD_CTX_new()
    defer {
      close(descriptor)
      EVP_MD_CTX_free(context)
    }
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    var digest = [UInt8](repeating: 0, count: 32)
    _ = EVP_DigestInit_ex(context, EVP_sha256(), nil)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw OrielError(.recordNotFound) }
      if count == 0 { break }
      _ = EVP_DigestUpdate(context, buffer, count)
    }
    _ = EVP_DigestFinal_ex(context, &digest, nil)
    return digest
  }

  public static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    hmac(bytes, key: key, algorithm: EVP_sha256(), length: 32)
  }

  /// Only for `draft-uberti-behave-turn-rest`, which fixes SHA-1.
  public static func hmacSHA1(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    hmac(bytes, key: key, algorithm: EVP_sha1(), length: 20)
  }

  /// Compares in constant time.
  public static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }

  private static func hmac(_ bytes: [UInt8], key: [UInt8], algorithm: OpaquePointer?, length: Int) -> [UInt8]
  {
    var digest = [UInt8](repeating: 0, count: length)
    _ = HMAC(algorithm, key, Int32(key.count), bytes, bytes.count, &digest, nil)
    return digest
  }
}
