import OrielMedia
import OrielRTC

/// What one viewer of recordings is sent: its pictures and sound as packets, in the session's own time.
@RTCActor
final class PlaybackFeeds {
  let video = PacketFeed(kind: .video, clockRate: 90_000, capacity: 4096)
  let audio = PacketFeed(kind: .audio, clockRate: 48_000, capacity: 256)
  private var packetizer = VideoPacketizer(codec: .h264, maximumPayload: PacketFeed.maximumPayload)
  private let sound: OpusSound
  private var reader: Task<Void, Never>?

  init() {
    let (packets, continuation) = AsyncStream.makeStream(
      of: AudioPacket.self, bufferingPolicy: .bufferingNewest(100))
    sound = OpusSound { continuation.yield($0) }
    reader = Task { @RTCActor [audio] in
      for await packet in packets {
        audio.append(
          packet.bytes, payloadLengths: [packet.bytes.count],
          timestamp: packet.timestamp.ticks(clockRate: 48_000), startsGroup: true)
      }
    }
  }

  deinit { reader?.cancel() }

  /// - Parameter presentation: when to show it, in the session's time.
  func send(_ sample: PlaybackSample, at presentation: Duration) {
    switch sample {
    case .video(let picture, _):
      if packetizer.codec != picture.codec {
        packetizer = VideoPacketizer(codec: picture.codec, maximumPayload: PacketFeed.maximumPayload)
      }
      let batch = packetizer.packetize(picture)
      guard !batch.lengths.isEmpty else { return }
      video.append(
        batch.bytes, payloadLengths: batch.lengths, timestamp: presentation.ticks(clockRate: 90_000),
        startsGroup: picture.isKeyFrame)
    case .audio(var packet, _):
      packet.timestamp = presentation
      sound.take(packet)
    }
  }

  /// Nothing is sent afterwards.
  func close() {
    reader?.cancel()
    sound.reset()
  }
}
