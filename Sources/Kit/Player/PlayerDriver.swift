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
  private let link: ViewerLink
  private let log = Log("kit.player")

  private var state: PlayerState
  private var run = 0
  private var level: VideoLevel?
  private var connection: ViewerConnection?
  private var timers: [PlayerTimer: LoopTimer] = [:]
  private var watch: LoopTimer?
  private var subscription: (id: Int, task: Task<Void, Never>)?
  private var iceServers: [ICEServerRecord] = []
  private let media: ViewMedia
  private var pictures: PictureFlow? { media.pictures }
  /// For a playback of what the device has recorded.
  private var playback: PlaybackControl?
  /// For a playback of what the cloud has.
  private var cloud: CloudPlayback?
  private let cloudArchive: any PlaybackArchive
  private var startedAt: Int64 = 0
  private var lastPacket: Int64 = 0
  private var lastVideo: Int64 = 0
  private var lastFrames: UInt64 = 0
  private var lastProgress: Int64 = 0
  private var meter = ViewMeter()
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
    }
  }

  private func stop() {
    if cloud != nil { closeCloud() } else { handle(.stop) }
  }

  /// The player is gone.
  func release() async {
    stop()
    await media.finished()
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

  private func emit(_ event: PlayerEvent) {
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

  private var now: Int64 { RTCActor.monotonicMicroseconds }

  private func arm(_ timer: PlayerTimer, after delay: Duration) {
    let loopTimer = timers[timer] ?? LoopTimer { [weak self] in self?.handle(.timer(timer)) }
    timers[timer] = loopTimer
    loopTimer.arm(after: delay)
  }
}

// MARK: - Start and end

extension PlayerDriver {
  private func start(_ run: Int, _ range: PlaybackRange?) {
    guard state.phase == .idle, cloud == nil else { return }
    self.run = run
    startedAt = now
    lastPacket = startedAt
    lastVideo = startedAt
    lastProgress = startedAt
    receivedBytes.store(0, ordering: .relaxed)
    meter = ViewMeter()
    media.emit = { [weak self] in self?.emit($0) }
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

  private func startCloud(_ range: PlaybackRange, _ pictures: PictureFlow) {
    let cloud = CloudPlayback(range: range, archive: cloudArchive, outlet: outlet)
    self.cloud = cloud
    pictures.isPictureAwaited.store(true, ordering: .relaxed)
    pictures.onPicture = { [weak self, weak pictures] in
      guard pictures?.isPictureAwaited.exchange(false, ordering: .relaxed) == true else { return }
      self?.emit(.started)
    }
    let fail = { [weak self] (error: OrielError) in
      self?.closeCloud()
      self?.emit(.failed(error))
    }
    pictures.onFailure = fail
    cloud.failed = fail
    cloud.emit = { [weak self] in self?.emit($0) }
    cloud.pass = { [weak self, weak cloud] picture in
      guard let self else { return }
      var picture = picture
      media.expect(picture.codec, hasSound: true)
      media.place(&picture, arrival: now)
      if picture.captureTime != PictureFlow.hidden { cloud?.opens(at: picture.timestamp) }
      receivedBytes.add(UInt64(picture.bytes.count), ordering: .relaxed)
      media.take(picture)
    }
    cloud.passSound = { [weak self] in
      guard let self else { return }
      media.takeSound($0.bytes, $0.timestamp, arrival: now)
    }
    media.startSession()
    emit(.connecting)
    cloud.start()
  }

  private func closeCloud() {
    cloud?.close()
    cloud = nil
    media.stop()
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
    media.stop()
  }

  /// Lets go of the session there is.
  private func leave(_ number: Int) {
    guard let connection else { return }
    self.connection = nil
    meter.keep(connection)
    var message = SignalMessage(.sessionEnd, session: connection.sessionId, to: serial.value)
    message.errorCode = number
    link.post(message)
    connection.close()
    channel.withLock { $0.isOpen = false }
  }
}

// MARK: - Signalling

extension PlayerDriver {
  private func subscribe() {
    guard subscription == nil else { return }
    let (id, events) = link.subscribe()
    let task = Task { @RTCActor [weak self] in
      for await event in events { self?.hear(event, from: id) }
    }
    subscription = (id, task)
  }

  private func hear(_ event: LinkEvent, from id: Int) {
    guard id == subscription?.id else { return }
    switch event {
    case .up(let welcome):
      iceServers = welcome.iceServers
      handle(.linkUp)
    case .down(let error): handle(.linkDown(error))
    case .signal(let message):
      if message.sessionId == connection?.sessionId { hear(message) }
    case .device(let event):
      guard event.serial == serial else { return }
      switch event.kind {
      case .online: handle(.deviceOnline(silent: silence))
      case .offline: handle(.deviceOffline(silent: silence))
      case .removed: handle(.sessionEnded(OrielError(.notMyDevice)))
      case .added, .changed: break
      }
    }
  }

  private func hear(_ message: SignalMessage) {
    switch message.action {
    case .answer:
      do {
        guard let connection else { return }
        try connection.accept(message.payload(SessionDescription.self))
        if let codec = connection.videoCodec { media.expect(codec, hasSound: connection.hasSound) }
        handle(.answered)
      } catch {
        // Another answer to a restart, with another key, is another program's: the camera was started anew so
        // fast that its loss was not seen, and took the restart for a session's beginning.
        let isOld = connection?.isAnswered == true
        handle(.refused(isOld ? OrielError(.sessionUnknown) : OrielError(anyError: error)))
      }
    case .candidate:
      if let candidate = try? message.payload(CandidateDescription.self) { connection?.add(candidate) }
    case .status:
      guard let number = message.errorCode, number != 0 else { return }
      handle(.refused(OrielError(ErrorCode(rawValue: number) ?? .streamInnerError)))
    case .sessionEnd:
      let code = message.errorCode.flatMap { $0 == 0 ? nil : ErrorCode(rawValue: $0) ?? .streamInnerError }
      if code == nil { channel.withLock { $0.ended }?() }
      handle(.sessionEnded(code.map { OrielError($0) }))
    case .offer, .goAway: break
    }
  }

  private func offer(_ level: VideoLevel?) {
    leave(0)
    do {
      let connection = try ViewerConnection(iceServers: iceServers, relayOnly: options.relayOnly)
      self.connection = connection
      listen(to: connection)
      try sendOffer(connection, iceRestart: false, level: level)
    } catch {
      handle(.refused(OrielError(anyError: error)))
    }
  }

  private func restart() {
    do {
      guard let connection else { throw OrielError(.sessionUnknown) }
      try sendOffer(connection, iceRestart: true, level: level)
    } catch {
      handle(.refused(OrielError(.sessionUnknown)))
    }
  }

  private func sendOffer(_ connection: ViewerConnection, iceRestart: Bool, level: VideoLevel?) throws {
    var message = SignalMessage(.offer, session: connection.sessionId, to: serial.value)
    message.cameraNo = cameraNo
    message.videoLevel = level
    if !iceRestart { playback?.fill(&message) }
    // Candidates found while the offer is made must not overtake it.
    var early: [CandidateDescription] = []
    connection.onCandidate = { early.append($0) }
    let sdp = try connection.makeOffer(iceRestart: iceRestart)
    try message.setPayload(SessionDescription(type: "offer", sdp: sdp))
    link.post(message)
    connection.onCandidate = { [weak self, weak connection] candidate in
      guard let connection else { return }
      self?.send(candidate, of: connection)
    }
    for candidate in early { send(candidate, of: connection) }
  }

  private func send(_ candidate: CandidateDescription, of connection: ViewerConnection) {
    var message = SignalMessage(.candidate, session: connection.sessionId, to: serial.value)
    guard (try? message.setPayload(candidate)) != nil else { return }
    link.post(message)
  }
}

// MARK: - The session's events

extension PlayerDriver {
  private func listen(to connection: ViewerConnection) {
    media.startSession()
    playback?.startSession()
    lastPacket = now
    lastVideo = now
    connection.onInput = { [weak self] in self?.handle($0) }
    connection.onPacket = { [weak self] size, kind in
      guard let self else { return }
      receivedBytes.add(UInt64(size), ordering: .relaxed)
      lastPacket = now
      if kind == .video { lastVideo = lastPacket }
    }
    connection.onUnit = { [weak self] in self?.take($0, $1) }
    connection.onSound = { [weak self] bytes, timestamp in
      guard let self else { return }
      media.takeSound(bytes, timestamp, arrival: lastPacket)
    }
    connection.onChannel = { [weak self] isOpen in self?.channelChanged(isOpen) }
    connection.onMessage = { [weak self] in self?.take($0) }
  }

  private func take(_ received: AccessUnit, _ timestamp: UInt32) {
    var unit = received
    media.place(&unit, arrival: lastPacket)
    if !state.isPlaying { handle(.accessUnit) }
    if let playback { playback.take(unit, timestamp) } else { media.take(unit) }
  }

  private func channelChanged(_ isOpen: Bool) {
    let observer = channel.withLock { state -> ChannelObserver in
      state.isOpen = isOpen
      return state
    }
    observer.opened?(isOpen)
    if isOpen { playback?.channelOpened() }
  }

  private func take(_ payload: DataChannelPayload) {
    let bytes: [UInt8]
    switch payload {
    case .text(let text): bytes = [UInt8](text.utf8)
    case .binary(let binary):
      // A piece of a file: it tells that the camera is there.
      lastPacket = now
      lastVideo = now
      let observer = channel.withLock { $0 }
      return (observer.piece ?? observer.message)?(binary) ?? ()
    }
    if let message = DataChannelMessage(bytes) {
      switch message.type {
      case .videoLevelChanged: if let level = message.videoLevel { handle(.levelChanged(level)) }
      case .sourceState:
        let number = message.errorCode ?? 0
        handle(.source(number == 0 ? nil : ErrorCode(rawValue: number) ?? .streamNoSource))
      case .setVideoLevel: break
      }
      return
    }
    if let playback, let message = PlaybackMessage(bytes) {
      // It tells that the camera is there, whatever it shows.
      lastPacket = now
      lastVideo = now
      playback.hear(message)
    }
    channel.withLock { $0.message }?(bytes)
  }

  private func send(_ message: DataChannelMessage) {
    guard let text = message.text else { return }
    try? connection?.send(text)
  }

  /// Nothing has come for this long. Sound alone does not make a view, but it shows that the path is there.
  private var silence: Duration {
    // Nothing is due: whether the path is there is for ICE to say.
    if playback?.isHeld == true { return .zero }
    let video = Duration.microseconds(now - lastVideo)
    return video > .seconds(10) ? video : .microseconds(now - lastPacket)
  }

  /// Packets come and no picture does: the decoder has lost its way, and only a key frame leads it back.
  private func askForKeyFrameIfStuck() {
    let frames = pictures?.frames.load(ordering: .relaxed) ?? 0
    if frames != lastFrames || now - lastVideo > 500_000 {
      lastFrames = frames
      lastProgress = now
    } else if now - lastProgress > 1_000_000 {
      lastProgress = now
      connection?.requestKeyFrame()
    }
  }

  private func watchSilence() {
    guard state.phase != .idle else { return }
    watch = RTCActor.schedule(after: .milliseconds(250)) { [weak self] in
      guard let self else { return }
      meter.tick(at: now, frames: pictures?.frames.load(ordering: .relaxed) ?? 0)
      askForKeyFrameIfStuck()
      if state.isPlaying, silence > PlayerState.silenceLimit { handle(.silent(silence)) }
      watchSilence()
    }
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
