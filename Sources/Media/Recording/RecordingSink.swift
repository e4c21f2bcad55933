internal import Foundation

/// Where a recording goes: the one place at which a disk is touched.
///
/// The calls may wait for the disk.
public protocol RecordingSink {
  /// Appends all or nothing: after a failure the end is where it was before, or every later call fails too.
  /// - Throws: ``MediaFailure/storageFull(kept:)`` or ``MediaFailure/notWritable``.
  mutating func append(_ bytes: [UInt8]) throws
  /// Returns when what was appended survives a loss of power.
  mutating func sync() throws
  mutating func close() throws
}

/// A new file.
public final class RecordingFileSink: RecordingSink {
  private var descriptor: Int32
  private var size: off_t = 0
  private var isBroken = false
  /// The folder that does not surely have the file yet; nil when it does.
  private var newIn: String?

  /// - Throws: ``MediaFailure/notWritable`` when there is such a file already or it cannot be made;
  ///   ``MediaFailure/storageFull(kept:)``.
  public init(path: String) throws {
    descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    newIn = URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

  public func append(_ bytes: [UInt8]) throws {
    guard descriptor >= 0, !isBroken else { throw MediaFailure.notWritable }
    try bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = pwrite(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, size + off_t(done))
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else {
          let failure = Self.failure(count < 0 ? errno : EIO)
          // Half a fragment in the middle would hide all that comes after it.
          if done > 0 && ftruncate(descriptor, size) != 0 { isBroken = true }
          throw failure
        }
        done += count
      }
    }
    size += off_t(bytes.count)
  }

  public func sync() throws {
    guard descriptor >= 0 else { throw MediaFailure.notWritable }
    guard fdatasync(descriptor) == 0 else {
      // What the disk refused once is lost, though a second call would say that all is well.
      isBroken = true
      throw Self.failure(errno)
    }
    guard let newIn else { return }
    let folder = open(newIn, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw Self.failure(errno) }
    defer { Foundation.close(folder) }
    guard fsync(folder) == 0 else { throw Self.failure(errno) }
    self.newIn = nil
  }

  public func close() throws {
    guard descriptor >= 0 else { return }
    let result = Foundation.close(descriptor)
    let code = errno
    descriptor = -1
    guard result == 0 || code == EINTR else { throw Self.failure(code) }
  }

  private static func failure(_ code: Int32) -> MediaFailure {
    [ENOSPC, EFBIG, EDQUOT].contains(code) ? .storageFull(kept: nil) : .notWritable
  }
}
