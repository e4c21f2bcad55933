import OrielMedia
import OrielModel
import OrielRTC

/// A camera's recordings: drives a `PlaybackState`, with feeds of its own for one viewer.
///
/// One task reads, one timer paces. The RTP timestamps are the session's own time, whatever is played.
@RTCActor
final class PlaybackContent: SessionContent {
  private(set) var options: ViewerPeerOptions?
  /// The session is to end with this number.
  var onEnd: ((Int) -> Void)?

  private let request: PlaybackRequest
  private let media: any RecordedMedia
  private let offered: ViewerPeerOptions
  private let reader: PlaybackReader
  private weak var peer: (any ViewerPeer)?
  private var state: PlaybackState?
  private var work: Task<Void, Never>?
  private var fetching: Task<Void, Never>?
  private var hasBegun = false
  /// Which stream the viewer's line carries; nil while there is only one.
  private var choice: StreamChoice?
  /// Bits a second of each stream, once it was shown.
  private var rates: [StreamKind: Int] = [:]
  private var adaptation: LoopTimer?
  private var inquiries = 0
  private var lastRefresh: Duration?
  private var timer: LoopTimer?
  private let feeds = PlaybackFeeds()
  private let began = RTCActor.now

  /// A viewer that opens no data channel is shown the recording all the same, after this.
  static let channelLimit = Duration.seconds(1)
  static let refreshInterval = Duration.seconds(1)
  /// Questions about recordings that are answered at once.
  static let inquiryLimit = 4

  init(request: PlaybackRequest, media: any RecordedMedia, options: ViewerPeerOptions) {
    self.request = request
    self.media = media
    offered = options
    reader = PlaybackReader(archive: media.archive(of: request.cameraNo))
  }

  /// Which stream is shown.
  var stream: MediaStream? { state?.stretch?.stream }

  private var now: Duration { RTCActor.now - began }

  /// Finds the first recording: its codec is what is offered.
  func prepare() async throws(OrielError) {
    let outcome = await reader.perform(
      .find(time: request.window.lowerBound, stream: .main, except: nil))
    switch outcome {
    case .found(let stretch?) where stretch.startTime < request.window.upperBound:
      var options = offered
      options.isH265 = stretch.codec == .h265
      self.options = options
      state = PlaybackState(window: request.window, codecs: [stretch.codec])
    case .failed(let failure): throw OrielError(failure.errorCode)
    default: throw OrielError(.recordNotFound)
    }
  }

  func start(on peer: any ViewerPeer) {
    self.peer = peer
    peer.show(feeds.video)
    peer.play(feeds.audio)
  }

  func take(_ event: ViewerPeerEvent) {
    switch event {
    case .connected:
      guard timer == nil else { return }
      timer = LoopTimer { [weak self] in self?.begin() }
      timer?.arm(after: Self.channelLimit)
    case .channelOpen: begin()
    case .playback(let message): take(message)
    case .keyFrameRequest: refresh()
    default: break
    }
  }

  /// As often as the pictures that this costs allow.
  private func refresh() {
    guard hasBegun, lastRefresh.map({ now - $0 >= Self.refreshInterval }) ?? true else { return }
    lastRefresh = now
    handle(.refresh)
  }

  private func begin() {
    guard !hasBegun, state != nil else { return }
    hasBegun = true
    timer = LoopTimer { [weak self] in self?.tick() }
    handle(.start)
    let (media, cameraNo) = (media, request.cameraNo)
    Task { @RTCActor [weak self] in
      guard await media.hasSubStream(cameraNo), let self, state != nil else { return }
      choice = StreamChoice(.main)
      adaptation = LoopTimer { [weak self] in self?.adapt() }
      adaptation?.arm(after: CameraUnit.adaptationInterval)
    }
  }

  /// A viewer on a thin line gets the small stream, as in live view.
  private func adapt() {
    adaptation?.arm(after: CameraUnit.adaptationInterval)
    guard var choice, let state, let peer, let stretch = state.stretch, !state.isPaused, !state.hasEnded,
      state.rate <= PlaybackState.fullRateLimit
    else { return }
    rates[StreamKind(stretch.stream)] = stretch.bitRate
    let before = choice.current
    func rate(_ stream: StreamKind) -> Int { Int(Double(rates[stream] ?? 0) * state.rate) }
    choice.update(estimate: peer.bandwidthEstimate, mainRate: rate(.main), subRate: rate(.sub), at: now)
    self.choice = choice
    if choice.current != before { handle(.stream(MediaStream(choice.current))) }
  }

  func stop() {
    timer = nil
    adaptation = nil
    work?.cancel()
    work = nil
    fetching?.cancel()
    fetching = nil
    feeds.close()
    peer = nil
    onEnd = nil
    state = nil
  }

  private func tick() {
    state?.backlog = peer?.backlog ?? .zero
    handle(.tick)
  }

  private func handle(_ input: PlaybackInput) {
    guard let actions = state?.handle(input, at: now) else { return }
    for action in actions {
      switch action {
      case .work(let work): perform(work)
      case .send(let unit): feeds.send(unit.sample, at: unit.presentation)
      case .tell(let news): tell(news)
      case .discardUnsent: peer?.discardUnsent()
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

  // MARK: Messages

  private func take(_ message: PlaybackMessage) {
    let id = message.requestId
    switch message.action {
    case .play: handle(.play)
    case .pause: handle(.pause)
    case .seek:
      guard
        let time = message.timeMs
          ?? message.time.map({ $0.multipliedReportingOverflow(by: 1000) })
          .flatMap({ $0.overflow ? nil : $0.partialValue })
      else { return }
      handle(.seek(to: time, requestId: id))
    case .rate: handle(.rate(message.rate ?? 1, requestId: id))
    case .step: handle(.step(requestId: id))
    case .mediaInfo, .mediaInfoStartTime: inquire(message)
    case .fetch: fetch(id)
    case .tsTimeStamp, .playing, .pausing, .seeking, .gap, .playbackEnd: break
    }
  }

  // MARK: Files

  /// Sends the recordings themselves; pictures rest meanwhile.
  private func fetch(_ id: Int?) {
    guard fetching == nil else { return }
    handle(.pause)
    let fetch = RecordingFetch(archive: media.archive(of: request.cameraNo), window: request.window)
    fetching = Task { @RTCActor [weak self] in
      var end = PlaybackMessage(action: .playbackEnd)
      end.requestId = id
      do {
        while let piece = try await fetch.next() {
          guard await self?.send(piece, id) == true else { return }
        }
        end.errorCode = 0
      } catch { end.errorCode = (error as? PlaybackFailure ?? .unreadable).errorCode.rawValue }
      self?.peer?.send(end)
      self?.fetching = nil
    }
  }

  /// - Returns: false when the session is over.
  private func send(_ piece: RecordingFetch.Piece, _ id: Int?) async -> Bool {
    switch piece {
    case .file(let time, let size):
      var message = PlaybackMessage(action: .fetch, time: time / 1000)
      (message.timeMs, message.size, message.requestId) = (time, size, id)
      peer?.send(message)
    case .bytes(let bytes):
      for start in stride(from: 0, to: bytes.count, by: Self.messageSize) {
        while let peer, peer.channelBacklog > Self.channelLimitBytes {
          guard (try? await Task.sleep(for: .milliseconds(2))) != nil else { return false }
        }
        let part = Array(bytes[start..<min(start + Self.messageSize, bytes.count)])
        guard let peer, peer.send(part) else { return false }
      }
    }
    return !Task.isCancelled
  }

  /// Bytes of a message with a file's bytes.
  static let messageSize = 65_536
  /// Bytes that wait on the data channel before more is read.
  static let channelLimitBytes = 1 << 20

  private func inquire(_ message: PlaybackMessage) {
    guard inquiries < Self.inquiryLimit else { return }
    inquiries += 1
    let (media, cameraNo) = (media, request.cameraNo)
    Task { @RTCActor [weak self] in
      let answer = await PlaybackInquiry.answer(message, media, cameraNo)
      self?.inquiries -= 1
      self?.peer?.send(answer)
    }
  }

  private func tell(_ news: PlaybackNews) {
    peer?.send(message(news))
    if case .ended(_, _, let failure?) = news { onEnd?(failure.errorCode.rawValue) }
  }

  private func message(_ news: PlaybackNews) -> PlaybackMessage {
    switch news {
    case .moved(let id, let anchor, let first): return anchored(.seeking, anchor, id, first)
    case .playing(let id, let anchor, let first): return anchored(.playing, anchor, id, first)
    case .paused(let id, let anchor): return anchored(.pausing, anchor, id)
    case .position(let anchor):
      var message = anchored(.tsTimeStamp, anchor)
      message.time = nil
      message.timeStamp = anchor.time / 1000
      return message
    case .gap(let from, let to, let anchor):
      var message = anchored(.gap, anchor)
      (message.startTime, message.endTime) = (from / 1000, (to + 999) / 1000)
      return message
    case .refused(let id, let failure):
      var message = PlaybackMessage(action: failure == .rate ? .rate : .seek)
      message.requestId = id
      message.errorCode = failure.errorCode.rawValue
      return message
    case .ended(let id, let time, let failure):
      var message = PlaybackMessage(action: .playbackEnd, time: time / 1000)
      message.requestId = id
      message.timeMs = time
      message.errorCode = failure?.errorCode.rawValue ?? 0
      return message
    }
  }

  private func anchored(
    _ action: PlaybackAction, _ anchor: PlaybackAnchor, _ id: Int? = nil, _ first: Duration? = nil
  ) -> PlaybackMessage {
    var message = PlaybackMessage(action: action, time: anchor.time / 1000)
    message.timeMs = anchor.time
    message.requestId = id
    message.rate = anchor.rate
    message.rtpTimestamp = timestamp(anchor.presentation)
    message.firstRtpTimestamp = first.flatMap { timestamp($0) }
    return message
  }

  /// The viewer's RTP timestamp of an instant of the session.
  private func timestamp(_ presentation: Duration) -> UInt32? {
    peer.map { presentation.ticks(clockRate: 90_000) &+ $0.videoTimestampOffset }
  }
}
