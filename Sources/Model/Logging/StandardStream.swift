#if canImport(Glibc)
  import Glibc
#endif

/// Standard output and standard error.
///
/// `FileHandle.write` ends the process where nothing can be written: a full disk or a pipe whose reader has gone
/// must not take a camera down with it.
public enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Writes the whole text, at once.
  /// - Returns: false when it could not be written; what is left of it is dropped.
  @discardableResult
  public func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { Self.write($0, to: rawValue) }
  }

  static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Bool {
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      #if canImport(Glibc)
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN {
        // Somebody has made the terminal or pipe non-blocking.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 1_000) > 0 else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

extension Unicode.Scalar {
  /// Whether it would do something to a terminal or a line of text instead of standing in it: control characters
  /// of both sets, line and paragraph separators, and what turns the direction of writing.
  public var isInvisibleControl: Bool {
    switch value {
    case 0..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
