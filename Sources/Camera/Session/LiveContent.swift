import OrielModel
import OrielRTC

/// A camera live: chooses the stream the viewer gets.
@RTCActor
final class LiveContent: SessionContent, CameraViewer {
  let options: ViewerPeerOptions?
  private weak var peer: (any ViewerPeer)?
  private var unit: CameraUnit?
  private var choice: StreamChoice
  private var level: VideoLevel
  /// The stream whose next key frame tells the viewer that the definition changed.
  private var announced: StreamKind?

  init(unit: CameraUnit, level: VideoLevel, options: ViewerPeerOptions) {
    self.unit = unit
    self.options = options
    self.level = level
    choice = StreamChoice(level.stream)
  }

  func prepare() async throws(OrielError) {}

  func start(on peer: any ViewerPeer) {
    guard let unit else { return }
    self.peer = peer
    peer.play(unit.audio)
    unit.add(self)
    show()
  }

  func stop() {
    unit?.remove(self)
    unit = nil
  }

  func take(_ event: ViewerPeerEvent) {
    switch event {
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
    default: break
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
