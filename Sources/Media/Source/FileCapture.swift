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
    try pipeline.start()
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
        onSample: CaptureParts.unitTaker(codec, pipeline, output))
    case _ where isVideo:
      _ = pad.attach(
        """
        \(queue) ! decodebin ! videoconvert ! video/x-raw,format=I420 ! \(CaptureParts.sink(isPaced: true))
        """, in: pipeline, onSample: CaptureParts.pictureTaker(pipeline, output))
    default:
      _ = pad.attach(
        "\(queue) ! decodebin ! \(CaptureParts.soundEncoder) ! \(CaptureParts.sink(isPaced: true))",
        in: pipeline, onSample: CaptureParts.soundTaker(pipeline, output))
    }
  }
}
