import COpenSSL
import OrielModel

/// Bytes from libcrypto's generator.
public enum RandomBytes {
  /// - Throws: `OrielError` 150000 when the system has no entropy to give.
  public static func make(count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw OrielError(.serverError, "no randomness") }
    return bytes
  }
}
