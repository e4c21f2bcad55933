import Foundation
import OrielModel

/// Finds and mends what is wrong in a folder of recordings.
///
/// ```swift
/// let report = try await RecordingsCheck(folder: "camera/recordings", dataFolder: "camera").run(mends: true)
/// ```
public struct RecordingsCheck: Sendable {
  private let folder: String
  private let dataFolder: String

  /// - Parameter dataFolder: of the agent that records there; it remembers which folder it used.
  public init(folder: String, dataFolder: String) {
    self.folder = folder
    self.dataFolder = dataFolder
  }

  /// Compares files and index, every file read to its end.
  ///
  /// Without `mends` nothing is changed, and an agent may be recording meanwhile. With it, a folder that was mounted in
  /// the place of another one is taken over.
  /// - Parameter onProgress: told files done and files to do.
  /// - Throws: `OrielError` 720101 when there is no such folder, 720106 when it is to be mended and an agent uses it.
  public func run(
    mends: Bool, onProgress: @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws -> CheckReport {
    // As the agent does: by the path that it was given.
    let store = RecordingStore(
      folder: folder, memory: FolderMemory(file: dataFolder + "/recordings-folder.json"))
    try await store.openForCheck(isExclusive: mends)
    do {
      let report = try await store.check(mends: mends, onProgress: onProgress)
      await store.close()
      return report
    } catch {
      await store.close()
      throw error
    }
  }
}
