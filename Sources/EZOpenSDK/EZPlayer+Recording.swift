import Foundation
import OrielKit
import OrielModel
import Synchronization

/// Clips of what is shown.
extension EZPlayer {
  /// Records what is shown to an MP4 file, from the next key frame on.
  /// - Returns: false when no view is under way, or a recording is, or the folder cannot be written.
  @discardableResult
  public func startLocalRecord(withPathExt path: String!) -> Bool {
    guard let kit, let path, !path.isEmpty else { return false }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else { return false }
    let isFree = state.withLock { state -> Bool in
      guard state.isRunning, state.recording == nil else { return false }
      state.recording = path
      return true
    }
    guard isFree else { return false }
    Task {
      do { try await kit.startRecording(to: path) } catch {
        Log("ezopensdk").error("startLocalRecord: \(error)")
      }
    }
    return true
  }

  /// Ends the recording.
  /// - Parameter complete: whether there is a file; on the main queue.
  /// - Returns: false when none was under way.
  @discardableResult
  public func stopLocalRecordExt(_ complete: ((Bool) -> Void)!) -> Bool {
    let wasRecording = state.withLock { state -> Bool in
      defer { state.recording = nil }
      return state.recording != nil
    }
    let complete = MainQueueClosure<Bool> { done, _ in complete?(done ?? false) }
    guard wasRecording, let kit else {
      DispatchQueue.main.async { complete.call(false, nil) }
      return false
    }
    Task {
      let done = (try? await kit.stopRecording()) != nil
      DispatchQueue.main.async { complete.call(done, nil) }
    }
    return true
  }
}
