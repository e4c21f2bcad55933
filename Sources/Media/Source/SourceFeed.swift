internal import Synchronization

/// Keeps one location delivering: attempts, one after the other, with a pause that grows.
final class SourceFeed: Sendable {
  private struct State {
    var lastPicture: UInt64 = 0
    var hasPicture = false
    var isFailing = false
  }

  private let location: SourceLocation
  private let role: MediaStream
  private let options: SourceOptions
  private let timeline: SourceTimeline
  private let retirement: Retirement
  private let emit: @Sendable (SourceEvent) -> Void
  private let router: StreamRouter
  private let sound: SoundIntake
  private let state = Mutex(State())

  init(
    _ location: SourceLocation, role: MediaStream, options: SourceOptions, timeline: SourceTimeline,
    retirement: Retirement, emit: @escaping @Sendable (SourceEvent) -> Void
  ) {
    self.location = location
    self.role = role
    self.options = options
    self.timeline = timeline
    self.retirement = retirement
    self.emit = emit
    router = StreamRouter(
      role: role, options: options, timeline: timeline, retire: { retirement.run($0) }, emit: emit,
      fail: { stream, failure in emit(.failed(SourceFailure(stream: stream, reason: failure))) })
    sound = SoundIntake(
      timeline, keepsOwn: options.keepsOwnAudio, retirement: retirement, emit: emit)
  }

  func setSubStream(_ active: Bool) { router.setSubStream(active) }
  func requestKeyFrame(_ stream: MediaStream) { router.requestKeyFrame(stream) }
  func setBitrate(_ stream: MediaStream, _ value: Int) { router.setBitrate(stream, value) }

  /// Runs until the task is cancelled or nothing can help; everything is given back on return.
  func run() async {
    var pause = RetryPause()
    var attempt = 0
    while !Task.isCancelled {
      let began = Runtime.now
      let end = await runAttempt(number: attempt)
      attempt += 1
      router.reset()
      sound.reset()
      guard !Task.isCancelled else { break }
      let hadPicture = state.withLock { $0.hasPicture }
      // A file that came to its end starts again; one that had no picture has failed.
      if end == .endOfStream && hadPicture {
        if case .file = location { continue }
      }
      let failure: MediaFailure =
        switch end {
        case .failed(let failure): failure
        case .endOfStream: hadPicture ? .stalled : .noVideo
        }
      if hadPicture && Runtime.now - began > 10_000_000_000 { pause = RetryPause() }
      let wait = failure.isFinal ? nil : pause.next(after: failure)
      state.withLock { $0.isFailing = true }
      emit(.failed(SourceFailure(stream: role, reason: failure, retryAfter: wait)))
      guard let wait else { break }
      do { try await Task.sleep(for: wait) } catch { break }
    }
    let router = router
    await retirement.perform { router.stop() }
    await retirement.finish()
  }

  private func runAttempt(number: Int) async -> CaptureEnd {
    state.withLock {
      $0.lastPicture = Runtime.now
      $0.hasPicture = false
    }
    let capture = makeCapture(attempt: number)
    let (ends, continuation) = AsyncStream.makeStream(
      of: CaptureEnd.self, bufferingPolicy: .bufferingOldest(1))
    let output = output { continuation.yield($0) }
    await retirement.perform {
      do {
        try capture.start(output)
      } catch {
        continuation.yield(.failed((error as? MediaFailure) ?? .pipeline("does not start")))
      }
    }
    let end = await withTaskGroup(of: CaptureEnd?.self) { group in
      group.addTask {
        for await end in ends { return end }
        return nil
      }
      group.addTask { await self.waitForStall() }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    let diagnosis = capture.diagnosis
    await retirement.perform { capture.stop() }
    continuation.finish()
    switch end {
    case .failed(.stalled): return .failed(diagnosis ?? .stalled)
    // A connection that breaks while pictures come is a camera that stopped sending.
    case .failed(.unreachable) where state.withLock { $0.hasPicture }: return .failed(.stalled)
    default: return end ?? .endOfStream
    }
  }

  private func output(ended: @escaping @Sendable (CaptureEnd) -> Void) -> CaptureOutput {
    CaptureOutput(
      unit: { [weak self] codec, bytes, time in
        guard let self else { return }
        self.notePicture()
        self.router.take(codec, bytes, at: time)
      },
      picture: { [weak self] sample, time in
        guard let self else { return }
        self.notePicture()
        self.router.take(sample, at: time)
      },
      audio: { [weak self] bytes, form, time in
        guard let self, self.role == .main else { return }
        self.router.noteAudio()
        self.sound.take(bytes, form, at: time)
      },
      ended: ended)
  }

  private func notePicture() {
    let recovered = state.withLock { state in
      state.lastPicture = Runtime.now
      state.hasPicture = true
      defer { state.isFailing = false }
      return state.isFailing
    }
    if recovered { emit(.recovered) }
  }

  /// Returns when no picture has come for too long, or nil when cancelled.
  private func waitForStall() async -> CaptureEnd? {
    let limit = options.stallLimit.nanoseconds
    while true {
      let age = Runtime.now - state.withLock { $0.lastPicture }
      if age >= limit { return .failed(.stalled) }
      do { try await Task.sleep(for: .nanoseconds(limit - age + 1_000_000)) } catch { return nil }
    }
  }

  private func makeCapture(attempt: Int) -> any Capture {
    switch location {
    case .test(let pattern): TestCapture(pattern, wantsAudio: options.wantsAudio)
    case .rtsp(let address, let credentials):
      RTSPCapture(
        address: address, credentials: credentials, transport: options.transport, attempt: attempt,
        wantsAudio: options.wantsAudio && role == .main)
    case .device(let path): DeviceCapture(path: path)
    case .file(let path): FileCapture(path: path, wantsAudio: options.wantsAudio && role == .main)
    }
  }
}

/// How long to wait before the next attempt.
struct RetryPause: Sendable {
  private var failures = 0

  /// Half a second at first, doubled each time up to 3 s, give or take a fifth. A camera that refuses a password
  /// is asked twice a minute only, since many lock themselves after a few tries.
  mutating func next(after failure: MediaFailure) -> Duration {
    let base: Double
    switch failure {
    case .refused: base = 30
    case .notFound: base = 5
    default:
      base = min(3, 0.5 * Double(1 << min(failures, 4)))
      failures += 1
    }
    return .seconds(base * Double.random(in: 0.8...1.2))
  }
}
