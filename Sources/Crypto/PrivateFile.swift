import Foundation
import OrielModel

/// Files that only their owner may read, from their first byte on: keys, codes, passwords, covers.
public enum PrivateFile {
  /// Replaces the file as a whole: a reader, also one after a power cut, finds the old bytes or the new ones.
  /// - Parameter isDurable: whether to wait until the disk has it.
  /// - Throws: `OrielError` 720001 when the disk is full, 730010 when it cannot be written otherwise.
  public static func write(_ bytes: some Sequence<UInt8>, to path: String, isDurable: Bool = true) throws {
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    do {
      defer { close(descriptor) }
      var rest = Array(bytes)[...]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        guard written > 0 else { throw failure(path) }
        rest = rest.dropFirst(written)
      }
      guard !isDurable || fsync(descriptor) == 0 else { throw failure(path) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      unlink(temporary)
      throw failure(path)
    }
    if isDurable { syncFolder(of: path) }
  }

  private static func syncFolder(of path: String) {
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private static func failure(_ path: String) -> OrielError {
    errno == ENOSPC || errno == EDQUOT
      ? OrielError(.diskFull) : OrielError(.dataFolder, "\(path) cannot be written")
  }
}
