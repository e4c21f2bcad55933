import OrielModel
import OrielRTC

/// Drives `ViewerSessionState` for one viewer of one camera, and chooses the stream the viewer gets.
@RTCActor
final class ViewerSession: CameraViewer {
  let key: SessionKey
  /// Whether the path is lost: such a session gives way when the device is full.
  var isLost: Bool { state.phase == .standing(.lost) }
  /// Whether it has a peer connection: only such sessions count.
  var isServing: Bool { peer != nil }

  private var state = ViewerSessionState()
  private var peer: (any ViewerPeer)?
  private var unit: CameraUnit?
  private var choice = StreamChoice(.main)
  private var level = VideoLevel.high
  private var timer: LoopTimer?
  /// The stream whose next key frame tells the viewer that the definition changed.
  private var announced: StreamKind?
  private var options: ViewerPeerOptions?
  private let makePeer: ViewerPeerFactory
  private let sendSignal: @RTCActor (SignalMessage) -> Void
  private let onRelease: @RTCActor (ViewerSession) -> Void

  init(
    key: SessionKey, makePeer: @escaping ViewerPeerFactory,
    sendSignal: @escaping @RTCActor (SignalMessage) -> Void,
    onRelease: @escaping @RTCActor (ViewerSession) -> Void
  ) {
    self.key = key
    self.makePeer = makePeer
    self.sendSignal = sendSignal
    self.onRelease = onRelease
  }

  /// Which camera and definition to start with; before the first offer.
  func prepare(unit: CameraUnit, level: VideoLevel, options: ViewerPeerOptions) {
    self.unit = unit
    self.options = options
    self.level = level
    choice = StreamChoice(level.stream)
  }

  func handle(_ event: ViewerSessionState.Event) {
    for action in state.handle(event) { perform(action) }
  }

  private func perform(_ action: ViewerSessionState.Action) {
    switch action {
    case .answer(let sdp, let isFirst): answer(sdp, isFirst: isFirst)
    case .addCandidate(let candidate): peer?.add(candidate)
    case .sendAnswer(let sdp):
      send(.answer) { try $0.setPayload(SessionDescription(type: "answer", sdp: sdp)) }
    case .sendCandidate(let candidate): send(.candidate) { try $0.setPayload(candidate) }
    case .sendStatus(let code): send(.status) { $0.errorCode = code }
    case .sendEnd(let code): send(.sessionEnd) { $0.errorCode = code }
    case .startTimer(let number, let delay):
      timer = RTCActor.schedule(after: delay) { [weak self] in self?.handle(.timer(number)) }
    case .stopTimer: timer = nil
    case .release: release()
    }
  }

  private func send(_ action: SignalAction, _ fill: (inout SignalMessage) throws -> Void) {
    var message = SignalMessage(action, session: key.session, to: key.viewer)
    guard (try? fill(&message)) != nil else { return }
    sendSignal(message)
  }

  private func answer(_ sdp: String, isFirst: Bool) {
    do throws(OrielError) {
      if isFirst { try connect() }
      guard let peer else { throw OrielError(.sessionUnknown) }
      handle(.answered(sdp: try peer.answer(sdp)))
    } catch {
      handle(.answerFailed(error.code))
    }
  }

  private func connect() throws(OrielError) {
    guard let unit, let options else { throw OrielError(.streamCameraNumber) }
    let peer = try makePeer(options)
    self.peer = peer
    peer.onEvent = { [weak self] in self?.take($0) }
    peer.play(unit.audio)
    unit.add(self)
    show()
  }

  private func release() {
    timer = nil
    unit?.remove(self)
    peer?.onEvent = nil
    peer?.close()
    peer = nil
    unit = nil
    onRelease(self)
  }

  private func take(_ event: ViewerPeerEvent) {
    switch event {
    case .connected: handle(.connected)
    case .interrupted: handle(.interrupted)
    case .failed(let code, let isPath): handle(.failed(code, isPath: isPath))
    case .closedByPeer: handle(.closedByPeer)
    case .localCandidate(let candidate): handle(.localCandidate(candidate))
    case .keyFrameRequest: unit?.requestKeyFrame(choice.current)
    case .channelOpen:
      guard let unit else { return }
      peer?.send(DataChannelMessage(type: .sourceState, errorCode: unit.sourceState))
    case .message(let message):
      guard message.type == .setVideoLevel, let level = message.videoLevel else { return }
      self.level = level
      choice.want(level.stream)
      show()
      unit?.streamsChanged()
    }
  }

  // MARK: Stream

  var currentStream: StreamKind { choice.current }
  var bandwidthEstimate: Int { peer?.bandwidthEstimate ?? 0 }

  /// Sends the chosen stream from its next key frame on; the old one goes on until then.
  private func show() {
    guard let unit else { return }
    let stream = unit.feed(choice.current)
    peer?.show(stream.feed)
    announced = choice.current
    if stream.hasKeyFrame { groupStarted(choice.current) }
  }

  func groupStarted(_ stream: StreamKind) {
    guard announced == stream else { return }
    announced = nil
    let shown: VideoLevel = level.stream == stream ? level : stream == .main ? .high : .low
    peer?.send(DataChannelMessage(type: .videoLevelChanged, videoLevel: shown))
  }

  func feedReplaced(_ stream: StreamKind) {
    if choice.current == stream { show() }
  }

  func sourceStateChanged(_ errorCode: Int) {
    peer?.send(DataChannelMessage(type: .sourceState, errorCode: errorCode))
  }

  func adapt(mainRate: Int, subRate: Int, at now: Duration) {
    let before = choice.current
    choice.update(estimate: bandwidthEstimate, mainRate: mainRate, subRate: subRate, at: now)
    guard choice.current != before else { return }
    show()
    unit?.streamsChanged()
  }
}

/// Names a session: the viewer's client id, which the platform vouches for, and the id the viewer chose.
struct SessionKey: Hashable, Sendable {
  let viewer: String
  let session: String
}
