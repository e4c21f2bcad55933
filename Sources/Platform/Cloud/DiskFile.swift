import Foundation
import OrielModel

/// What a store of files needs of the system.
enum DiskFile {
  /// nil when there is none.
  static func size(_ path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// The bytes of a range; nil when the file is shorter or not there.
  static func read(_ path: String, _ range: Range<Int64>) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let count = range.count
    var done = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, used in
      while done < count, let base = target.baseAddress {
        let got = pread(descriptor, base + done, count - done, off_t(range.lowerBound) + off_t(done))
        guard got > 0 else { break }
        done += got
      }
      used = done
    }
    return done == count ? bytes : nil
  }

  /// Waits until the disk has a file.
  static func sync(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  /// Waits until the disk has what was renamed or deleted in a file's folder.
  static func syncFolder(of path: String) { _ = sync((path as NSString).deletingLastPathComponent) }

  static func failure(_ path: String) -> OrielError {
    errno == ENOSPC || errno == EDQUOT
      ? OrielError(.diskFull) : OrielError(.dataFolder, "\(path) cannot be written")
  }
}
