internal import Foundation

/// The file of a clip.
struct ClipFile: ~Copyable {
  enum Trouble: Error { case full, other }

  let path: String
  private let descriptor: Int32
  private let existed: Bool
  /// Bytes that are surely in the file.
  private(set) var size = 0

  /// Opens the file without touching what is in it.
  init(path: String) throws {
    existed = access(path, F_OK) == 0
    descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
    self.path = path
    var status = stat()
    guard descriptor >= 0 else { throw MediaFailure.notWritable }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw MediaFailure.notWritable
    }
  }

  deinit { close(descriptor) }

  mutating func empty() throws {
    guard ftruncate(descriptor, 0) == 0 else { throw Trouble.other }
    size = 0
  }

  /// Appends all or nothing.
  mutating func append(_ parts: [[UInt8]]) throws {
    var position = size
    for part in parts {
      do {
        try put(part, at: position)
      } catch {
        ftruncate(descriptor, off_t(size))
        throw error
      }
      position += part.count
    }
    size = position
  }

  func put(_ bytes: [UInt8], at position: Int) throws {
    try bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = pwrite(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(position + done))
        if count < 0 {
          if errno == EINTR { continue }
          throw [ENOSPC, EFBIG, EDQUOT].contains(errno) ? Trouble.full : Trouble.other
        }
        done += count
      }
    }
  }

  /// Removes the file if it was made here and nothing was written.
  func discard() { if !existed && size == 0 { unlink(path) } }
}
