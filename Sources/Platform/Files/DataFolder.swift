import Foundation
import OrielModel

/// The platform's data folder, held by one platform at a time.
///
/// The lock is the kernel's: it goes with the process, however that ends.
final class DataFolder: Sendable {
  let path: String
  private let descriptor: Int32

  /// Makes the folder when it is absent, 0700, and locks it.
  /// - Throws: `OrielError` 730010 when it cannot be used, 730011 when another platform holds it.
  init(_ path: String) throws {
    self.path = path
    try Self.make(path)
    descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw OrielError(.dataFolder) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isHeld = errno == EWOULDBLOCK
      Foundation.close(descriptor)
      throw OrielError(isHeld ? .dataFolderInUse : .dataFolder)
    }
  }

  deinit { close(descriptor) }

  /// Makes a file that only its owner may read, so that a library that opens it makes no wider one.
  func prepare(_ name: String) throws -> String {
    let file = path + "/" + name
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw OrielError(.dataFolder) }
    Foundation.close(descriptor)
    return file
  }

  static func make(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw OrielError(.dataFolder)
    }
  }
}
