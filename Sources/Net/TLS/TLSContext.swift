import CNetShims
import COpenSSL
import Foundation
import OrielModel

/// OpenSSL's settings for many connections: the one place, with `SelfSigned`, that touches its types.
final class TLSContext: @unchecked Sendable {
  // An SSL_CTX is counted and locked by OpenSSL itself; it is not changed after `init`.
  private let context: OpaquePointer

  private init(_ context: OpaquePointer) { self.context = context }

  deinit { SSL_CTX_free(context) }

  /// For a server; the files are PEM.
  static func server(certificateFile: String, keyFile: String) throws -> TLSContext {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw OrielError(.serverError, "no TLS") }
    let server = TLSContext(context)
    oriel_tls_configure(context)
    defer { ERR_clear_error() }
    guard SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1 else {
      throw OrielError(.dataFolder, "no certificate in \(certificateFile)")
    }
    guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1,
      SSL_CTX_check_private_key(context) == 1
    else { throw OrielError(.dataFolder, "no key that fits the certificate in \(keyFile)") }
    return server
  }

  /// For clients. With a pin the certificate chain is not asked for: `Peer.fingerprint` is compared instead.
  static func client(verifies: Bool) throws -> TLSContext {
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw OrielError(.serverError, "no TLS") }
    oriel_tls_configure(context)
    if verifies {
      SSL_CTX_set_default_verify_paths(context)
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    }
    return TLSContext(context)
  }

  /// A new connection, for a `SocketStream` to take over.
  func makeConnection() -> OpaquePointer? { SSL_new(context) }

  /// A new connection to a server of this name.
  func makeConnection(to host: String, verifies: Bool) -> OpaquePointer? {
    guard let tls = SSL_new(context) else { return nil }
    var address = in6_addr()
    let isNumeric = inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
    if !isNumeric { _ = oriel_tls_set_server_name(tls, host) }
    if verifies {
      if isNumeric {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), host)
      } else {
        SSL_set1_host(tls, host)
      }
    }
    return tls
  }

  var fingerprint: String? { SSL_CTX_get0_certificate(context).flatMap(Self.fingerprint(of:)) }

  /// The fingerprint of the key that the peer of a connection has shown.
  static func peerFingerprint(of tls: OpaquePointer) -> String? {
    guard let certificate = SSL_get1_peer_certificate(tls) else { return nil }
    defer { X509_free(certificate) }
    return fingerprint(of: certificate)
  }

  /// Whether the handshake failed because nobody vouches for the peer.
  static func isUntrusted(_ tls: OpaquePointer) -> Bool { SSL_get_verify_result(tls) != Int(X509_V_OK) }

  /// "sha256//" and the base64 of the SHA-256 of the SubjectPublicKeyInfo, as curl pins it.
  static func fingerprint(of certificate: OpaquePointer) -> String? {
    var encoded: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &encoded)
    guard count > 0, let encoded else { return nil }
    defer { CRYPTO_free(encoded, #file, #line) }
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_Digest(encoded, Int(count), &digest, nil, EVP_sha256(), nil)
    return "sha256//" + Data(digest).base64EncodedString()
  }
}
