/// A file, once through.
final class FileCapture: Capture {
  init(path: String, wantsAudio: Bool) {}
  func start(_ output: CaptureOutput) throws { throw MediaFailure.unsupported("not yet") }
  func stop() {}
}
