import Foundation
import OrielModel

/// A file that only its owner can read from its first byte on.
enum PrivateFile {
  /// Writes it in place of an older one.
  /// - Throws: `OrielError` 720002 when it cannot be written.
  static func write(_ text: String, to path: String) throws {
    let fresh = path + ".new"
    unlink(fresh)
    let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw OrielError(.fileNotWritable, path) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard (try? file.write(contentsOf: Data(text.utf8))) != nil, rename(fresh, path) == 0 else {
      unlink(fresh)
      throw OrielError(.fileNotWritable, path)
    }
  }
}
