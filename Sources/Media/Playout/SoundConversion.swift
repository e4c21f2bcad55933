internal import Synchronization

/// AAC to the one form of sound that viewers take: Opus of 20 ms, 48 kHz, mono.
public final class SoundConversion: Sendable {
  public let configuration: AACConfiguration
  private let state: Mutex<(pipeline: Pipeline, input: PipelineElement)?>

  /// - Parameter onPacket: gets the packets in order on a thread of its own; their time stamps go on from those put in.
  /// - Throws: ``MediaFailure``.
  public init(
    _ configuration: AACConfiguration, onPacket: @escaping @Sendable (AudioPacket) -> Void
  ) throws {
    self.configuration = configuration
    let data = configuration.bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    let caps = """
      audio/mpeg,mpegversion=4,stream-format=raw,framed=true,rate=\(configuration.sampleRate),\
      channels=\(configuration.channels),codec_data=(buffer)\(data.joined())
      """
    let pipeline = try Pipeline(
      """
      appsrc name=in format=time is-live=true max-buffers=50 max-bytes=0 max-time=0 leaky-type=downstream \
      caps="\(caps)" ! avdec_aac max-errors=-1 ! \(CaptureParts.soundEncoder) \
      ! appsink name=out sync=false async=false enable-last-sample=false
      """, onMessage: { _ in })
    guard let input = pipeline.element("in") else { throw MediaFailure.pipeline("no input") }
    pipeline.onSample("out") { sample in
      let bytes = sample.bytes
      guard let time = sample.presentationTime, !bytes.isEmpty, !CaptureParts.isOpusHeader(bytes) else {
        return
      }
      onPacket(AudioPacket(timestamp: .nanoseconds(time), bytes: bytes))
    }
    try pipeline.start()
    state = Mutex((pipeline, input))
  }

  deinit { close() }

  /// Takes the next frame and returns at once.
  public func convert(_ packet: AudioPacket) {
    guard !packet.bytes.isEmpty, packet.bytes.count <= Self.sizeLimit else { return }
    let input = state.withLock { $0?.input }
    packet.bytes.withUnsafeBytes {
      _ = input?.push($0, at: packet.timestamp.nanoseconds, lasting: packet.duration.nanoseconds)
    }
  }

  /// Gives back all threads; blocks until they have ended. No packet comes afterwards.
  public func close() {
    let old = state.withLock { state in
      defer { state = nil }
      return state?.pipeline
    }
    old?.stop()
  }

  /// Bytes of the largest frame: 6144 bits a channel (ISO/IEC 14496-3 section 4.5.3.2), eight of them, with room.
  static let sizeLimit = 8192
}
