internal import Synchronization

/// A Video4Linux2 device.
final class DeviceCapture: Capture {
  private let path: String
  private let pipeline = Mutex<Pipeline?>(nil)

  init(path: String) { self.path = path }

  func start(_ output: CaptureOutput) throws {
    let made = try Pipeline(
      """
      v4l2src name=device ! decodebin ! videoconvert ! videorate drop-only=true max-rate=30 \
      ! video/x-raw,format=I420 ! \(CaptureParts.rawSink)
      """,
      onMessage: { message in
        switch message {
        case .endOfStream: output.ended(.endOfStream)
        case .error(let error): output.ended(.failed(MediaFailure(opening: error)))
        }
      })
    made.element("device")?.set("device", text: path)
    made.onSample("picture", CaptureParts.pictureTaker(made, output))
    pipeline.withLock { $0 = made }
    // What goes wrong here comes on the bus, with its reason.
    try? made.start()
  }

  func stop() { pipeline.withLock { $0.take() }?.stop() }
}
