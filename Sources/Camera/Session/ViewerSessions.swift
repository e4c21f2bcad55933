import Foundation
import OrielMedia
import OrielModel
import OrielRTC

/// All sessions of the device: gives each signal to its session, makes sessions and limits them.
@RTCActor
final class ViewerSessions {
  /// Sessions that have sent candidates only.
  static let freshLimit = 256
  /// Bytes of a session's or a viewer's id.
  static let idLimit = 128

  private let units: [CameraUnit]
  /// What the device has recorded; nil: it records nothing.
  private let recordings: (any RecordedMedia)?
  /// UTC milliseconds.
  private let wallClock: @Sendable () -> Int64
  private let viewerLimit: Int
  private let relayOnly: Bool
  private let makePeer: ViewerPeerFactory
  private let send: @RTCActor (SignalMessage) -> Void
  /// Called when the number of viewers has changed.
  var onCount: ((Int) -> Void)?
  private var sessions: [SessionKey: ViewerSession] = [:]
  private var iceServers: [ICEServerRecord] = []
  private var isStopped = false

  init(
    units: [CameraUnit], recordings: (any RecordedMedia)? = nil, viewerLimit: Int, relayOnly: Bool,
    wallClock: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) },
    makePeer: @escaping ViewerPeerFactory,
    send: @escaping @RTCActor (SignalMessage) -> Void
  ) {
    self.units = units
    self.recordings = recordings
    self.wallClock = wallClock
    self.viewerLimit = viewerLimit
    self.relayOnly = relayOnly
    self.makePeer = makePeer
    self.send = send
  }

  /// Viewers that are served now.
  var count: Int { sessions.values.count { $0.isServing } }

  /// The servers to use when an offer brings none.
  func setICEServers(_ servers: [ICEServerRecord]) { iceServers = servers }

  func receive(_ signal: SignalMessage) {
    guard !isStopped, let viewer = signal.senderClientId, viewer.utf8.count <= Self.idLimit,
      signal.sessionId.utf8.count <= Self.idLimit, !signal.sessionId.isEmpty
    else { return }
    let key = SessionKey(viewer: viewer, session: signal.sessionId)
    switch signal.action {
    case .offer: offer(signal, key)
    case .candidate:
      guard let candidate = try? signal.payload(CandidateDescription.self),
        let session = sessions[key] ?? makeSession(key)
      else { return }
      session.handle(.candidate(candidate))
    case .sessionEnd: sessions[key]?.handle(.endedByViewer)
    case .status:
      // The viewer is gone as far as the platform knows; its media may live on and decides.
      break
    case .answer, .goAway: break
    }
  }

  /// Tells all viewers what radio and sensors say.
  func tell(_ reading: SensorReading) {
    for session in sessions.values { session.tell(reading) }
  }

  /// Ends all sessions with the number (0: the agent stops).
  func stop(_ errorCode: Int = 0) {
    isStopped = true
    for session in sessions.values { session.handle(.end(errorCode)) }
    onCount = nil
  }

  private func offer(_ signal: SignalMessage, _ key: SessionKey) {
    guard let description = try? signal.payload(SessionDescription.self) else {
      return refuse(key, .descriptionMalformed)
    }
    if let session = sessions[key], session.isServing {
      session.handle(.offer(description))
      return
    }
    let cameraNo = signal.cameraNo ?? 1
    guard let unit = units.first(where: { $0.cameraNo == cameraNo }) else {
      return refuse(key, .streamCameraNumber)
    }
    makeRoom()
    guard count < viewerLimit else { return refuse(key, .connectionLimit) }
    guard let session = sessions[key] ?? makeSession(key) else {
      return refuse(key, .connectionLimit)
    }
    let options = ViewerPeerOptions(
      iceServers: signal.iceServers ?? iceServers, relayOnly: relayOnly,
      profileLevel: unit.mainDescription?.profileLevel, isH265: unit.mainDescription?.codec == .h265)
    let talk = TalkSeat(line: unit.talk, isAllowed: signal.mayTalk == true)
    if signal.playbackTime == nil {
      let level = signal.videoLevel ?? unit.record.videoLevel
      session.prepare(LiveContent(unit: unit, level: level, options: options), talk: talk)
    } else {
      do throws(OrielError) {
        session.prepare(try playback(signal, options, for: session), talk: talk)
      } catch { return refuse(key, error.code) }
    }
    session.handle(.offer(description))
    onCount?(count)
  }

  /// - Throws: `OrielError` 160020 when the device records nothing, 720201, 720202.
  private func playback(_ signal: SignalMessage, _ options: ViewerPeerOptions, for session: ViewerSession)
    throws(OrielError) -> PlaybackContent
  {
    guard let recordings else { throw OrielError(.commandNotSupported) }
    let request = try PlaybackRequest(signal, at: wallClock())
    let content = PlaybackContent(request: request, media: recordings, options: options)
    content.onEnd = { [weak session] in session?.handle(.end($0)) }
    return content
  }

  /// A session whose path is lost gives its place to a viewer who is there.
  private func makeRoom() {
    guard count >= viewerLimit, let lost = sessions.values.first(where: { $0.isLost }) else { return }
    lost.handle(.end(ErrorCode.connectionLost.rawValue))
  }

  private func makeSession(_ key: SessionKey) -> ViewerSession? {
    guard sessions.count - count < Self.freshLimit else { return nil }
    let session = ViewerSession(
      key: key, makePeer: makePeer, sendSignal: { [weak self] in self?.send($0) },
      onRelease: { [weak self] in self?.released($0) })
    sessions[key] = session
    return session
  }

  private func released(_ session: ViewerSession) {
    sessions[session.key] = nil
    onCount?(count)
  }

  private func refuse(_ key: SessionKey, _ code: ErrorCode) {
    sessions[key]?.handle(.endedByViewer)
    var message = SignalMessage(.status, session: key.session, to: key.viewer)
    message.errorCode = code.rawValue
    send(message)
  }
}
