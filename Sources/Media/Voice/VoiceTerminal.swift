internal import Synchronization

/// One end of a conversation: from the microphone to Opus packets, and from Opus packets to the loudspeaker, with echo
/// cancelled between the two. It knows no network.
public final class VoiceTerminal: Sendable {
  private let latency: SharedLatency
  private let sending: VoiceSending?
  private let microphone: VoiceMicrophone?
  private let file: VoiceFile?
  private let hearing: VoiceHearing?
  private let loudspeaker: VoiceLoudspeaker?
  private let isClosed = Atomic(false)

  /// Opens the devices, the microphone first; blocks until sound runs. Callbacks may come before it returns, on the
  /// devices' threads, and must not call ``close()`` themselves.
  /// - Parameters:
  ///   - onPacket: Opus of 20 ms; the time stamp is the time of capture since the opening, by the microphone's clock.
  ///   - onEnd: nil when a file was played to its end; a failure when a device went away, once, as the last call.
  /// - Throws: ``MediaFailure/noMicrophone``, ``MediaFailure/noAudioDevice`` without a loudspeaker; for a file
  ///   also `.notFound`, `.refused`, `.malformed`, `.unsupported`.
  public init(
    _ options: VoiceTerminalOptions, onPacket: @escaping @Sendable (AudioPacket) -> Void,
    onEnd: @escaping @Sendable (MediaFailure?) -> Void
  ) throws(MediaFailure) {
    let end = VoiceEnd(onEnd)
    let hearsItself = options.input.isMicrophone && options.playsSound && options.echo
    let processor =
      options.input.isMicrophone
      ? try VoiceProcessor(echo: hearsItself, noise: options.noise, gain: options.gain) : nil
    let latency = SharedLatency()
    let sending =
      options.input == .none
      ? nil : try VoiceSending(options, processor: processor, latency: latency, onPacket: onPacket)
    let hearing = options.playsSound ? try VoiceHearing(hearsItself ? processor : nil, latency: latency) : nil

    var microphone: VoiceMicrophone?
    var file: VoiceFile?
    switch options.input {
    case .none: break
    case .microphone(let device):
      microphone = try VoiceMicrophone(
        device: device, server: options.soundServer, onFrame: { sending?.take($0) }, onEnd: { end.tell($0) })
    case .file(let path):
      file = try VoiceFile(
        path: path, onFrame: { sending?.take($0) },
        onEnd: { reason in
          if reason == nil { sending?.finish() }
          end.tell(reason)
        })
    }
    do {
      loudspeaker = try hearing.map { hearing throws(MediaFailure) in
        try VoiceLoudspeaker(
          device: options.outputDevice, server: options.soundServer,
          render: { hearing.fill($0, heardAfter: $1) },
          onEnd: { end.tell($0) })
      }
    } catch {
      microphone?.close()
      file?.close()
      throw error
    }
    self.latency = latency
    (self.sending, self.microphone, self.file, self.hearing) = (sending, microphone, file, hearing)
    setSpeaking(options.startsSpeaking)
  }

  deinit { close() }

  /// Takes a packet for the loudspeaker, from any thread, and returns at once.
  /// - Parameter timestamp: RTP's, at 48 kHz (RFC 7587).
  public func play(_ opus: [UInt8], timestamp: UInt32) { hearing?.insert(opus, timestamp: timestamp) }

  /// Whether the voice is given out. While it is not, the microphone runs, but nothing is encoded; a file stands still.
  public func setSpeaking(_ on: Bool) {
    sending?.setSpeaking(on)
    file?.setRunning(on)
  }

  /// Whether what comes is played. While it is not, it is dropped, and the loudspeaker is silent.
  public func setPlaying(_ on: Bool) { hearing?.setPlaying(on) }

  /// Follows the loss that the far end reports, in percent.
  public func expect(loss: Int) { sending?.expect(loss: loss) }

  public var statistics: VoiceTerminalStatistics {
    var statistics = VoiceTerminalStatistics()
    statistics.sent = sending?.sent ?? 0
    statistics.loudspeakerLatency = latency.value
    hearing?.describe(in: &statistics)
    return statistics
  }

  /// Gives devices and threads back, and blocks until that is done. Nothing is called afterwards.
  public func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    microphone?.close()
    file?.close()
    loudspeaker?.close()
  }
}

extension VoiceInput {
  fileprivate var isMicrophone: Bool {
    if case .microphone = self { true } else { false }
  }
}

/// Tells the end of any of several devices: a failure once, and nothing after it.
private final class VoiceEnd: Sendable {
  private let onEnd: @Sendable (MediaFailure?) -> Void
  private let hasFailed = Atomic(false)

  init(_ onEnd: @escaping @Sendable (MediaFailure?) -> Void) { self.onEnd = onEnd }

  func tell(_ reason: MediaFailure?) {
    if reason == nil
      ? !hasFailed.load(ordering: .acquiring) : !hasFailed.exchange(true, ordering: .acquiringAndReleasing)
    {
      onEnd(reason)
    }
  }
}
