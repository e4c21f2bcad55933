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
    throw OrielError(.commandNotSupported)
  }
}
