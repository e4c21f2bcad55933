internal import CGStreamer

extension MediaFailure {
  /// An error of a pipeline that only computes: no address can be in its words.
  init(decoding error: PipelineError) {
    self = error.domain == .stream ? .malformed(error.text) : .pipeline(error.text)
  }

  /// An error of a pipeline that reads from a camera, a device or a file.
  init(opening error: PipelineError) {
    switch error.domain {
    case .resource:
      switch error.code {
      case Int(GST_RESOURCE_ERROR_NOT_FOUND.rawValue): self = .notFound
      case Int(GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue): self = .refused
      default: self = .unreachable
      }
    case .stream: self = .malformed("the stream is not one that can be read")
    case .other: self = .pipeline("the source cannot be opened")
    }
  }
}
