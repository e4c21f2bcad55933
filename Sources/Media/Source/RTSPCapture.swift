/// An RTSP camera, through GStreamer's rtspsrc.
final class RTSPCapture: Capture {
  init(
    address: String, credentials: Credentials?, transport: RTSPTransport, attempt: Int, wantsAudio: Bool
  ) {}
  func start(_ output: CaptureOutput) throws { throw MediaFailure.unsupported("not yet") }
  func stop() {}
}
