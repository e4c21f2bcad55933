import Foundation
public import OrielModel

/// A bucket of a server that speaks S3: `s3://BUCKET@HOST[:PORT][/PREFIX][?region=REGION]` over TLS, its key pinned by
/// `#sha256//…` if one likes; `s3+http://…` on this machine only.
public struct S3Location: Sendable, Equatable, CustomStringConvertible {
  public let server: ServerAddress
  public let bucket: String
  /// In front of every name: empty, or with a slash at its end.
  public let prefix: String
  /// "us-east-1" when none is named.
  public let region: String

  /// - Throws: `OrielError` 400002 when the text is no such address, or holds a password.
  public init(_ text: String) throws {
    let bad = OrielError(.argumentError, "a bucket is s3://BUCKET@HOST[:PORT][/PREFIX][?region=REGION]")
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      scheme == "s3" || scheme == "s3+http", let bucket = parts.user, let host = parts.host,
      parts.password == nil, Self.isName(bucket, also: ".-"), (3...63).contains(bucket.utf8.count)
    else { throw bad }
    let query = parts.queryItems ?? []
    let region = query.first { $0.name == "region" }?.value ?? "us-east-1"
    let path = parts.path.split(separator: "/", omittingEmptySubsequences: true)
    guard query.allSatisfy({ $0.name == "region" }), Self.isName(region, also: "-"), path.count <= 8,
      path.allSatisfy({ Self.isName(String($0), also: "-_") })
    else { throw bad }
    let port = parts.port.map { ":\($0)" } ?? ""
    let pin = parts.fragment.map { "#\($0)" } ?? ""
    server = try ServerAddress("\(scheme == "s3" ? "https" : "http")://\(host)\(port)\(pin)")
    self.bucket = bucket
    self.region = region
    prefix = path.map { $0 + "/" }.joined()
  }

  public var description: String { "bucket \(bucket) of \(server.host):\(server.port)" }

  /// Only what no part of a request encodes: signer and server cannot differ over it.
  private static func isName(_ text: String, also: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        switch $0 {
        case 48...57, 65...90, 97...122: true
        default: also.utf8.contains($0)
        }
      }
  }
}

/// An access key and its secret. Describes itself as `******`.
public struct S3Credentials: Sendable, CustomStringConvertible, CustomReflectable {
  let accessKey: String
  let secret: String

  public init(accessKey: String, secret: String) {
    self.accessKey = accessKey
    self.secret = secret
  }

  /// Reads a file that holds the access key on its first line and the secret on its second.
  /// - Throws: `OrielError` 400002 when it is not that, or others than its owner may read it.
  public init(contentsOfFile path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0, let data = FileManager.default.contents(atPath: path),
      data.count <= 4_096
    else { throw OrielError(.argumentError, "\(path) cannot be read") }
    guard status.st_mode & 0o077 == 0 else {
      throw OrielError(.argumentError, "\(path) may be read by others: chmod 600 it")
    }
    let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard lines.count == 2, lines.allSatisfy({ !$0.isEmpty }) else {
      throw OrielError(.argumentError, "\(path) has the access key and the secret on a line each")
    }
    self.init(accessKey: lines[0], secret: lines[1])
  }

  public var description: String { "******" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
