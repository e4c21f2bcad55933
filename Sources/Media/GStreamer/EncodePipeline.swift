internal import Synchronization

/// What an encoder is to make.
struct EncodingTarget: Sendable, Equatable {
  var width: Int
  var height: Int
  var rate: Double
  var bitrate: Int
  var keyFrameInterval: Duration

  /// Key frames at least every so many pictures.
  var keyFrameDistance: Int {
    max(1, Int((rate > 0 ? rate : 30) * (keyFrameInterval / .seconds(1))))
  }
}

/// Encodes raw pictures to H.264 that every browser shows: constrained baseline, one slice, no B-pictures.
final class EncodePipeline: Sendable {
  let target: EncodingTarget
  /// The pictures that go in.
  let input: PictureFormat
  private let pipeline: Pipeline
  private let source: PipelineElement
  private let encoder: PipelineElement?
  private let sink: PipelineElement

  /// - Parameter onUnit: bytes and time since the source's start, on the encoder's thread.
  init(
    _ target: EncodingTarget, input: PictureFormat, like sample: MediaSample,
    onUnit: @escaping @Sendable ([UInt8], Duration) -> Void,
    onFailure: @escaping @Sendable (MediaFailure) -> Void
  ) throws {
    self.target = target
    self.input = input
    let scale =
      target.width == input.width && target.height == input.height
      ? ""
      : "! videoscale ! video/x-raw,width=\(target.width),height=\(target.height),pixel-aspect-ratio=1/1 "
    // One thread keeps one slice a picture and holds no picture back; the queue in front drops what the
    // machine cannot encode in time rather than let it grow old.
    pipeline = try Pipeline(
      """
      appsrc name=in format=time is-live=true max-buffers=4 max-bytes=0 max-time=0 leaky-type=downstream \
      ! deinterlace mode=auto method=linear fields=top \(scale)! x264enc name=encoder tune=zerolatency speed-preset=\(Self.preset(target)) threads=1 \
      sliced-threads=false bframes=0 bitrate=\(target.bitrate / 1000) vbv-buf-capacity=500 \
      key-int-max=\(target.keyFrameDistance) byte-stream=true aud=false option-string="scenecut=0:annexb=1" \
      ! video/x-h264,profile=constrained-baseline,stream-format=byte-stream,alignment=au \
      ! appsink name=out sync=false async=false enable-last-sample=false
      """,
      onMessage: { message in
        if case .error(let error) = message { onFailure(MediaFailure(decoding: error)) }
      })
    guard let source = pipeline.element("in"), let sink = pipeline.element("out") else {
      throw MediaFailure.pipeline("no input")
    }
    self.source = source
    self.sink = sink
    encoder = pipeline.element("encoder")
    source.setCaps(of: sample)
    sink.onSample { sample in
      guard let time = sample.runningTime else { return }
      onUnit(sample.bytes, .nanoseconds(time))
    }
    try pipeline.start()
  }

  private static func preset(_ target: EncodingTarget) -> String {
    target.width * target.height > 1280 * 720 ? "ultrafast" : "superfast"
  }

  func push(_ sample: MediaSample, at timestamp: Duration) {
    source.push(sample, at: timestamp.nanoseconds)
  }

  func requestKeyFrame() { sink.requestKeyFrame() }
  func setBitrate(_ bitsPerSecond: Int) { encoder?.set("bitrate", String(max(1, bitsPerSecond / 1000))) }
  func stop() { pipeline.stop() }
}

extension Duration {
  /// Whole nanoseconds, never below 0.
  var nanoseconds: UInt64 {
    let parts = components
    guard parts.seconds >= 0, parts.attoseconds >= 0, parts.seconds < 9_000_000_000 else { return 0 }
    return UInt64(parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
  }

  /// Whole milliseconds.
  var milliseconds: Int64 {
    let parts = components
    return parts.seconds &* 1000 &+ parts.attoseconds / 1_000_000_000_000_000
  }
}
