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
  /// A packet of sound.
  var audio: @Sendable (_ bytes: [UInt8], _ form: AudioForm, _ time: UInt64) -> Void
  var ended: @Sendable (CaptureEnd) -> Void
}

/// One attempt to get media from a location: the seam behind which GStreamer's rtspsrc and the others can be
/// replaced. A capture is started once and stopped once.
protocol Capture: Sendable {
  func start(_ output: CaptureOutput) throws
  /// What is wrong with a source that sends no picture, if that is known.
  var diagnosis: MediaFailure? { get }
  /// Blocks until every thread and descriptor is given back; nothing comes out afterwards.
  func stop()
}

extension Capture {
  var diagnosis: MediaFailure? { nil }
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

  /// From a parsed or depayloaded stream to whole access units with their parameter sets.
  static func unitSink(_ codec: VideoCodec, isPaced: Bool) -> String {
    let caps = "video/x-\(codec.rawValue),stream-format=byte-stream,alignment=au"
    return "\(codec.rawValue)parse config-interval=-1 ! \(caps) ! \(sink(isPaced: isPaced))"
  }

  static func sink(isPaced: Bool) -> String {
    "appsink name=sink sync=\(isPaced) async=false enable-last-sample=false wait-on-eos=false"
  }

  static let aacCaps = "audio/mpeg,mpegversion=4,stream-format=raw"

  /// Opus comes with its headers in front when it is made for files; they are no packets.
  static func isOpusHeader(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("OpusHead".utf8)) || bytes.starts(with: Array("OpusTags".utf8))
  }

  /// What takes the samples of a sound encoder, of encoded or of raw pictures; times become monotonic ones.
  static func soundTaker(_ pipeline: Pipeline, _ output: CaptureOutput) -> @Sendable (MediaSample) -> Void {
    { [weak pipeline] sample in
      let bytes = sample.bytes
      guard let pipeline, let time = sample.runningTime, !bytes.isEmpty, !isOpusHeader(bytes) else { return }
      output.audio(bytes, .opus, pipeline.baseTime + time)
    }
  }

  /// What takes frames of AAC behind ``aacCaps``.
  static func aacTaker(_ pipeline: Pipeline, _ output: CaptureOutput) -> @Sendable (MediaSample) -> Void {
    { [weak pipeline] sample in
      let bytes = sample.bytes
      guard let pipeline, let time = sample.runningTime, !bytes.isEmpty,
        let configuration = sample.codecData.flatMap({ AACConfiguration($0) })
      else { return }
      output.audio(bytes, .aac(configuration), pipeline.baseTime + time)
    }
  }

  static func unitTaker(
    _ codec: VideoCodec, _ pipeline: Pipeline, _ output: CaptureOutput
  ) -> @Sendable (MediaSample) -> Void {
    { [weak pipeline] sample in
      guard let pipeline else { return }
      // A picture without a time is as old as its arrival.
      let time = sample.runningTime.map { pipeline.baseTime + $0 } ?? Runtime.now
      output.unit(codec, sample.bytes, time)
    }
  }

  static func pictureTaker(
    _ pipeline: Pipeline, _ output: CaptureOutput
  ) -> @Sendable (MediaSample) -> Void {
    { [weak pipeline] sample in
      guard let pipeline else { return }
      output.picture(sample, sample.runningTime.map { pipeline.baseTime + $0 } ?? Runtime.now)
    }
  }
}
