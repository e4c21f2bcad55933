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
  /// What is being let go of; waited for at the end.
  private var leftovers: [Task<Void, Never>] = []

  private var pictures: PictureFlow?
  private let sound: SoundFlow
  private var isSoundWanted = false
  private var recording: ClipRecording?
  private var videoLine = MediaTimeline()
  private var soundLine = MediaTimeline()
  private var soundStamps = TimestampUnwrapper(clockRate: 48_000)
  private var startedAt: Int64 = 0
  private var lastPacket: Int64 = 0
  private var lastVideo: Int64 = 0
  private var lastFrames: UInt64 = 0
  private var lastProgress: Int64 = 0
  private var meter = ViewMeter()
  /// What the data channel says, for the second manual's models.
  nonisolated let channel = Mutex(ChannelObserver())

  nonisolated init(
    link: ViewerLink, serial: DeviceSerial, cameraNo: Int, options: PlayerOptions, outlet: PlayerOutlet
  ) {
    self.link = link
    self.serial = serial
    self.cameraNo = cameraNo
    self.options = options
    self.outlet = outlet
    level = options.videoLevel
    state = PlayerState(connectTimeout: options.connectTimeout, lossTimeout: options.lossTimeout)
    sound = SoundFlow(outputs: options.outputs)
  }

  func perform(_ command: PlayerCommand) {
    switch command {
    case .start(let run, _): start(run)
    case .stop: handle(.stop)
    case .videoLevel(let level):
      self.level = level
      handle(.setVideoLevel(level))
    case .sound(let isWanted): setSound(isWanted)
    case .startRecording(let path, let starter): startRecording(path, starter)
    case .stopRecording(let continuation): stopRecording(continuation)
    case .send(let text): try? connection?.send(text)
    case .playback: break
    }
  }

  /// The player is gone.
  func release() async {
    handle(.stop)
    for task in leftovers { await task.value }
    await sound.finished()
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
    switch event {
    case .started: meter.firstPicture(after: now - startedAt)
    case .reconnected: meter.reconnects += 1
    case .failed(let error): recording?.end(because: recording?.isWaiting == true ? error : nil)
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
  private func start(_ run: Int) {
    guard state.phase == .idle else { return }
    self.run = run
    startedAt = now
    lastPacket = startedAt
    lastVideo = startedAt
    lastProgress = startedAt
    receivedBytes.store(0, ordering: .relaxed)
    meter = ViewMeter()
    videoLine = MediaTimeline()
    soundLine = MediaTimeline()
    let pictures = PictureFlow(outputs: options.outputs, outlet: outlet, run: run)
    pictures.onPicture = { [weak self] in self?.handle(.picture) }
    pictures.onFailure = { [weak self] in self?.handle(.sessionEnded($0)) }
    // The form that cameras have as a rule: its decoder is ready when the first picture comes.
    pictures.prepare(.h264)
    self.pictures = pictures
    if isSoundWanted { openSound() }
    handle(.start(level))
    watchSilence()
  }

  private func close(_ number: Int) {
    leave(number)
    watch = nil
    timers = [:]
    if let subscription {
      link.unsubscribe(subscription.id)
      leftovers.append(subscription.task)
    }
    subscription = nil
    recording?.end()
    sound.stop()
    isSoundWanted = false
    if let pictures {
      pictures.close()
      leftovers.append(Task { await pictures.finished() })
    }
    pictures = nil
    prune()
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

  /// Tasks that have ended need not be kept for a player that is started a thousand times.
  private func prune() {
    guard leftovers.count > 8 else { return }
    let former = leftovers
    leftovers = [Task { for task in former { await task.value } }]
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
        if let codec = connection.videoCodec { pictures?.prepare(codec) }
        openRecordingIfWaiting()
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
    videoLine.startSession()
    soundLine.startSession()
    soundStamps = TimestampUnwrapper(clockRate: 48_000)
    lastPacket = now
    lastVideo = now
    connection.onInput = { [weak self] in self?.handle($0) }
    connection.onPacket = { [weak self] size, kind in
      guard let self else { return }
      receivedBytes.add(UInt64(size), ordering: .relaxed)
      lastPacket = now
      if kind == .video { lastVideo = lastPacket }
    }
    connection.onUnit = { [weak self] in self?.take($0) }
    connection.onSound = { [weak self] in self?.takeSound($0, $1) }
    connection.onChannel = { [weak self] isOpen in self?.channelChanged(isOpen) }
    connection.onMessage = { [weak self] in self?.take($0) }
  }

  private func take(_ received: AccessUnit) {
    // Identity for now: here an encrypted unit is opened.
    var unit = received
    unit.timestamp = videoLine.place(received.timestamp, arrival: .microseconds(lastPacket - startedAt))
    if !state.isPlaying { handle(.accessUnit) }
    pictures?.decode(unit)
    if let error = recording?.write(unit) { emit(.recordingFailed(error)) }
  }

  private func takeSound(_ bytes: [UInt8], _ timestamp: UInt32) {
    let time = soundLine.place(
      soundStamps.time(of: timestamp), arrival: .microseconds(lastPacket - startedAt))
    let packet = AudioPacket(timestamp: time, bytes: bytes)
    sound.play(packet)
    if let error = recording?.write(packet) { emit(.recordingFailed(error)) }
  }

  private func channelChanged(_ isOpen: Bool) {
    let observer = channel.withLock { state -> ChannelObserver in
      state.isOpen = isOpen
      return state
    }
    observer.opened?(isOpen)
  }

  private func take(_ payload: DataChannelPayload) {
    let bytes: [UInt8]
    switch payload {
    case .text(let text): bytes = [UInt8](text.utf8)
    case .binary(let binary): bytes = binary
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
    channel.withLock { $0.message }?(bytes)
  }

  private func send(_ message: DataChannelMessage) {
    guard let text = message.text else { return }
    try? connection?.send(text)
  }

  /// Nothing has come for this long. Sound alone does not make a view, but it shows that the path is there.
  private var silence: Duration {
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

// MARK: - Sound, recording, figures

extension PlayerDriver {
  private func setSound(_ isWanted: Bool) {
    isSoundWanted = isWanted
    if !isWanted { return sound.stop() }
    if state.phase != .idle { openSound() }
  }

  private func openSound() {
    sound.start { [weak self] error in
      self?.isSoundWanted = false
      self?.emit(.soundFailed(error))
    }
  }

  private func startRecording(_ path: String, _ starter: CheckedContinuation<Void, any Error>) {
    guard state.phase != .idle else { return starter.resume(throwing: OrielError(.noPicture)) }
    guard recording == nil || recording?.hasFailedToOpen == true else {
      return starter.resume(throwing: OrielError(.argumentError, "a recording is under way; stop it first"))
    }
    recording = ClipRecording(path: path, starter: starter)
    openRecordingIfWaiting()
  }

  private func openRecordingIfWaiting() {
    guard let recording, recording.isWaiting, let codec = connection?.videoCodec else { return }
    recording.open(codec: codec, hasAudio: connection?.hasSound ?? false) { [weak self] in
      self?.connection?.requestKeyFrame()
    }
  }

  private func stopRecording(_ continuation: CheckedContinuation<ClipSummary, any Error>) {
    guard let recording else { return continuation.resume(throwing: OrielError(.nothingRecorded)) }
    self.recording = nil
    recording.end()
    leftovers.append(
      Task {
        do { continuation.resume(returning: try await recording.result()) } catch {
          continuation.resume(throwing: error)
        }
      })
    prune()
  }

  func statistics() -> PlayerStatistics {
    meter.statistics(
      connection: connection, frames: pictures?.frames.load(ordering: .relaxed),
      bytes: receivedBytes.load(ordering: .relaxed), size: outlet.pictureSize)
  }
}
