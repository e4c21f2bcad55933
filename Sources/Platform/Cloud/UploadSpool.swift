import Foundation
import OrielCrypto
import OrielModel

/// What has come of recordings that are being uploaded: one file each, which only grows.
///
/// How far an upload has come is the file's size and nothing else, so that no crash can make the two differ.
/// An actor on the default pool, so that no disk is waited for on the network loop.
actor UploadSpool {
  private let folder: String

  /// - Throws: `OrielError` 730010 when the folder cannot be made.
  init(folder: String) throws {
    self.folder = folder
    try DataFolder.make(folder)
  }

  nonisolated func path(_ name: String) -> String { "\(folder)/\(name).part" }

  /// Bytes that have come.
  nonisolated func offset(of name: String) -> Int64 { DiskFile.size(path(name)) ?? 0 }

  /// Adds a piece.
  /// - Parameter size: bytes that the whole may have.
  /// - Returns: bytes that have come now.
  /// - Throws: `OrielError` 720305 when it does not begin where the last one ended, 720306 when the whole would get
  ///   too long, 720001 when the disk is full: what fitted stays.
  func append(_ bytes: [UInt8], to name: String, at offset: Int64, size: Int64) throws -> Int64 {
    let descriptor = open(path(name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DiskFile.failure(path(name)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int64(status.st_size) == offset else {
      throw OrielError(.uploadOffset)
    }
    guard Int64(bytes.count) <= size - offset else { throw OrielError(.uploadTooLong) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { throw DiskFile.failure(path(name)) }
      rest = rest.dropFirst(written)
    }
    return offset + Int64(bytes.count)
  }

  /// The SHA-256 of what has come.
  @concurrent nonisolated func digest(of name: String) async throws -> [UInt8] {
    try Digest.sha256(contentsOfFile: path(name))
  }

  func discard(_ name: String) { unlink(path(name)) }

  /// Every upload that something has come of.
  func names() -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.compactMap { $0.hasSuffix(".part") ? String($0.dropLast(5)) : nil }
  }
}
