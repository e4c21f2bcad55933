import OrielModel
import OrielRTC

/// Drives `ViewerSessionState` for one viewer, who is shown something of one camera.
@RTCActor
final class ViewerSession {
  let key: SessionKey
  /// Whether the path is lost: such a session gives way when the device is full.
  var isLost: Bool { state.phase == .standing(.lost) }
  /// Whether it has a peer connection, or is to have one: only such sessions count.
  var isServing: Bool { peer != nil || preparation != nil }

  private var state = ViewerSessionState()
  private var peer: (any ViewerPeer)?
  private var content: (any SessionContent)?
  private var talk: TalkSeat?
  private var preparation: Task<Void, Never>?
  private var timer: LoopTimer?
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

  /// What to show; before the first offer.
  func prepare(_ content: any SessionContent, talk: TalkSeat) {
    self.content = content
    self.talk = talk
  }

  /// What radio and sensors say, if the viewer has a data channel.
  func tell(_ reading: SensorReading) { peer?.send(reading) }

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
    guard isFirst, let content, content.options == nil else { return answerNow(sdp, isFirst: isFirst) }
    preparation = Task { @RTCActor [weak self] in
      let failure: OrielError?
      do throws(OrielError) {
        try await content.prepare()
        failure = nil
      } catch { failure = error }
      // What was released meanwhile has no content any more.
      guard let self, self.content === content else { return }
      preparation = nil
      if let failure { handle(.answerFailed(failure.code)) } else { answerNow(sdp, isFirst: true) }
    }
  }

  private func answerNow(_ sdp: String, isFirst: Bool) {
    do throws(OrielError) {
      if isFirst { try connect() }
      guard let peer else { throw OrielError(.sessionUnknown) }
      handle(.answered(sdp: try peer.answer(sdp)))
    } catch {
      handle(.answerFailed(error.code))
    }
  }

  private func connect() throws(OrielError) {
    guard let content, var options = content.options else { throw OrielError(.streamCameraNumber) }
    options.hasTalk = talk?.isOpen == true
    let peer = try makePeer(options)
    self.peer = peer
    peer.onEvent = { [weak self] in self?.take($0) }
    content.start(on: peer)
    talk?.start(on: peer)
  }

  private func release() {
    timer = nil
    preparation?.cancel()
    preparation = nil
    talk?.stop()
    talk = nil
    content?.stop()
    peer?.onEvent = nil
    peer?.close()
    peer = nil
    content = nil
    onRelease(self)
  }

  private func take(_ event: ViewerPeerEvent) {
    switch event {
    case .connected: handle(.connected)
    case .interrupted: handle(.interrupted)
    case .failed(let code, let isPath): handle(.failed(code, isPath: isPath))
    case .closedByPeer: handle(.closedByPeer)
    case .localCandidate(let candidate): handle(.localCandidate(candidate))
    case .talk, .voice:
      talk?.take(event)
      return
    case .keyFrameRequest, .channelOpen, .message, .playback: break
    }
    content?.take(event)
  }
}

/// Names a session: the viewer's client id, which the platform vouches for, and the id the viewer chose.
struct SessionKey: Hashable, Sendable {
  let viewer: String
  let session: String
}
