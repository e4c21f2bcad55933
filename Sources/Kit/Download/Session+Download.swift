import Foundation
public import OrielMedia
public import OrielModel

/// How far a download is.
public struct DownloadProgress: Sendable, Equatable {
  /// Bytes of recordings fetched.
  public var bytes: Int64
  /// Of the range, 0...1.
  public var fraction: Double
}

extension Session {
  /// Writes what was recorded to one MP4 file, every picture as it was recorded. Gaps are left out of the file's
  /// time.
  ///
  /// The bytes come as fast as the line gives them: from the device over the data channel of a session of its
  /// own, from the cloud over HTTP.
  /// - Parameter progress: called now and then, on any thread.
  /// - Throws: `OrielError` 395402 when nothing was recorded, 720001, 720002, and as a playback fails; 760001
  ///   when the task is cancelled, the file is removed then.
  @discardableResult
  public func download(
    of serial: DeviceSerial, cameraNo: Int = 1, range: PlaybackRange, to path: String,
    progress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) async throws -> ClipSummary {
    guard let to = range.to, range.from < to else { throw OrielError(.playbackRange) }
    let window = range.from..<to
    do {
      switch range.store {
      case .cloud:
        let files = CloudFiles(session: self, serial: serial, cameraNo: cameraNo, window: window)
        return try await join(files, window, to: path, progress)
      case .device:
        let player = playback(of: serial, cameraNo: cameraNo, range: range)
        let files = DeviceFiles(player: player)
        do {
          try await files.start()
          let summary = try await join(files, window, to: path, progress)
          files.stop()
          await player.close()
          return summary
        } catch {
          files.stop()
          await player.close()
          throw error
        }
      }
    } catch is CancellationError { throw OrielError(.cancelled) } catch let error as PlaybackFailure {
      throw OrielError(error.errorCode)
    } catch let error as MediaFailure {
      throw OrielError(anyError: error)
    }
  }

  private func join(
    _ files: any DownloadedFiles, _ window: Range<Int64>, to path: String,
    _ progress: (@Sendable (DownloadProgress) -> Void)?
  ) async throws -> ClipSummary {
    var clip = ClipJoin(path: path, window: window)
    do {
      while let (source, map) = try await files.next() {
        let bytes = clip.bytes
        try await clip.add(source, map) { time in
          let done = Double(min(max(time, window.lowerBound), window.upperBound) - window.lowerBound)
          progress?(DownloadProgress(bytes: bytes, fraction: done / Double(window.count)))
        }
      }
      return try await clip.finish()
    } catch {
      // What a person did not get to its end is no clip. A file that was there before, and not begun anew, stays.
      if clip.hasBegun {
        _ = try? await clip.finish()
        unlink(path)
      }
      throw error
    }
  }
}
