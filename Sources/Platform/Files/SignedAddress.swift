import Foundation
import OrielCrypto

/// Addresses of pictures that carry their own right to be read, for a while.
struct SignedAddress: Sendable {
  private let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// A path and a query that `isValid` accepts until `expires`.
  /// - Parameters:
  ///   - scope: what the right depends on beside the path, such as the owner; not part of the address.
  ///   - expires: UTC milliseconds.
  func make(path: String, scope: String, version: Int64, expires: Int64) -> String {
    let signature = signature(path: path, scope: scope, version: version, expires: expires)
    return "\(path)?version=\(version)&expires=\(expires)&signature=\(signature)"
  }

  func isValid(path: String, scope: String, query: (String) -> String?, at now: Int64) -> Bool {
    guard let version = query("version").flatMap({ Int64($0) }),
      let expires = query("expires").flatMap({ Int64($0) }), let given = query("signature"), expires > now
    else { return false }
    let wanted = signature(path: path, scope: scope, version: version, expires: expires)
    return Digest.isEqual(Array(given.utf8), Array(wanted.utf8))
  }

  private func signature(path: String, scope: String, version: Int64, expires: Int64) -> String {
    let digest = Digest.hmacSHA256(
      Array("oriel picture v1\n\(path)\n\(scope)\n\(version)\n\(expires)\n".utf8), key: key)
    return Data(digest).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
