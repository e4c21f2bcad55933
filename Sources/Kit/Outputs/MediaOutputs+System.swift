import OrielMedia
import OrielModel

extension MediaOutputs {
  /// GStreamer on Linux.
  public static let system = MediaOutputs(
    decoder: { codec in try numbered { try SystemDecoder(codec: codec) } },
    sound: { try numbered { try SystemSound() } },
    window: { title in try numbered { try SystemWindow(title: title) } },
    playbackDecoder: { codec in try numbered { try SystemDecoder(codec: codec, waitingLimit: 1024) } },
    voice: { input, onPacket, onEnd in
      try numbered { try SystemVoice(input, onPacket: onPacket, onEnd: onEnd) }
    })
}

private struct SystemDecoder: PictureDecoder {
  private let decoder: VideoDecoder

  init(codec: VideoCodec, waitingLimit: Int = VideoDecoder.waitingLimit) throws {
    decoder = try VideoDecoder(codec: codec, waitingLimit: waitingLimit)
  }

  var frames: AsyncStream<VideoFrame> { decoder.frames }
  func decode(_ unit: AccessUnit) { decoder.decode(unit) }
  func close() { decoder.close() }
}

private struct SystemSound: SoundOutput {
  private let player: AudioPlayer

  init() throws { player = try AudioPlayer() }

  func play(_ packet: AudioPacket) { player.play(packet) }
  func close() { player.close() }
}

private struct SystemVoice: VoiceEndpoint {
  private let terminal: VoiceTerminal

  init(
    _ input: VoiceInput, onPacket: @escaping @Sendable (AudioPacket) -> Void,
    onEnd: @escaping @Sendable (OrielError?) -> Void
  ) throws {
    // A file is told to the camera alone; what the camera says is heard where there is a loudspeaker.
    var options = VoiceTerminalOptions(input: input, startsSpeaking: false)
    guard case .file = input else {
      terminal = try VoiceTerminal(
        options, onPacket: onPacket, onEnd: { onEnd($0.map { OrielError(media: $0) }) })
      return
    }
    options.playsSound = false
    do {
      terminal = try VoiceTerminal(
        options, onPacket: onPacket, onEnd: { onEnd($0.map { _ in OrielError(.soundFile) }) })
    } catch { throw OrielError(.soundFile) }
  }

  func play(_ packet: [UInt8], timestamp: UInt32) { terminal.play(packet, timestamp: timestamp) }
  func setSpeaking(_ isOn: Bool) { terminal.setSpeaking(isOn) }
  func setPlaying(_ isOn: Bool) { terminal.setPlaying(isOn) }
  func close() { terminal.close() }
}

private final class SystemWindow: FrameSurface {
  private let window: VideoWindow

  init(title: String) throws { window = try VideoWindow(title: title) }

  func show(_ frame: VideoFrame) { window.show(frame) }
  func close() { window.close() }
}
