import OrielMedia
import OrielModel
import OrielRTC

/// One recording of a view: waits for the codec, opens the file, takes what comes, finishes.
@RTCActor
final class ClipRecording {
  private enum State {
    case waiting
    case opening(Task<ClipWriter, any Error>)
    case writing(ClipWriter)
    case failed(OrielError)
    /// The view stopped: the file is being finished, or is.
    case finishing(Task<ClipSummary, any Error>)
  }

  private let path: String
  private var state = State.waiting
  private var starter: CheckedContinuation<Void, any Error>?

  init(path: String, starter: CheckedContinuation<Void, any Error>) {
    self.path = path
    self.starter = starter
  }

  var isWaiting: Bool { if case .waiting = state { true } else { false } }

  /// Opens the file; the codec is known now. `opened` is called on the loop when it takes pictures.
  func open(codec: VideoCodec, hasAudio: Bool, opened: @escaping @RTCActor () -> Void) {
    guard isWaiting else { return }
    let path = path
    // Opening builds a pipeline and touches the disk: not on the loop.
    let task = Task.detached { try ClipWriter(path: path, video: codec, sound: hasAudio ? .opus : nil) }
    state = .opening(task)
    Task { @RTCActor in
      let result = await task.result
      guard case .opening = state else { return }
      switch result {
      case .success(let writer):
        state = .writing(writer)
        starter?.resume()
        opened()
      case .failure(let error):
        let error = OrielError(anyError: error, other: .fileNotWritable)
        state = .failed(error)
        starter?.resume(throwing: error)
      }
      starter = nil
    }
  }

  /// Whether the file could not be opened: then there is nothing to stop.
  var hasFailedToOpen: Bool {
    if case .failed = state { return starter == nil && !hasWritten }
    return false
  }
  private var hasWritten = false

  /// - Returns: why the recording has ended, when it does so now.
  func write(_ unit: AccessUnit) -> OrielError? {
    guard case .writing(let writer) = state else { return nil }
    hasWritten = true
    return take { try writer.write(unit) }
  }

  func write(_ packet: AudioPacket) -> OrielError? {
    guard case .writing(let writer) = state else { return nil }
    return take { try writer.write(packet) }
  }

  private func take(_ write: () throws -> Void) -> OrielError? {
    do {
      try write()
      return nil
    } catch {
      guard case .writing(let writer) = state else { return nil }
      let reason = OrielError(anyError: error)
      // What is there is made playable; the reason is what the stop will tell.
      state = .finishing(
        Task.detached {
          _ = try? await writer.finish()
          throw reason
        })
      return reason
    }
  }

  /// Ends it; the summary, or the reason why there is none, comes from `result()`.
  func end(because error: OrielError? = nil) {
    switch state {
    case .waiting:
      let error = error ?? OrielError(.nothingRecorded)
      state = .failed(error)
      starter?.resume(throwing: error)
      starter = nil
    case .opening(let task):
      starter?.resume()
      starter = nil
      state = .finishing(Task.detached { try await task.value.finish() })
    case .writing(let writer):
      state = .finishing(Task.detached { try await writer.finish() })
    case .failed, .finishing: break
    }
  }

  func result() async throws -> ClipSummary {
    switch state {
    case .failed(let error): throw error
    case .finishing(let task):
      do { return try await task.value } catch { throw OrielError(anyError: error) }
    case .waiting, .opening, .writing: throw OrielError(.nothingRecorded)
    }
  }
}
