import OrielMedia
import OrielModel

extension MediaOutputs {
  /// GStreamer on Linux.
  public static let system = MediaOutputs(
    decoder: { codec in try numbered { try SystemDecoder(codec: codec) } },
    sound: { try numbered { try SystemSound() } },
    window: { title in try numbered { try SystemWindow(title: title) } },
    playbackDecoder: { codec in try numbered { try SystemDecoder(codec: codec, waitingLimit: 1024) } })
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

private final class SystemWindow: FrameSurface {
  private let window: VideoWindow

  init(title: String) throws { window = try VideoWindow(title: title) }

  func show(_ frame: VideoFrame) { window.show(frame) }
  func close() { window.close() }
}
