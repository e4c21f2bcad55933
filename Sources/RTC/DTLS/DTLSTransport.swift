import COpenSSL
import CRTCShims

enum DTLSRole: Sendable, Equatable { case client, server }

/// The DTLS of a connection (RFC 8842, RFC 5764): proves both ends by fingerprint, exports the SRTP keys,
/// carries SCTP. Takes and gives datagrams; knows no network. The only file that drives OpenSSL's DTLS.
@RTCActor
final class DTLSTransport {
  enum State: Sendable, Equatable { case new, handshaking, connected, failed, closed }

  /// Bytes of a datagram that is sent.
  static let maximumDatagram = 1200
  private static let recordHeader = 13
  /// One record's plaintext at most; shared, as the loop reads one record at a time.
  private static let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)

  let role: DTLSRole
  private(set) var state = State.new
  private(set) var keys: SRTPKeyingMaterial?

  /// The handshake is done and the peer is who its description says.
  var onConnected: ((SRTPKeyingMaterial) -> Void)?
  /// An SCTP packet; valid during the call.
  var onApplicationData: ((UnsafeRawBufferPointer) -> Void)?
  var onFailure: ((RTCFailure) -> Void)?

  private var ssl: OpaquePointer?
  private let fingerprints: [DTLSFingerprint]
  private let transmit: (UnsafeRawBufferPointer) -> Void
  private var repetition: LoopTimer?
  /// The certificate's context must outlive the connection.
  private let certificate: DTLSCertificate

  /// - Parameters:
  ///   - fingerprints: What the peer's description names; its certificate must match one.
  ///   - transmit: Takes one datagram, valid during the call.
  init(
    role: DTLSRole, certificate: DTLSCertificate, fingerprints: [DTLSFingerprint],
    transmit: @escaping (UnsafeRawBufferPointer) -> Void
  ) throws(RTCFailure) {
    self.role = role
    self.certificate = certificate
    self.fingerprints = fingerprints
    self.transmit = transmit
    guard let ssl = oriel_dtls_new(certificate.context, role == .client, Self.maximumDatagram) else {
      throw .system
    }
    self.ssl = ssl
    repetition = LoopTimer { [weak self] in self?.repeatFlight() }
  }

  /// Begins: the client says hello, the server waits for it.
  func start() {
    guard state == .new else { return }
    state = .handshaking
    if role == .client { step() }
  }

  /// A datagram whose first byte is 20...63 (RFC 7983).
  func receive(_ datagram: UnsafeRawBufferPointer) {
    guard let ssl, let start = datagram.baseAddress, state == .handshaking || state == .connected else {
      return
    }
    guard oriel_dtls_put(ssl, start, datagram.count) else { return }
    step()
  }

  /// Sends application data: one SCTP packet, one record.
  func send(_ bytes: UnsafeRawBufferPointer) {
    guard let ssl, state == .connected, let start = bytes.baseAddress else { return }
    ERR_clear_error()
    _ = SSL_write(ssl, start, Int32(bytes.count))
    flush()
  }

  /// Says close_notify and lets go of everything; no callback comes after.
  func close() {
    guard state != .closed else { return }
    onConnected = nil
    onApplicationData = nil
    onFailure = nil
    if let ssl {
      ERR_clear_error()
      if state == .connected {
        SSL_shutdown(ssl)
        flush()
      }
      SSL_free(ssl)
    }
    state = .closed
    ssl = nil
    repetition?.cancel()
    repetition = nil
  }

  isolated deinit { close() }

  // MARK: The machine

  private func step() {
    if state == .handshaking { handshake() }
    if state == .connected { read() }
    armRepetition()
  }

  private func handshake() {
    guard let ssl else { return }
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    flush()
    guard result == 1 else {
      let error = SSL_get_error(ssl, result)
      if error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE { fail(.handshakeFailed) }
      return
    }
    guard isPeerExpected else { return fail(.fingerprintMismatch) }
    guard let keys = exportKeys() else { return fail(.handshakeFailed) }
    self.keys = keys
    state = .connected
    onConnected?(keys)
  }

  private func read() {
    let buffer = Self.plaintext
    while let ssl, state == .connected {
      ERR_clear_error()
      let count = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
      if count > 0 {
        onApplicationData?(UnsafeRawBufferPointer(rebasing: buffer[..<Int(count)]))
        continue
      }
      flush()
      switch SSL_get_error(ssl, count) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
      case SSL_ERROR_ZERO_RETURN: fail(.closedByPeer)
      default: fail(.handshakeFailed)
      }
      return
    }
  }

  /// Sends what OpenSSL has written. Its memory BIO runs datagrams together, so they are cut again at the
  /// borders of records; small records share a datagram.
  private func flush() {
    guard let ssl else { return }
    var start: UnsafePointer<UInt8>?
    let count = oriel_dtls_pending(ssl, &start)
    guard count > 0, let start else { return }
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    var from = 0
    var end = 0
    while end + Self.recordHeader <= count {
      let length = Self.recordHeader + Int(bytes[end + 11]) << 8 + Int(bytes[end + 12])
      if end > from, end + length - from > Self.maximumDatagram {
        transmit(UnsafeRawBufferPointer(rebasing: bytes[from..<end]))
        from = end
      }
      end = min(end + length, count)
    }
    if end > from { transmit(UnsafeRawBufferPointer(rebasing: bytes[from..<end])) }
    oriel_dtls_discard(ssl)
  }

  private func armRepetition() {
    guard let ssl, state == .handshaking || state == .connected else { return }
    let left = oriel_dtls_time_left(ssl)
    if left >= 0 { repetition?.arm(after: .microseconds(left)) } else { repetition?.cancel() }
  }

  private func repeatFlight() {
    guard let ssl else { return }
    ERR_clear_error()
    let goesOn = oriel_dtls_timeout(ssl)
    flush()
    if goesOn { armRepetition() } else { fail(.handshakeTimeout) }
  }

  private func fail(_ failure: RTCFailure) {
    guard state != .closed, state != .failed else { return }
    state = .failed
    repetition?.cancel()
    onFailure?(failure)
  }

  // MARK: What the handshake gives

  private var isPeerExpected: Bool {
    guard let ssl else { return false }
    var digest = [UInt8](repeating: 0, count: 64)
    return fingerprints.contains { expected in
      let length = oriel_dtls_peer_digest(ssl, expected.algorithm, &digest)
      return length > 0 && Array(digest[..<length]) == expected.digest
    }
  }

  private func exportKeys() -> SRTPKeyingMaterial? {
    guard let ssl, let chosen = SSL_get_selected_srtp_profile(ssl),
      let profile = SRTPProfile(rawValue: UInt16(truncatingIfNeeded: chosen.pointee.id))
    else { return nil }
    let (key, salt) = (profile.keyLength, profile.saltLength)
    var material = [UInt8](repeating: 0, count: 2 * (key + salt))
    let label = "EXTRACTOR-dtls_srtp"
    guard SSL_export_keying_material(ssl, &material, material.count, label, label.utf8.count, nil, 0, 0) == 1
    else { return nil }
    // Client key, server key, client salt, server salt (RFC 5764 section 4.2).
    let client = (Array(material[..<key]), Array(material[(2 * key)..<(2 * key + salt)]))
    let server = (Array(material[key..<(2 * key)]), Array(material[(2 * key + salt)...]))
    let (local, remote) = role == .client ? (client, server) : (server, client)
    return SRTPKeyingMaterial(
      profile: profile, localKey: local.0, localSalt: local.1, remoteKey: remote.0, remoteSalt: remote.1)
  }
}
