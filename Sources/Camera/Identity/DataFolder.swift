import Foundation
import Glibc
import OrielCrypto
import OrielModel
import Synchronization

/// The agent's data folder, locked as long as this lives.
///
/// The lock is the kernel's (`flock`): it goes with the process, however that ends.
final class DataFolder: Sendable {
  let path: String
  private let lock: Mutex<Int32?>

  /// Makes the folder (0700) when it is absent, and locks it.
  /// - Throws: `OrielError` 730010 when it cannot be used, 730011 when another agent holds it.
  init(_ path: String) throws {
    self.path = path
    var status = stat()
    if stat(path, &status) != 0 {
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch { throw OrielError(.dataFolder, path) }
    } else if status.st_mode & S_IFMT != S_IFDIR {
      throw OrielError(.dataFolder, "\(path) is no folder")
    }
    let descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw OrielError(.dataFolder, path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let inUse = errno == EWOULDBLOCK
      close(descriptor)
      throw inUse ? OrielError(.dataFolderInUse, path) : OrielError(.dataFolder, path)
    }
    lock = Mutex(descriptor)
  }

  deinit { unlock() }

  /// Lets another agent use the folder.
  func unlock() {
    lock.withLock {
      if let descriptor = $0 { close(descriptor) }
      $0 = nil
    }
  }

  /// The file's content; nil when there is no such file.
  /// - Throws: `OrielError` 730010 when it is there but cannot be read, is no plain file, or is larger than `limit`.
  func read(_ name: String, limit: Int) throws -> Data? {
    let file = path + "/" + name
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw OrielError(.dataFolder, "\(file) cannot be read")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      throw OrielError(.dataFolder, "\(file) is not what it should be")
    }
    if status.st_mode & 0o077 != 0 {
      // Others could read it: mend what can be mended, refuse what cannot.
      guard fchmod(descriptor, 0o600) == 0 else {
        throw OrielError(.dataFolder, "\(file) can be read by others")
      }
    }
    guard let data = try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
    else { throw OrielError(.dataFolder, "\(file) cannot be read") }
    return data
  }

  /// Writes a file (0600) so that a crash leaves either the old content or the new.
  /// - Throws: `OrielError` 730010 when it cannot be written.
  func write(_ data: Data, to name: String) throws {
    try PrivateFile.write(data, to: path + "/" + name)
  }
}

extension DataFolder {
  /// The identity kept here, made at the first start.
  /// - Throws: `OrielError` 730010 when the file is damaged: a new identity would orphan the device's owner.
  func identity() throws -> DeviceIdentity {
    if let data = try read("identity.json", limit: DeviceIdentity.sizeLimit) {
      return try DeviceIdentity(fileContent: data)
    }
    let identity = try DeviceIdentity.make()
    try write(identity.fileContent(), to: "identity.json")
    return identity
  }
}
