import OrielMedia
import OrielModel
import OrielRTC

/// What a camera tells a viewer of it.
@RTCActor
protocol CameraViewer: AnyObject {
  /// 0: pictures come; else the number of why not.
  func sourceStateChanged(_ errorCode: Int)
  /// A key frame of this stream has gone out: whoever waited for it sees it now.
  func groupStarted(_ stream: StreamKind)
  /// The feed of this stream is another object from now on.
  func feedReplaced(_ stream: StreamKind)
  /// The stream the viewer receives, and what its path carries, bit/s (0: not known yet).
  var currentStream: StreamKind { get }
  var bandwidthEstimate: Int { get }
  /// Time to think about the stream again.
  func adapt(mainRate: Int, subRate: Int, at now: Duration)
}

/// One camera: source -> access unit -> transform -> packetized once -> feeds, which any number of viewers share.
@RTCActor
final class CameraUnit {
  nonisolated let cameraNo: Int
  /// The source has a small stream of its own, which costs nothing to record.
  nonisolated let hasOwnSub: Bool
  let main = StreamFeed(capacity: 4096)
  let sub = StreamFeed(capacity: 1024)
  /// Who talks into the camera; nil: it has no loudspeaker.
  nonisolated let talk: TalkLine?
  let audio = PacketFeed(kind: .audio, clockRate: 48_000, capacity: 256)
  private(set) var record: CameraRecord
  /// 0 while pictures come.
  private(set) var sourceState = ErrorCode.streamNoSource.rawValue
  /// What the main stream is; nil until the source has said.
  private(set) var mainDescription: SourceDescription?
  var onChange: ((CameraRecord) -> Void)?
  /// Each picture as viewers get it, and each packet of sound, as it came if that can be recorded: for the recorder.
  var onPicture: ((StreamKind, AccessUnit) -> Void)?
  var onSound: ((AudioPacket) -> Void)?

  /// Microphone and loudspeaker of this machine.
  private let voice: CameraVoice?
  private var hearing: Task<Void, Never>?
  private let source: MediaSource
  private var transform: any AccessUnitTransform
  private var reader: Task<Void, Never>?
  private var viewers: [ObjectIdentifier: any CameraViewer] = [:]
  private var gates: [StreamKind: KeyFrameGate] = [.main: KeyFrameGate(), .sub: KeyFrameGate()]
  private var gateTimers: [StreamKind: LoopTimer] = [:]
  private var encoderRate: EncoderRate
  private var isSubActive = false
  /// The sub stream goes on without viewers: it is recorded.
  private var keepsSub = false
  private var subLinger: LoopTimer?
  private var adaptation: LoopTimer?
  /// When media time was 0, UTC ms, by the latest picture: sound is told to have been captured on the same scale.
  private var captureOrigin: Int64?
  private var microphoneTimes = SoundTimeline()
  /// Somebody speaks into the camera, who would hear itself.
  private var isSoundHeld = false
  /// Media time of the latest sound in the source's own form.
  private var ownSoundEnd: Duration?
  private var waitingForKeyFrame: [CheckedContinuation<AccessUnit?, Never>] = []
  private let log: Log

  /// How long the sub stream is encoded after its last viewer: a viewer that changes its mind sees it at once.
  static let subLingerTime = Duration.seconds(5)
  /// A source whose own form did not come for so long has changed to another one.
  static let ownSoundLimit = Duration.seconds(1)
  static let adaptationInterval = Duration.milliseconds(500)

  init(
    cameraNo: Int, location: SourceLocation, options: SourceOptions, name: String, videoLevel: VideoLevel,
    talk: TalkConfiguration? = nil, microphone: String?? = nil,
    transform: any AccessUnitTransform = IdentityTransform(), log: Log
  ) {
    self.cameraNo = cameraNo
    hasOwnSub = options.subLocation != nil
    source = MediaSource(location, options: options)
    encoderRate = EncoderRate(full: options.mainBitrate)
    record = CameraRecord(cameraNo: cameraNo, name: name, videoLevel: videoLevel)
    self.transform = transform
    self.log = log
    guard talk != nil || microphone != nil else {
      (voice, self.talk) = (nil, nil)
      return
    }
    let voice = CameraVoice(microphone: microphone, talk: talk, log: log)
    self.voice = voice
    self.talk = talk.map { talk in TalkLine(duplex: talk.duplex) { try voice.outlet($0) } }
    self.talk?.onHold = { [weak self] in self?.isSoundHeld = $0 }
  }

  deinit {
    reader?.cancel()
    hearing?.cancel()
  }

  func start() {
    guard reader == nil else { return }
    let events = source.events
    reader = Task { @RTCActor [weak self] in
      for await event in events { self?.take(event) }
    }
    startHearing()
    source.start()
    adaptation = LoopTimer { [weak self] in self?.adapt() }
    adaptation?.arm(after: Self.adaptationInterval)
  }

  /// Returns when source, threads and timers are given back.
  func stop() async {
    adaptation = nil
    subLinger = nil
    gateTimers = [:]
    onChange = nil
    onPicture = nil
    onSound = nil
    viewers = [:]
    resumeKeyFrameWaiters(with: nil)
    await talk?.stop()
    hearing?.cancel()
    if let voice { await Task.detached { voice.stop() }.value }
    await source.stop()
    reader?.cancel()
    await reader?.value
    reader = nil
  }

  func setVideoLevel(_ level: VideoLevel) { change { $0.videoLevel = level } }

  // MARK: Source

  private func take(_ event: SourceEvent) {
    switch event {
    case .video(let stream, let unit): take(unit, of: StreamKind(stream))
    case .audio(let packet):
      if ownSoundEnd.map({ packet.timestamp > $0 + Self.ownSoundLimit }) ?? true { onSound?(packet) }
      send(packet)
    case .ownAudio(let packet):
      ownSoundEnd = packet.timestamp
      onSound?(packet)
    case .described(let description): take(description)
    case .failed(let failure): fail(failure)
    case .recovered: recover()
    }
  }

  private func send(_ packet: AudioPacket) {
    guard !isSoundHeld else { return }
    audio.append(
      packet.bytes, payloadLengths: [packet.bytes.count],
      timestamp: packet.timestamp.ticks(clockRate: 48_000), startsGroup: true,
      captureTime: captureOrigin.map { $0 + packet.timestamp.milliseconds })
  }

  /// The microphone's sound on the line of the pictures' time.
  private func startHearing() {
    guard let voice else { return }
    Task.detached { voice.start() }
    hearing = Task { @RTCActor [weak self] in
      for await packet in voice.packets { self?.take(heard: packet) }
    }
  }

  private func take(heard packet: AudioPacket) {
    // Media time is as old as the source's latest picture; before the first one nothing is sent.
    guard let origin = captureOrigin else { return }
    var packet = packet
    let now = Duration.milliseconds(WallClock.system.now() - origin)
    guard let placed = microphoneTimes.place(now, lasting: packet.duration) else { return }
    packet.timestamp = placed
    onSound?(packet)
    send(packet)
  }

  private func take(_ unit: AccessUnit, of stream: StreamKind) {
    if stream == .sub, !isSubActive { return }
    if stream == .main, sourceState != 0 { recover() }
    let now = RTCActor.now
    let feed = stream == .main ? main : sub
    if unit.captureTime != 0 { captureOrigin = unit.captureTime - unit.timestamp.milliseconds }
    let sent = transform.transform(unit)
    feed.append(sent, at: now)
    onPicture?(stream, sent)
    guard sent.isKeyFrame else { return }
    gates[stream]?.keyFrameCame(at: now)
    gateTimers[stream] = nil
    for viewer in viewers.values { viewer.groupStarted(stream) }
    if stream == .main { resumeKeyFrameWaiters(with: sent) }
  }

  private func take(_ description: SourceDescription) {
    switch description.stream {
    case .main:
      mainDescription = description
      change {
        $0.mainStream = description.summary
        $0.delivery = description.delivery == .passedOn ? .passedOn : .encoded
        $0.note = description.reason
      }
    case .sub:
      change { $0.subStream = description.summary }
    }
  }

  private func fail(_ failure: SourceFailure) {
    guard failure.stream == .main else { return }
    let error = failure.reason.orielError
    log.debug("camera \(cameraNo): \(error)")
    change { $0.note = "\(error)" }
    set(sourceState: ErrorCode.streamNoSource.rawValue)
    resumeKeyFrameWaiters(with: nil)
  }

  private func recover() {
    if sourceState != 0 { log.debug("camera \(cameraNo) gives pictures") }
    change { $0.note = mainDescription?.reason }
    set(sourceState: 0)
  }

  private func set(sourceState code: Int) {
    guard code != sourceState else { return }
    sourceState = code
    for viewer in viewers.values { viewer.sourceStateChanged(code) }
  }

  private func change(_ body: (inout CameraRecord) -> Void) {
    let before = record
    body(&record)
    if record != before { onChange?(record) }
  }

  // MARK: Viewers

  func add(_ viewer: any CameraViewer) {
    viewers[ObjectIdentifier(viewer)] = viewer
    streamsChanged()
  }

  func remove(_ viewer: any CameraViewer) {
    viewers[ObjectIdentifier(viewer)] = nil
    streamsChanged()
  }

  func feed(_ stream: StreamKind) -> StreamFeed { stream == .main ? main : sub }

  /// A viewer receives another stream than before: the sub stream is encoded only while somebody watches it.
  func streamsChanged() {
    if viewers.values.contains(where: { $0.currentStream == .sub }) {
      subLinger = nil
      guard !isSubActive else { return }
      isSubActive = true
      source.setSubStream(true)
    } else if isSubActive, subLinger == nil {
      subLinger = RTCActor.schedule(after: Self.subLingerTime) { [weak self] in self?.stopSub() }
    }
  }

  /// Has the sub stream go on without viewers.
  func keepSub() {
    keepsSub = true
    guard !isSubActive else { return }
    isSubActive = true
    source.setSubStream(true)
  }

  private func stopSub() {
    subLinger = nil
    guard isSubActive, !keepsSub else { return }
    isSubActive = false
    source.setSubStream(false)
    sub.reset()
    for viewer in viewers.values { viewer.feedReplaced(.sub) }
  }

  /// A viewer lost the picture. Many that ask at once cost one key frame, and none more than one a second.
  func requestKeyFrame(_ stream: StreamKind) {
    switch gates[stream]?.request(at: RTCActor.now) {
    case .forward: source.requestKeyFrame(MediaStream(stream))
    case .later(let delay):
      gateTimers[stream] = RTCActor.schedule(after: delay) { [weak self] in
        guard let self, gates[stream]?.delayPassed(at: RTCActor.now) == true else { return }
        source.requestKeyFrame(MediaStream(stream))
      }
    case .drop, nil: break
    }
  }

  private func adapt() {
    adaptation?.arm(after: Self.adaptationInterval)
    guard !viewers.isEmpty || encoderRate.current != encoderRate.full else { return }
    if mainDescription?.delivery == .encoded,
      let rate = encoderRate.update(estimates: viewers.values.map(\.bandwidthEstimate))
    {
      source.setBitrate(.main, bitsPerSecond: rate)
    }
    let now = RTCActor.now
    for viewer in viewers.values {
      viewer.adapt(mainRate: main.rate.bitsPerSecond, subRate: sub.rate.bitsPerSecond, at: now)
    }
  }

  // MARK: Pictures

  /// A key frame of now, or the latest one when none comes within `limit`; nil when the camera gives no picture.
  func freshKeyFrame(within limit: Duration) async -> AccessUnit? {
    guard sourceState == 0 else { return nil }
    requestKeyFrame(.main)
    let timer = RTCActor.schedule(after: limit) { [weak self] in
      self?.resumeKeyFrameWaiters(with: self?.main.keyFrame)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { waitingForKeyFrame.append($0) }
  }

  private func resumeKeyFrameWaiters(with unit: AccessUnit?) {
    let waiting = waitingForKeyFrame
    waitingForKeyFrame = []
    for continuation in waiting { continuation.resume(returning: unit) }
  }
}

extension StreamKind {
  init(_ stream: MediaStream) {
    self = stream == .main ? .main : .sub
  }
}

extension MediaStream {
  init(_ stream: StreamKind) {
    self = stream == .main ? .main : .sub
  }
}

extension RTCActor {
  /// The loop's monotonic clock.
  static var now: Duration { .microseconds(monotonicMicroseconds) }
}
