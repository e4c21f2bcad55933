import OrielMedia
import OrielModel
import OrielRTC

/// Plays a camera's recordings from the cloud: drives a `PlaybackState` here, where a camera drives one for its own.
@RTCActor
final class CloudPlayback {
  private let reader: PlaybackReader
  private let outlet: PlayerOutlet
  private var state: PlaybackState
  private let began = RTCActor.now
  private var timer: LoopTimer?
  private var work: Task<Void, Never>?
  /// The seek whose first picture opens the outlet.
  private var opening: Int?
  private var endTimer: LoopTimer?
  private var toldRate = 1.0
  private var toldPaused = false

  var emit: ((PlayerEvent) -> Void)?
  /// A picture, with the time of the session's clock as its time stamp.
  var pass: ((AccessUnit) -> Void)?
  var passSound: ((AudioPacket) -> Void)?
  /// The playback cannot go on.
  var failed: ((OrielError) -> Void)?

  /// The last picture may take this long to the screen.
  static let endLimit = Duration.milliseconds(500)

  private let sound: OpusSound
  private var soundReader: Task<Void, Never>?

  init(range: PlaybackRange, archive: any PlaybackArchive, outlet: PlayerOutlet) {
    self.outlet = outlet
    reader = PlaybackReader(archive: archive)
    let (packets, continuation) = AsyncStream.makeStream(
      of: AudioPacket.self, bufferingPolicy: .bufferingNewest(100))
    sound = OpusSound { continuation.yield($0) }
    state = PlaybackState(window: range.from..<(range.to ?? CloudArchive.latest))
    soundReader = Task { @RTCActor [weak self] in
      for await packet in packets { self?.passSound?(packet) }
    }
  }

  deinit { soundReader?.cancel() }

  private var now: Duration { RTCActor.now - began }

  func start() {
    timer = LoopTimer { [weak self] in self?.handle(.tick) }
    handle(.start)
  }

  func close() {
    (timer, endTimer) = (nil, nil)
    (emit, pass, passSound, failed) = (nil, nil, nil, nil)
    work?.cancel()
    work = nil
    soundReader?.cancel()
    sound.reset()
  }

  func perform(_ order: PlaybackOrder) {
    switch order {
    case .pause: handle(.pause)
    case .resume: handle(.play)
    case .seek(let time, let id):
      endTimer = nil
      handle(.seek(to: time, requestId: id))
    case .rate(let rate): handle(.rate(rate, requestId: nil))
    case .step: handle(.step(requestId: nil))
    }
  }

  private func handle(_ input: PlaybackInput) {
    for effect in state.handle(input, at: now) {
      switch effect {
      case .work(let asked): perform(asked)
      case .send(let unit): send(unit)
      case .tell(let news): tell(news)
      case .discardUnsent: break
      case .wake(let time): timer?.arm(after: max(time - now, .zero))
      }
    }
  }

  private func perform(_ asked: PlaybackWork) {
    let reader = reader
    work = Task { @RTCActor [weak self] in
      let outcome = await reader.perform(asked)
      if !Task.isCancelled { self?.handle(.done(outcome)) }
    }
  }

  private func send(_ unit: PlaybackUnit) {
    switch unit.sample {
    case .video(var picture, let time):
      picture.timestamp = unit.presentation
      picture.captureTime = unit.isPreroll ? PictureFlow.hidden : time
      pass?(picture)
    case .audio(var packet, _):
      packet.timestamp = unit.presentation
      sound.take(packet)
    }
  }

  /// The time stamp with which a shown picture is passed on.
  func opens(at timestamp: Duration) {
    guard let seek = opening else { return }
    opening = nil
    outlet.open(from: timestamp, seek: seek)
  }

  private func tell(_ news: PlaybackNews) {
    switch news {
    case .moved(let id, let anchor, _):
      opening = id
      emit?(.seeked(to: anchor.time))
    case .playing(_, let anchor, let first):
      tellRate(anchor.rate)
      if toldPaused, first == nil { emit?(.resumed) }
      toldPaused = false
    case .paused(_, let anchor):
      tellRate(anchor.rate)
      if !toldPaused { emit?(.paused) }
      toldPaused = true
    case .gap(let from, let to, _): emit?(.gap(from: from, to: to))
    case .position: break
    case .refused(let id, let failure):
      // What is shown goes on.
      if let id { outlet.open(from: .zero, seek: id) }
      emit?(.refused(OrielError(failure.errorCode)))
    case .ended(_, let time, let failure):
      if let failure { failed?(OrielError(failure.errorCode)) } else { end(at: time) }
    }
  }

  private func tellRate(_ rate: Double) {
    guard rate != toldRate else { return }
    toldRate = rate
    emit?(.rateChanged(rate))
  }

  /// Tells the end when the last picture has been shown.
  private func end(at time: Int64) {
    let deadline = RTCActor.now + Self.endLimit
    endTimer = LoopTimer { [weak self] in self?.endWhenShown(time, deadline) }
    endWhenShown(time, deadline)
  }

  private func endWhenShown(_ time: Int64, _ deadline: Duration) {
    guard let endTimer else { return }
    if outlet.playbackTime ?? 0 < time - 1, RTCActor.now < deadline {
      return endTimer.arm(after: .milliseconds(10))
    }
    self.endTimer = nil
    emit?(.ended)
  }
}
