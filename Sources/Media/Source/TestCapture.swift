internal import Foundation
internal import Synchronization

/// A moving test picture with a readable clock and a machine-readable stamp, and a beep each second.
final class TestCapture: Capture {
  private let pattern: TestPattern
  private let wantsAudio: Bool
  private let pipeline = Mutex<Pipeline?>(nil)
  private let counter = Atomic<UInt32>(0)

  init(_ pattern: TestPattern, wantsAudio: Bool) {
    self.pattern = pattern
    self.wantsAudio = wantsAudio
  }

  func start(_ output: CaptureOutput) throws {
    let size = max(10, pattern.height / 24)
    let sound =
      pattern.hasSound && wantsAudio
      ? """
      audiotestsrc is-live=true wave=ticks freq=880 volume=0.4 tick-interval=1000000000 \
      sine-periods-per-tick=100 samplesperbuffer=960 ! \(CaptureParts.soundEncoder) ! \(CaptureParts.soundSink)
      """ : ""
    let made = try Pipeline(
      """
      videotestsrc is-live=true pattern=smpte100 horizontal-speed=\(max(2, pattern.width / 320)) \
      ! video/x-raw,format=I420,width=\(pattern.width),height=\(pattern.height),\
      framerate=\(pattern.frameRate)/1 \
      ! clockoverlay time-format="%Y-%m-%d %H:%M:%S" halignment=center valignment=center \
      shaded-background=true font-desc="Sans \(size)" auto-resize=false \
      ! \(CaptureParts.rawSink) \(sound)
      """,
      onMessage: { message in
        switch message {
        case .endOfStream: output.ended(.endOfStream)
        case .error(let error): output.ended(.failed(MediaFailure(decoding: error)))
        }
      })
    guard let sink = made.element("picture") else { throw MediaFailure.pipeline("no picture") }
    StampPainter.paint(before: sink) { [weak self] in
      FrameStamp(
        counter: self?.counter.wrappingAdd(1, ordering: .relaxed).oldValue ?? 0,
        paintedAt: UInt32(truncatingIfNeeded: WallClock.milliseconds))
    }
    sink.onSample(CaptureParts.pictureTaker(made, output))
    made.onSample("sound", CaptureParts.soundTaker(made, output))
    pipeline.withLock { $0 = made }
    try made.start()
  }

  func stop() { pipeline.withLock { $0.take() }?.stop() }
}

/// UTC in milliseconds.
enum WallClock {
  static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
