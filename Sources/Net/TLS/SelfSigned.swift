import CNetShims
import COpenSSL
import Foundation
import OrielModel

/// Makes a key and a certificate that it signs itself.
enum SelfSigned {
  /// Makes what is missing of `certificateFile` and `keyFile`, and the certificate anew when it lacks a name.
  static func prepare(certificateFile: String, keyFile: String, names: [String]) throws {
    if !FileManager.default.fileExists(atPath: keyFile) { try makeKey(keyFile) }
    guard !covers(certificateFile, names) else { return }
    try makeCertificate(certificateFile, keyFile: keyFile, names: names)
  }

  private static func makeKey(_ file: String) throws {
    guard let key = oriel_make_key() else { throw OrielError(.serverError, "no key") }
    defer { EVP_PKEY_free(key) }
    try write(file, mode: 0o600) { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) == 1 }
  }

  private static func makeCertificate(_ file: String, keyFile: String, names: [String]) throws {
    guard let key = readKey(keyFile), let certificate = X509_new() else {
      throw OrielError(.dataFolder, "no key in \(keyFile)")
    }
    defer {
      EVP_PKEY_free(key)
      X509_free(certificate)
    }
    X509_set_version(certificate, 2)
    var serial = [UInt8](repeating: 0, count: 16)
    RAND_bytes(&serial, 16)
    serial[0] &= 0x7f
    let number = BN_bin2bn(serial, 16, nil)
    BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate))
    BN_free(number)
    // A day back, for clocks that are not set; ten years ahead, since a pinned key has no authority to renew it.
    X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400)
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3650 * 86_400)
    X509_set_pubkey(certificate, key)
    let subject = X509_get_subject_name(certificate)
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, "Oriel", -1, -1, 0)
    X509_set_issuer_name(certificate, subject)
    let alternatives = names.map { isNumeric($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
    try add(NID_basic_constraints, "critical,CA:FALSE", to: certificate)
    try add(NID_ext_key_usage, "serverAuth", to: certificate)
    if !names.isEmpty { try add(NID_subject_alt_name, alternatives, to: certificate) }
    guard X509_sign(certificate, key, EVP_sha256()) > 0 else {
      throw OrielError(.serverError, "no certificate")
    }
    try write(file, mode: 0o644) { PEM_write_bio_X509($0, certificate) == 1 }
  }

  private static func add(_ identifier: Int32, _ value: String, to certificate: OpaquePointer) throws {
    guard let part = X509V3_EXT_conf_nid(nil, nil, identifier, value) else {
      ERR_clear_error()
      throw OrielError(.argumentError, "not a host name or address: \(value)")
    }
    X509_add_ext(certificate, part, -1)
    X509_EXTENSION_free(part)
  }

  private static func covers(_ file: String, _ names: [String]) -> Bool {
    guard let input = BIO_new_file(file, "r") else {
      ERR_clear_error()
      return false
    }
    defer { BIO_free(input) }
    guard let certificate = PEM_read_bio_X509(input, nil, nil, nil) else {
      ERR_clear_error()
      return false
    }
    defer { X509_free(certificate) }
    let isCurrent = X509_cmp_current_time(X509_get0_notAfter(certificate)) > 0
    return isCurrent
      && names.allSatisfy {
        isNumeric($0)
          ? X509_check_ip_asc(certificate, $0, 0) == 1
          : X509_check_host(certificate, $0, $0.utf8.count, 0, nil) == 1
      }
  }

  private static func readKey(_ file: String) -> OpaquePointer? {
    guard let input = BIO_new_file(file, "r") else {
      ERR_clear_error()
      return nil
    }
    defer { BIO_free(input) }
    return PEM_read_bio_PrivateKey(input, nil, nil, nil)
  }

  /// Writes a file whole or not at all.
  private static func write(_ file: String, mode: mode_t, _ body: (OpaquePointer) -> Bool) throws {
    let draft = file + ".new"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0, let output = BIO_new_fd(descriptor, BIO_CLOSE) else {
      throw OrielError(.dataFolder, "\(file) cannot be written")
    }
    let isWritten = body(output) && fsync(descriptor) == 0
    BIO_free(output)
    guard isWritten, rename(draft, file) == 0 else {
      throw OrielError(.dataFolder, "\(file) cannot be written")
    }
  }

  private static func isNumeric(_ host: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
  }
}
