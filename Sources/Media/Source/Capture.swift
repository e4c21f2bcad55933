/// Why a capture ended by itself.
enum CaptureEnd: Sendable, Equatable {
  case endOfStream
  case failed(MediaFailure)
}

/// Where a capture puts what it gets. Times are on the scale of ``Runtime/now``, in nanoseconds.
struct CaptureOutput: Sendable {
  /// An encoded picture in byte stream form.
  var unit: @Sendable (_ codec: VideoCodec, _ bytes: [UInt8], _ time: UInt64) -> Void
  /// A raw picture.
  var picture: @Sendable (_ sample: MediaSample, _ time: UInt64) -> Void
  /// An Opus packet.
  var audio: @Sendable (_ bytes: [UInt8], _ time: UInt64) -> Void
  var ended: @Sendable (CaptureEnd) -> Void
}

/// One attempt to get media from a location: the seam behind which GStreamer's rtspsrc and the others can be
/// replaced. A capture is started once and stopped once.
protocol Capture: Sendable {
  func start(_ output: CaptureOutput) throws
  /// Blocks until every thread and descriptor is given back; nothing comes out afterwards.
  func stop()
}

/// Parts of pipelines that several captures share.
enum CaptureParts {
  static let rawSink =
    "appsink name=picture sync=false async=false enable-last-sample=false max-buffers=3 drop=true"
  static let soundEncoder = """
    audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1 \
    ! opusenc frame-size=20 bitrate=40000 bitrate-type=cbr hard-resync=true
    """
  static let soundSink = "appsink name=sound sync=false async=false enable-last-sample=false"

  /// Opus comes with its headers in front when it is made for files; they are no packets.
  static func isOpusHeader(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("OpusHead".utf8)) || bytes.starts(with: Array("OpusTags".utf8))
  }

  static func takeSound(from pipeline: Pipeline, to output: CaptureOutput) {
    guard let sink = pipeline.element("sound") else { return }
    takeSound(from: sink, base: { [weak pipeline] in pipeline?.baseTime ?? 0 }, to: output)
  }

  static func takeSound(
    from sink: PipelineElement, base: @escaping @Sendable () -> UInt64, to output: CaptureOutput
  ) {
    sink.onSample { sample in
      let bytes = sample.bytes
      guard let time = sample.runningTime, !bytes.isEmpty, !isOpusHeader(bytes) else { return }
      output.audio(bytes, base() + time)
    }
  }
}
