import OrielMedia
import OrielModel
import OrielRTC
import Synchronization

/// What passes between a view and its camera over the platform.
extension PlayerDriver {
  func subscribe() {
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

  func offer(_ level: VideoLevel?) {
    leave(0)
    do {
      let connection = try ViewerConnection(
        iceServers: iceServers, relayOnly: options.relayOnly, hasVideo: !options.isVoiceOnly)
      self.connection = connection
      listen(to: connection)
      try sendOffer(connection, iceRestart: false, level: level)
    } catch {
      handle(.refused(OrielError(anyError: error)))
    }
  }

  func restart() {
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
