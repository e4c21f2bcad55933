import Foundation
import OrielModel

/// The cloud as files of this machine: `files/ab/ab….mp4`, so that no folder gets too large.
struct FileCloudStore: CloudStore {
  private let folder: String

  /// - Throws: `OrielError` 730010 when the folder cannot be made.
  init(folder: String) throws {
    self.folder = folder
    try DataFolder.make(folder)
  }

  private func path(_ name: String) -> String { "\(folder)/\(name.prefix(2))/\(name).mp4" }

  func localPath(of name: String) -> String? { path(name) }

  @concurrent func keep(_ source: String, as name: String) async throws {
    let target = path(name)
    // Done before, and the platform ended before it could note that.
    if access(source, F_OK) != 0, access(target, F_OK) == 0 { return }
    try DataFolder.make((target as NSString).deletingLastPathComponent)
    guard DiskFile.sync(source), rename(source, target) == 0 else { throw DiskFile.failure(target) }
    DiskFile.syncFolder(of: target)
    DiskFile.syncFolder(of: (target as NSString).deletingLastPathComponent)
    DiskFile.syncFolder(of: source)
  }

  func size(of name: String) async throws -> Int64? { DiskFile.size(path(name)) }

  @concurrent func read(_ name: String, _ range: Range<Int64>) async throws -> [UInt8] {
    guard let bytes = DiskFile.read(path(name), range) else { throw OrielError(.recordNotFound) }
    return bytes
  }

  @concurrent func delete(_ name: String) async throws {
    guard unlink(path(name)) == 0 || errno == ENOENT else { throw DiskFile.failure(path(name)) }
    DiskFile.syncFolder(of: path(name))
  }
}
