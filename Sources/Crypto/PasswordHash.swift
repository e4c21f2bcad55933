import CSodium
import OrielModel

/// Argon2id of a password, as libsodium writes it (algorithm, cost and salt stand in the text).
public enum PasswordHash {
  /// About 100 ms and 64 MiB: call it off the event loop.
  /// - Throws: `OrielError` 150000 when there is not enough memory.
  public static func make(_ password: String) throws -> String {
    guard sodium_init() >= 0 else { throw OrielError(.serverError, "libsodium did not start") }
    var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let length = UInt64(password.utf8.count)
    guard
      crypto_pwhash_str(
        &text, password, length, UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE),
        Int(crypto_pwhash_MEMLIMIT_INTERACTIVE)) == 0
    else { throw OrielError(.serverError, "not enough memory to hash a password") }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether the password is the one that was hashed. As slow as `make`.
  public static func matches(_ password: String, hash: String) -> Bool {
    guard sodium_init() >= 0, hash.utf8.count < Int(crypto_pwhash_STRBYTES) else { return false }
    return crypto_pwhash_str_verify(hash, password, UInt64(password.utf8.count)) == 0
  }
}
