import Foundation
import OrielCrypto
import OrielModel

/// The pictures that the platform keeps: the latest cover of each camera, and captures for two hours.
///
/// An actor on the default pool, so that no disk is waited for on the network loop.
actor PictureFolder {
  static let captureLifetime: TimeInterval = 2 * 3600
  static let captureLimit = 10_000

  private let covers: String
  private let captures: String

  /// - Throws: `OrielError` 730010 when the folder cannot be made.
  init(dataFolder: String) throws {
    covers = dataFolder + "/covers"
    captures = dataFolder + "/captures"
    for folder in [covers, captures] { try DataFolder.make(folder) }
  }

  func saveCover(_ jpeg: [UInt8], of cameraNo: Int, on serial: DeviceSerial) throws {
    try PrivateFile.write(jpeg, to: coverPath(of: cameraNo, on: serial))
  }

  nonisolated func coverPath(of cameraNo: Int, on serial: DeviceSerial) -> String {
    "\(covers)/\(serial)-\(cameraNo).jpg"
  }

  /// A device changed hands: its pictures were the former owner's.
  func removeCovers(of serial: DeviceSerial, cameras: [Int]) {
    for cameraNo in cameras { unlink(coverPath(of: cameraNo, on: serial)) }
  }

  /// Keeps a capture and forgets those that are too old.
  /// - Returns: its name.
  func saveCapture(_ jpeg: [UInt8]) throws -> String {
    forgetOldCaptures()
    let name = try RandomText.make(32)
    try PrivateFile.write(jpeg, to: capturePath(name))
    return name
  }

  nonisolated func capturePath(_ name: String) -> String { "\(captures)/\(name).jpg" }

  private func forgetOldCaptures() {
    let files = FileManager.default
    guard let names = try? files.contentsOfDirectory(atPath: captures) else { return }
    let oldest = Date().addingTimeInterval(-Self.captureLifetime)
    let dated = names.map { name in
      let attributes = try? files.attributesOfItem(atPath: "\(captures)/\(name)")
      return (name: name, date: attributes?[.modificationDate] as? Date ?? .distantPast)
    }.sorted { $0.date < $1.date }
    let tooMany = max(dated.count - Self.captureLimit + 1, 0)
    for (index, file) in dated.enumerated() where index < tooMany || file.date < oldest {
      unlink("\(captures)/\(file.name)")
    }
  }
}
