import OrielModel

/// A certificate and its private key.
public struct TLSIdentity: Sendable {
  /// "sha256//" and the base64 of the SHA-256 of the SubjectPublicKeyInfo: what `ServerAddress` pins.
  public let fingerprint: String
  let context: TLSContext

  /// Loads a certificate chain and its key, both PEM.
  /// - Throws: `OrielError` 730010 when they cannot be read or do not belong together.
  public static func load(certificateFile: String, keyFile: String) throws -> TLSIdentity {
    let context = try TLSContext.server(certificateFile: certificateFile, keyFile: keyFile)
    guard let fingerprint = context.fingerprint else {
      throw OrielError(.dataFolder, "no certificate in \(certificateFile)")
    }
    return TLSIdentity(fingerprint: fingerprint, context: context)
  }

  /// Loads `tls.crt` and `tls.key` of a folder, making them at the first start: ECDSA P-256, self-signed, the
  /// key readable by its owner only. A later start with other names keeps the key, and so the fingerprint.
  /// - Parameter names: host names and numeric addresses that the certificate is for.
  /// - Throws: `OrielError` 730010 when the folder cannot be used, 400002 when a name is none.
  public static func generate(in folder: String, names: [String]) throws -> TLSIdentity {
    let certificateFile = folder + "/tls.crt"
    let keyFile = folder + "/tls.key"
    try SelfSigned.prepare(certificateFile: certificateFile, keyFile: keyFile, names: names)
    return try load(certificateFile: certificateFile, keyFile: keyFile)
  }
}
