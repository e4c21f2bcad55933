internal import CGStreamer

extension MediaFailure {
  /// An error of a pipeline that only computes: no address can be in its words.
  init(decoding error: PipelineError) {
    self = error.domain == .stream ? .malformed(error.text) : .pipeline(error.text)
  }

  /// An error of a device.
  init(opening error: PipelineError) {
    switch (error.domain, error.code) {
    case (.resource, Int(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)): self = .notFound
    case (.resource, Int(GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue)): self = .refused
    case (.resource, _): self = .unreachable
    case (.stream, _): self = .malformed("the stream cannot be read")
    case (.other, _): self = .pipeline("the source cannot be opened")
    }
  }

  init(file error: PipelineError) {
    switch (error.domain, error.code) {
    case (.resource, Int(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)): self = .notFound
    case (.resource, Int(GST_RESOURCE_ERROR_OPEN_READ.rawValue)),
      (.resource, Int(GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue)):
      self = .refused
    case (.stream, Int(GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue)),
      (.other, _):
      self = .unsupported("a file of this kind")
    default: self = .malformed("the file is damaged, or no media file")
    }
  }

  /// - Parameter isDescribed: the camera had answered with a description before.
  init(rtsp error: PipelineError, isDescribed: Bool) {
    let words = error.text + " " + error.detail
    switch (error.domain, error.code) {
    case (.resource, Int(GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue)): self = .refused
    case (.resource, Int(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)): self = .notFound
    case _ where words.contains("(401)") || words.contains("(403)") || words.contains("Unauthorized"):
      self = .refused
    case _ where words.contains("(404)") || words.contains("Not Found"): self = .notFound
    case _ where words.contains("arse error") || words.contains("end-of-file"):
      self = isDescribed ? .stalled : .malformed("what answers is no RTSP camera")
    case (.resource, Int(GST_RESOURCE_ERROR_SETTINGS.rawValue)):
      self = .malformed("the camera's description cannot be read")
    case (.resource, _): self = isDescribed ? .stalled : .unreachable
    case (.stream, _), (.other, _): self = .malformed("the camera's answer cannot be read")
    }
  }
}
