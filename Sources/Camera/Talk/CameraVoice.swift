import OrielMedia
import OrielModel
import Synchronization

/// A camera's own microphone and loudspeaker on this machine.
///
/// With a microphone both are open for as long as the camera runs, since the echo of the one is taken out of the other;
/// without one the loudspeaker is opened for each talk.
final class CameraVoice: Sendable {
  private struct State {
    var terminal: VoiceTerminal?
    var retry: Task<Void, Never>?
    var isStopped = false
    /// Who talks now is told when the devices go away.
    var lost: (@Sendable (OrielError) -> Void)?
  }

  private let microphone: String??
  private let talk: TalkConfiguration?
  /// What the microphone hears; the newest two seconds are kept.
  let packets: AsyncStream<AudioPacket>
  private let heard: AsyncStream<AudioPacket>.Continuation
  private let log: Log
  private let state = Mutex(State())

  /// How long until devices that could not be opened, or went away, are tried again.
  static let retryInterval = Duration.seconds(5)

  /// - Parameter microphone: nil: none; .some(nil): the one that people chose.
  init(microphone: String??, talk: TalkConfiguration?, log: Log) {
    self.microphone = microphone
    self.talk = talk
    self.log = log
    (packets, heard) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
  }

  /// Opens the microphone, if there is one; blocks.
  func start() {
    guard microphone != nil else { return }
    do {
      let terminal = try open { [weak self] in self?.ended($0) }
      terminal.setPlaying(false)
      let isStopped = state.withLock { state in
        if !state.isStopped { state.terminal = terminal }
        return state.isStopped
      }
      if isStopped { terminal.close() }
    } catch { ended(error as? MediaFailure ?? .noMicrophone) }
  }

  /// Gives the devices back; blocks.
  func stop() {
    let (terminal, retry) = state.withLock { state in
      state.isStopped = true
      state.lost = nil
      return (state.terminal.take(), state.retry.take())
    }
    retry?.cancel()
    terminal?.close()
  }

  /// The loudspeaker for one talk; blocks.
  /// - Throws: `OrielError` 750003, 750004.
  func outlet(_ lost: @escaping @Sendable (OrielError) -> Void) throws -> any TalkOutlet {
    guard microphone != nil else {
      do {
        return Loudspeaker(
          terminal: try open { if $0 != nil { lost(OrielError(.soundUnavailable)) } }, isShared: false)
      } catch { throw (error as? MediaFailure)?.orielError ?? OrielError(.soundUnavailable) }
    }
    guard let terminal = state.withLock({ $0.terminal }) else { throw OrielError(.soundUnavailable) }
    state.withLock { $0.lost = lost }
    terminal.setPlaying(true)
    return Loudspeaker(terminal: terminal, isShared: true)
  }

  private func open(_ ended: @escaping @Sendable (MediaFailure?) -> Void) throws -> VoiceTerminal {
    let input: VoiceInput = microphone.map { .microphone(device: $0) } ?? .none
    return try VoiceTerminal(
      VoiceTerminalOptions(input: input, playsSound: talk != nil, outputDevice: talk?.loudspeaker),
      onPacket: { [heard] in heard.yield($0) }, onEnd: ended)
  }

  private func ended(_ failure: MediaFailure?) {
    let error = (failure ?? .noMicrophone).orielError
    log.error("microphone: \(error); trying again in \(Self.retryInterval)")
    let (old, lost, isStopped) = state.withLock { state in
      (state.terminal.take(), state.lost.take(), state.isStopped)
    }
    lost?(error)
    guard !isStopped else { return }
    let retry = Task.detached { [weak self] in
      old?.close()
      guard (try? await Task.sleep(for: Self.retryInterval)) != nil else { return }
      self?.start()
    }
    state.withLock { $0.retry = retry }
  }

  private struct Loudspeaker: TalkOutlet {
    let terminal: VoiceTerminal
    let isShared: Bool

    func play(_ packet: [UInt8], timestamp: UInt32) { terminal.play(packet, timestamp: timestamp) }
    func close() { if isShared { terminal.setPlaying(false) } else { terminal.close() } }
  }
}
