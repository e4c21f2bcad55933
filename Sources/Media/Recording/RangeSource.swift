internal import Foundation

/// Bytes that can be read from any place: a file, or an address that serves ranges (RFC 9110 section 14).
public protocol RangeSource: Sendable {
  /// Bytes that are there now; a recording that is being written grows.
  var size: Int64 { get async throws }
  /// The bytes of the range, fewer only where the source ends.
  func read(_ range: Range<Int64>) async throws -> [UInt8]
}

/// A file, which may still grow.
public final class RecordingFile: RangeSource {
  private let descriptor: Int32

  /// - Throws: ``MediaFailure/notFound``; ``MediaFailure/refused`` when it may not be read;
  ///   ``MediaFailure/malformed(_:)`` when it is no file.
  public init(path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw [ENOENT, ENOTDIR].contains(errno) ? MediaFailure.notFound : MediaFailure.refused
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw MediaFailure.malformed("not a file")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  public var size: Int64 {
    get throws {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw MediaFailure.stalled }
      return Int64(status.st_size)
    }
  }

  /// - Throws: ``MediaFailure/stalled`` when the disk fails.
  public func read(_ range: Range<Int64>) throws -> [UInt8] {
    guard range.lowerBound >= 0, range.count <= 1 << 30 else {
      throw MediaFailure.malformed("an absurd range")
    }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      while filled < range.count {
        let count = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, range.count - filled,
          off_t(range.lowerBound) + off_t(filled))
        if count < 0 && errno == EINTR { continue }
        failed = count < 0
        if count <= 0 { break }
        filled += count
      }
    }
    if failed { throw MediaFailure.stalled }
    return bytes
  }
}
