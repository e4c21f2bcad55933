import OrielMedia
import OrielModel
import OrielRTC

/// The loudspeaker of a view: opened when sound is asked for, closed when it is not.
@RTCActor
final class SoundFlow {
  private var output: (any SoundOutput)?
  private var task: Task<Void, Never>?
  private var isWanted = false
  /// Counts openings, so that one that was given up is closed when it comes.
  private var opening = 0
  private let open: @Sendable () throws -> any SoundOutput

  nonisolated init(outputs: MediaOutputs) { open = outputs.sound }

  /// - Parameter failed: called on the loop when there is no loudspeaker.
  func start(failed: @escaping @RTCActor (OrielError) -> Void) {
    guard !isWanted else { return }
    isWanted = true
    opening += 1
    let number = opening
    let open = open
    let before = task
    task = Task.detached {
      await before?.value
      let opened = Result { try open() }
      await self.take(opened, number: number, failed: failed)
    }
  }

  private func take(
    _ opened: Result<any SoundOutput, any Error>, number: Int, failed: @RTCActor (OrielError) -> Void
  ) {
    guard isWanted, number == opening else {
      if case .success(let output) = opened { output.close() }
      return
    }
    switch opened {
    case .success(let output): self.output = output
    case .failure(let error):
      isWanted = false
      failed(OrielError(anyError: error, other: .soundUnavailable))
    }
  }

  func play(_ packet: AudioPacket) { output?.play(packet) }

  func stop() {
    isWanted = false
    guard let output else { return }
    self.output = nil
    let before = task
    task = Task.detached {
      await before?.value
      output.close()
    }
  }

  func finished() async { await task?.value }
}
