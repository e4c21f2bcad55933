internal import Foundation

/// What the test picture looks and sounds like.
public struct TestPattern: Sendable, Equatable {
  /// Pixels, even, 160...3840.
  public var width: Int
  /// Pixels, even, 90...2160.
  public var height: Int
  /// Pictures per second, 1...60.
  public var frameRate: Int
  /// A beep each second.
  public var hasSound: Bool

  public init(width: Int = 1280, height: Int = 720, frameRate: Int = 30, hasSound: Bool = true) {
    self.width = min(max(width, 160), 3840) & ~1
    self.height = min(max(height, 90), 2160) & ~1
    self.frameRate = min(max(frameRate, 1), 60)
    self.hasSound = hasSound
  }
}

/// Where the pictures of a camera come from.
public enum SourceLocation: Sendable, Equatable {
  /// A moving picture with a readable clock, a machine-readable stamp (``FrameStamp``) and a beep.
  case test(TestPattern)
  /// An RTSP camera (RFC 2326, RFC 7826). The address holds no user and no password.
  case rtsp(address: String, credentials: Credentials?)
  /// A Video4Linux2 device, such as /dev/video0.
  case device(path: String)
  /// An MP4, Matroska or MPEG-TS file, played in a loop.
  case file(path: String)

  /// Reads what a person types: `test`, `test:1920x1080@25`, `rtsp://…`, `rtsps://…`, `/dev/video0`, a path
  /// or a `file://` address. User and password in an RTSP address are moved to the credentials.
  /// - Throws: ``MediaFailure/invalidLocation``.
  public init(parsing text: String) throws {
    let text = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    guard !text.isEmpty, text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
      throw MediaFailure.invalidLocation
    }
    let lower = text.lowercased()
    if lower == "test" || lower.hasPrefix("test:") || lower.hasPrefix("test@") {
      self = .test(try Self.pattern(lower.dropFirst(4)))
    } else if lower.hasPrefix("rtsp://") || lower.hasPrefix("rtsps://") {
      self = try Self.rtspLocation(text)
    } else if text.hasPrefix("/dev/") {
      self = .device(path: text)
    } else if lower.hasPrefix("file://") {
      let path = String(text.dropFirst(7))
      guard path.hasPrefix("/") else { throw MediaFailure.invalidLocation }
      self = .file(path: path.removingPercentEncoding ?? path)
    } else if lower.contains("://") {
      throw MediaFailure.invalidLocation
    } else {
      self = .file(path: text)
    }
  }

  private static func pattern(_ rest: Substring) throws -> TestPattern {
    var pattern = TestPattern()
    let halves = rest.split(separator: "@", omittingEmptySubsequences: false)
    guard halves.count <= 2 else { throw MediaFailure.invalidLocation }
    if let size = halves.first?.drop(while: { $0 == ":" }), !size.isEmpty {
      let numbers = size.split(separator: "x").compactMap { Int($0) }
      guard numbers.count == 2, numbers.allSatisfy((64...4096).contains) else {
        throw MediaFailure.invalidLocation
      }
      pattern = TestPattern(width: numbers[0], height: numbers[1])
    }
    if halves.count == 2 {
      guard let rate = Int(halves[1]), (1...120).contains(rate) else { throw MediaFailure.invalidLocation }
      pattern = TestPattern(width: pattern.width, height: pattern.height, frameRate: rate)
    }
    return pattern
  }

  private static func rtspLocation(_ text: String) throws -> SourceLocation {
    guard let colon = text.range(of: "://") else { throw MediaFailure.invalidLocation }
    let scheme = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let path = rest.dropFirst(authority.count)
    var host = authority
    var credentials: Credentials?
    // The last @ ends the user part: passwords with an unescaped @ are common in camera addresses.
    if let at = authority.lastIndex(of: "@") {
      let user = authority[..<at]
      host = authority[authority.index(after: at)...]
      let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      credentials = Credentials(
        user: parts[0].removingPercentEncoding ?? parts[0],
        password: parts.count > 1 ? parts[1].removingPercentEncoding ?? parts[1] : "")
    }
    guard isHost(host), host.utf8.allSatisfy({ $0 > 32 && $0 < 127 }), path.utf8.allSatisfy({ $0 > 32 })
    else { throw MediaFailure.invalidLocation }
    return .rtsp(address: "\(scheme)://\(host)\(path)", credentials: credentials)
  }

  /// A name or an address, IPv6 in brackets, with a port or without.
  private static func isHost(_ text: Substring) -> Bool {
    var port: Substring?
    var name = text
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return false }
      name = text[text.index(after: text.startIndex)..<end]
      let after = text[text.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { return false }
      port = after.isEmpty ? nil : after.dropFirst()
    } else if let colon = text.firstIndex(of: ":") {
      name = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    return !name.isEmpty && (port.map { (1...65_535).contains(Int($0) ?? 0) } ?? true)
  }
}
