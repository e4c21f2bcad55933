internal import Synchronization

/// A file, once through, at its own pace.
final class FileCapture: Capture {
  private struct State {
    var pipeline: Pipeline?
    var hasVideo = false
    var hasAudio = false
  }

  private let path: String
  private let wantsAudio: Bool
  private let state = Mutex(State())

  init(path: String, wantsAudio: Bool) {
    self.path = path
    self.wantsAudio = wantsAudio
  }

  func start(_ output: CaptureOutput) throws {
    let pipeline = try Pipeline(
      "filesrc name=file ! parsebin name=streams",
      onMessage: { message in
        switch message {
        case .endOfStream: output.ended(.endOfStream)
        case .error(let error): output.ended(.failed(MediaFailure(file: error)))
        }
      })
    guard let file = pipeline.element("file"), let streams = pipeline.element("streams") else {
      throw MediaFailure.pipeline("no file source")
    }
    file.set("location", text: path)
    streams.onPadAdded { [weak self, weak pipeline] pad in
      guard let self, let pipeline, let caps = pad.caps else { return }
      self.link(pad, caps, pipeline, output)
    }
    state.withLock { $0.pipeline = pipeline }
    // What goes wrong here comes on the bus, with its reason.
    try? pipeline.start()
  }

  var diagnosis: MediaFailure? { state.withLock { $0.hasVideo ? nil : .noVideo } }

  func stop() { state.withLock { $0.pipeline.take() }?.stop() }

  private func link(_ pad: AddedPad, _ caps: StreamCaps, _ pipeline: Pipeline, _ output: CaptureOutput) {
    // Tracks may be far apart in a file; a queue that is too short would stop both.
    let queue = "queue max-size-buffers=0 max-size-bytes=33554432 max-size-time=5000000000"
    let isVideo = caps.mediaType.hasPrefix("video/") || caps.mediaType.hasPrefix("image/")
    let isFirst = state.withLock { state in
      if isVideo {
        defer { state.hasVideo = true }
        return !state.hasVideo
      }
      guard caps.mediaType.hasPrefix("audio/"), wantsAudio else { return false }
      defer { state.hasAudio = true }
      return !state.hasAudio
    }
    guard isFirst else { return }
    switch caps.mediaType {
    case "video/x-h264", "video/x-h265":
      let codec: VideoCodec = caps.mediaType == "video/x-h264" ? .h264 : .h265
      _ = pad.attach(
        "\(queue) ! \(CaptureParts.unitSink(codec, isPaced: true))", in: pipeline,
        onSample: CaptureParts.unitTaker(codec, pipeline, output), onEnd: { output.ended(.endOfStream) })
    case _ where isVideo:
      guard let decoder = FileParts.video(caps) else {
        output.ended(.failed(.unsupported("a file with pictures of this kind")))
        return
      }
      _ = pad.attach(
        """
        \(queue) ! \(decoder) ! videoconvert ! video/x-raw,format=I420 ! \(CaptureParts.sink(isPaced: true))
        """, in: pipeline, onSample: CaptureParts.pictureTaker(pipeline, output),
        onEnd: { output.ended(.endOfStream) })
    // The other wrappings of AAC are decoded as the parser leaves them.
    case "audio/mpeg" where caps.version != 1 && caps.streamFormat != "loas":
      _ = pad.attach(
        "\(queue) ! aacparse ! \(CaptureParts.aacCaps) ! \(CaptureParts.sink(isPaced: true))", in: pipeline,
        onSample: CaptureParts.aacTaker(pipeline, output))
    default:
      guard let decoder = FileParts.audio(caps) else { return }
      _ = pad.attach(
        "\(queue) ! \(decoder) ! \(CaptureParts.soundEncoder) ! \(CaptureParts.sink(isPaced: true))",
        in: pipeline, onSample: CaptureParts.soundTaker(pipeline, output))
    }
  }
}

/// How what a file holds is decoded. Not by decodebin: behind it the end of the stream does not arrive at a sink
/// that does not preroll.
enum FileParts {
  static func video(_ caps: StreamCaps) -> String? {
    switch caps.mediaType {
    case "image/jpeg": "jpegdec max-errors=-1"
    case "video/x-vp8": "avdec_vp8 max-threads=1"
    case "video/x-vp9": "avdec_vp9 max-threads=1"
    case "video/mpeg" where caps.version == 4: "avdec_mpeg4 max-threads=1"
    case "video/mpeg": "avdec_mpeg2video max-threads=1"
    case "video/x-raw": "identity"
    default: nil
    }
  }

  static func audio(_ caps: StreamCaps) -> String? {
    switch caps.mediaType {
    case "audio/mpeg" where caps.version == 1: "mpegaudioparse ! avdec_mp3"
    case "audio/mpeg": "aacparse ! avdec_aac"
    case "audio/x-opus": "opusdec"
    case "audio/x-vorbis": "vorbisdec"
    case "audio/x-flac": "avdec_flac"
    case "audio/x-ac3", "audio/ac3": "avdec_ac3"
    case "audio/x-mulaw": "mulawdec"
    case "audio/x-alaw": "alawdec"
    case "audio/x-raw": "identity"
    default: nil
    }
  }
}
