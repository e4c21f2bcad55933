import COpenSSL
import OrielModel

/// libcrypto's handle of a raw 32-byte key; freed with its owner.
final class RawKey {
  let pointer: OpaquePointer

  init(privateKey bytes: [UInt8], type: Int32) throws {
    guard bytes.count == 32, let key = EVP_PKEY_new_raw_private_key(type, nil, bytes, bytes.count) else {
      throw OrielError(.dataFolder, "a key is damaged")
    }
    pointer = key
  }

  init(publicKey bytes: [UInt8], type: Int32) throws {
    guard bytes.count == 32, let key = EVP_PKEY_new_raw_public_key(type, nil, bytes, bytes.count) else {
      throw OrielError(.parameterError, "a key is malformed")
    }
    pointer = key
  }

  deinit { EVP_PKEY_free(pointer) }

  func publicKey() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    var length = 32
    guard EVP_PKEY_get_raw_public_key(pointer, &bytes, &length) == 1, length == 32 else {
      throw OrielError(.dataFolder, "a key is damaged")
    }
    return bytes
  }
}
