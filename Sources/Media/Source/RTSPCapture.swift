internal import Synchronization

/// An RTSP camera, through GStreamer's rtspsrc.
final class RTSPCapture: Capture {
  private struct State {
    var pipeline: Pipeline?
    var hasVideo = false
    var hasAudio = false
    var refusedVideo: String?
    var isDescribed = false
  }

  private let address: String
  private let credentials: Credentials?
  private let isTCP: Bool
  private let wantsAudio: Bool
  private let state = Mutex(State())

  /// - Parameter attempt: every second one tries UDP when TCP goes first.
  init(
    address: String, credentials: Credentials?, transport: RTSPTransport, attempt: Int, wantsAudio: Bool
  ) {
    self.address = address
    self.credentials = credentials
    isTCP = transport == .tcpFirst && attempt % 2 == 0
    self.wantsAudio = wantsAudio
  }

  func start(_ output: CaptureOutput) throws {
    // The jitter buffer hands on at once what is in order; only a gap over UDP waits for its latency.
    let pipeline = try Pipeline(
      "rtspsrc name=camera latency=150 tcp-timeout=5000000 timeout=3000000 user-agent=Oriel",
      onMessage: { [weak self] message in
        switch message {
        case .endOfStream: output.ended(.endOfStream)
        case .error(let error):
          output.ended(.failed(MediaFailure(rtsp: error, isDescribed: self?.isDescribed ?? false)))
        }
      })
    guard let camera = pipeline.element("camera") else { throw MediaFailure.pipeline("no rtspsrc") }
    camera.set("location", text: address)
    camera.set("protocols", isTCP ? "tcp" : "udp")
    if let credentials {
      camera.set("user-id", text: credentials.user)
      camera.set("user-pw", text: credentials.password)
    }
    camera.onSelectStream { [weak self] caps in self?.wants(caps) ?? false }
    camera.onPadAdded { [weak self, weak pipeline] pad in
      guard let self, let pipeline, let caps = pad.caps else { return }
      self.link(pad, caps, pipeline, output)
    }
    state.withLock { $0.pipeline = pipeline }
    // What goes wrong here comes on the bus, with its reason.
    try? pipeline.start()
  }

  private var isDescribed: Bool { state.withLock { $0.isDescribed } }

  var diagnosis: MediaFailure? {
    state.withLock { state in
      guard state.isDescribed, !state.hasVideo else { return nil }
      return state.refusedVideo.map { .unsupported("pictures as \($0)") } ?? .noVideo
    }
  }

  func stop() { state.withLock { $0.pipeline.take() }?.stop() }

  /// The first picture and the first sound that can be read.
  private func wants(_ caps: StreamCaps) -> Bool {
    state.withLock { state in
      state.isDescribed = true
      let encoding = caps.encoding ?? ""
      switch caps.media {
      case "video":
        guard !state.hasVideo else { return false }
        guard RTSPParts.video(encoding) != nil else {
          state.refusedVideo = String(encoding.filter { $0.isLetter || $0.isNumber }.prefix(20))
          return false
        }
        state.hasVideo = true
        return true
      case "audio":
        guard wantsAudio, !state.hasAudio, RTSPParts.audio(encoding) != nil else { return false }
        state.hasAudio = true
        return true
      default: return false
      }
    }
  }

  private func link(_ pad: AddedPad, _ caps: StreamCaps, _ pipeline: Pipeline, _ output: CaptureOutput) {
    let encoding = caps.encoding ?? ""
    let isLinked: Bool
    if caps.media == "audio" {
      // A camera whose sound cannot be read still has a picture.
      switch RTSPParts.audio(encoding) {
      case .aac(let depayloader):
        _ = pad.attach(
          "\(depayloader) ! aacparse ! \(CaptureParts.aacCaps) ! \(CaptureParts.sink(isPaced: false))",
          in: pipeline, onSample: CaptureParts.aacTaker(pipeline, output))
      case .decoded(let decoder):
        _ = pad.attach(
          "\(decoder) ! \(CaptureParts.soundEncoder) ! \(CaptureParts.sink(isPaced: false))", in: pipeline,
          onSample: CaptureParts.soundTaker(pipeline, output))
      case nil: break
      }
      return
    }
    switch RTSPParts.video(encoding) {
    case .coded(let codec, let depayloader):
      isLinked = pad.attach(
        "\(depayloader) ! \(CaptureParts.unitSink(codec, isPaced: false))", in: pipeline,
        onSample: CaptureParts.unitTaker(codec, pipeline, output))
    case .raw(let decoder):
      isLinked = pad.attach(
        "\(decoder) ! videoconvert ! video/x-raw,format=I420 ! \(CaptureParts.sink(isPaced: false))",
        in: pipeline, onSample: CaptureParts.pictureTaker(pipeline, output))
    case nil: return
    }
    if !isLinked { output.ended(.failed(.pipeline("the camera's picture cannot be read"))) }
  }
}

/// How each RTP payload format is read.
enum RTSPParts {
  enum Video {
    /// Access units after this.
    case coded(VideoCodec, String)
    /// Raw pictures after this.
    case raw(String)
  }

  static func video(_ encoding: String) -> Video? {
    switch encoding {
    case "H264":
      .coded(.h264, "rtph264depay ! video/x-h264,stream-format=byte-stream,alignment=au")
    case "H265":
      .coded(.h265, "rtph265depay ! video/x-h265,stream-format=byte-stream,alignment=au")
    case "JPEG": .raw("rtpjpegdepay ! jpegdec max-errors=-1")
    case "MP4V-ES": .raw("rtpmp4vdepay ! avdec_mpeg4 max-threads=1 max-errors=-1")
    default: nil
    }
  }

  enum Audio {
    /// Frames of AAC after this.
    case aac(String)
    /// Samples after this.
    case decoded(String)
  }

  static func audio(_ encoding: String) -> Audio? {
    switch encoding {
    case "PCMU": .decoded("rtppcmudepay ! mulawdec")
    case "PCMA": .decoded("rtppcmadepay ! alawdec")
    case "MPEG4-GENERIC": .aac("rtpmp4gdepay")
    case "MP4A-LATM": .aac("rtpmp4adepay")
    case "OPUS": .decoded("rtpopusdepay ! opusdec max-errors=-1")
    case "G722": .decoded("rtpg722depay ! avdec_g722 max-errors=-1")
    case "G726-32": .decoded("rtpg726depay ! avdec_g726 max-errors=-1")
    case "L16": .decoded("rtpL16depay")
    default: nil
    }
  }
}
