import Foundation
import OrielModel

/// User and password of a camera's source. A secret: it describes itself as `******`.
public struct SourceCredentials: Sendable, Equatable {
  public let user: String
  /// Never log, store or put this in an argument list.
  public let password: String

  /// The largest file that is read, in bytes.
  static let sizeLimit = 4096

  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// Reads `user:password`, or the user on the first line and the password on the second.
  /// - Throws: `OrielError` 400002 when the text is neither.
  public init(text: String) throws {
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    if lines.count == 2 {
      self.init(user: lines[0], password: lines[1])
    } else if lines.count == 1, let colon = lines[0].firstIndex(of: ":") {
      self.init(user: String(lines[0][..<colon]), password: String(lines[0][lines[0].index(after: colon)...]))
    } else {
      throw OrielError(.argumentError, "the credentials file holds neither user:password nor two lines")
    }
  }

  /// Reads the file that `SOURCE_CREDENTIALS` names.
  /// - Throws: `OrielError` 400002 when it cannot be read or is malformed.
  public init(contentsOfFile path: String) throws {
    guard let data = FileManager.default.contents(atPath: path), data.count <= Self.sizeLimit else {
      throw OrielError(.argumentError, "the credentials file \(path) cannot be read")
    }
    try self.init(text: String(decoding: data, as: UTF8.self))
  }
}

extension SourceCredentials: CustomStringConvertible, CustomReflectable {
  public var description: String { "******" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
