import OrielMedia
import OrielModel
import OrielRTC
import Synchronization

/// Drives `PlayerState`: carries out its actions and tells it what happens. Lives on the media loop.
@RTCActor
final class PlayerDriver {
  /// Payload bytes since the start, for readers on any thread.
  nonisolated let receivedBytes = Atomic<UInt64>(0)

  let serial: DeviceSerial
  let cameraNo: Int
  let options: PlayerOptions
  let outlet: PlayerOutlet
  let link: ViewerLink
  let log = Log("kit.player")

  var state: PlayerState
  var run = 0
  var level: VideoLevel?
  var connection: ViewerConnection?
  private var timers: [PlayerTimer: LoopTimer] = [:]
  var watch: LoopTimer?
  var subscription: (id: Int, task: Task<Void, Never>)?
  var iceServers: [ICEServerRecord] = []
  let media: ViewMedia
  let talk: TalkControl
  var pictures: PictureFlow? { media.pictures }
  /// For a playback of what the device has recorded.
  var playback: PlaybackControl?
  /// For a playback of what the cloud has.
  var cloud: CloudPlayback?
  let cloudArchive: any PlaybackArchive
  var startedAt: Int64 = 0
  var lastPacket: Int64 = 0
  var lastVideo: Int64 = 0
  var lastFrames: UInt64 = 0
  var lastProgress: Int64 = 0
  var meter = ViewMeter()
  /// What the data channel says, for the second manual's models.
  nonisolated let channel = Mutex(ChannelObserver())

  nonisolated init(
    link: ViewerLink, serial: DeviceSerial, cameraNo: Int, options: PlayerOptions, outlet: PlayerOutlet,
    cloudArchive: any PlaybackArchive
  ) {
    self.link = link
    self.cloudArchive = cloudArchive
    self.serial = serial
    self.cameraNo = cameraNo
    self.options = options
    self.outlet = outlet
    level = options.videoLevel
    state = PlayerState(connectTimeout: options.connectTimeout, lossTimeout: options.lossTimeout)
    media = ViewMedia(options: options, outlet: outlet)
    talk = TalkControl(outputs: options.outputs)
  }

  func perform(_ command: PlayerCommand) {
    switch command {
    case .start(let run, let range): start(run, range)
    case .stop: stop()
    case .videoLevel(let level):
      self.level = level
      handle(.setVideoLevel(level))
    case .sound(let isWanted): media.setSound(isWanted)
    case .startRecording(let path, let starter): media.startRecording(path, starter)
    case .stopRecording(let continuation): media.stopRecording(continuation)
    case .send(let text): try? connection?.send(text)
    case .playback(let order):
      playback?.perform(order)
      cloud?.perform(order)
    case .talk(let order): perform(order)
    }
  }

  private func stop() {
    if cloud != nil { closeCloud() } else { handle(.stop) }
    talk.sessionOver(nil)
  }

  /// The player is gone.
  func release() async {
    stop()
    await media.finished()
    await talk.finished()
  }

  func handle(_ input: PlayerInput) {
    let before = state.phase
    let actions = state.handle(input)
    if before != state.phase { log.debug("\(serial):\(cameraNo) \(input): \(before) -> \(state.phase)") }
    pictures?.isPictureAwaited.store(!state.isPlaying, ordering: .relaxed)
    for action in actions { perform(action) }
  }

  private func perform(_ action: PlayerAction) {
    switch action {
    case .openLink: subscribe()
    case .reviveLink: link.check()
    case .offer(let level): offer(level)
    case .restart: restart()
    case .close(let number): close(number)
    case .sendVideoLevel(let level): send(DataChannelMessage(type: .setVideoLevel, videoLevel: level))
    case .arm(let timer, let delay): arm(timer, after: delay)
    case .disarm(let timer): timers[timer] = nil
    case .emit(let event): emit(event)
    }
  }

  func emit(_ event: PlayerEvent) {
    var event = event
    // A playback has its own number for a picture that does not come.
    if playback != nil, event == .failed(OrielError(.playTimeout)) {
      event = .failed(OrielError(.playbackStreamTimeout))
    }
    switch event {
    case .started: meter.firstPicture(after: now - startedAt)
    case .reconnected: meter.reconnects += 1
    case .failed(let error): media.failed(error)
    default: break
    }
    outlet.emit(event, in: run)
  }

  var now: Int64 { RTCActor.monotonicMicroseconds }

  private func arm(_ timer: PlayerTimer, after delay: Duration) {
    let loopTimer = timers[timer] ?? LoopTimer { [weak self] in self?.handle(.timer(timer)) }
    timers[timer] = loopTimer
    loopTimer.arm(after: delay)
  }
}

// MARK: - Start and end

extension PlayerDriver {
  func start(_ run: Int, _ range: PlaybackRange?) {
    guard state.phase == .idle, cloud == nil else { return }
    self.run = run
    startedAt = now
    lastPacket = startedAt
    lastVideo = startedAt
    lastProgress = startedAt
    receivedBytes.store(0, ordering: .relaxed)
    meter = ViewMeter()
    media.emit = { [weak self] in self?.emit($0) }
    prepareTalk()
    media.needsKeyFrame = { [weak self] in self?.connection?.requestKeyFrame() }
    let pictures = media.start(run, isPlayback: range != nil)
    if let range, range.store == .cloud { return startCloud(range, pictures) }
    pictures.onPicture = { [weak self] in self?.handle(.picture) }
    pictures.onFailure = { [weak self] in self?.handle(.sessionEnded($0)) }
    if let range { preparePlayback(range) }
    handle(.start(level))
    watchSilence()
  }

  private func preparePlayback(_ range: PlaybackRange) {
    let playback = PlaybackControl(range: range, outlet: outlet)
    playback.emit = { [weak self] in self?.emit($0) }
    playback.send = { [weak self] in if let text = $0.text { try? self?.connection?.send(text) } }
    playback.pass = { [weak self] in self?.media.take($0) }
    playback.failed = { [weak self] in self?.handle(.sessionEnded($0)) }
    self.playback = playback
  }

  private func close(_ number: Int) {
    leave(number)
    watch = nil
    timers = [:]
    if let subscription {
      link.unsubscribe(subscription.id)
      media.keep(subscription.task)
    }
    subscription = nil
    playback?.close()
    playback = nil
    talk.sessionOver(number == 0 ? nil : OrielError(ErrorCode(rawValue: number) ?? .streamInnerError))
    media.stop()
  }

  /// Lets go of the session there is.
  func leave(_ number: Int) {
    guard let connection else { return }
    self.connection = nil
    meter.keep(connection)
    var message = SignalMessage(.sessionEnd, session: connection.sessionId, to: serial.value)
    message.errorCode = number
    link.post(message)
    connection.close()
    channel.withLock { $0.isOpen = false }
    talk.channelChanged(isOpen: false)
  }
}

// MARK: - Figures

extension PlayerDriver {
  func statistics() -> PlayerStatistics {
    meter.statistics(
      connection: connection, frames: pictures?.frames.load(ordering: .relaxed),
      bytes: receivedBytes.load(ordering: .relaxed), size: outlet.pictureSize)
  }
}
