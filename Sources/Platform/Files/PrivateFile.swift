import Foundation
import OrielModel

/// Files that only their owner may read.
enum PrivateFile {
  /// Replaces the file as a whole: a reader sees the old bytes or the new ones.
  /// - Throws: `OrielError` 720001 when the disk is full, 730010 when it cannot be written otherwise.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    do {
      defer { close(descriptor) }
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        guard written > 0 else { throw failure() }
        rest = rest.dropFirst(written)
      }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      unlink(temporary)
      throw failure()
    }
  }

  private static func failure() -> OrielError {
    OrielError(errno == ENOSPC || errno == EDQUOT ? .diskFull : .dataFolder)
  }
}
