import Foundation
import OrielCrypto
import OrielModel

/// The relays and reflectors that a peer is told, with a credential of its own
/// (draft-uberti-behave-turn-rest-00 section 2.2, as coturn's `use-auth-secret` takes it).
struct ICEServers: Sendable {
  let stunURLs: [String]
  let turn: PlatformConfiguration.TURN?

  /// - Parameters:
  ///   - name: a device's serial or a viewer's client id; it appears in the relay's log.
  ///   - now: UTC milliseconds.
  func records(for name: String, at now: Int64) -> [ICEServerRecord] {
    var records = stunURLs.isEmpty ? [] : [ICEServerRecord(urls: stunURLs)]
    if let turn, !turn.urls.isEmpty {
      let username = "\(now / 1_000 + turn.lifetime.components.seconds):\(name)"
      let digest = Digest.hmacSHA1(Array(username.utf8), key: Array(turn.secret.utf8))
      records.append(
        ICEServerRecord(
          urls: turn.urls, username: username, credential: Data(digest).base64EncodedString()))
    }
    return records
  }
}
