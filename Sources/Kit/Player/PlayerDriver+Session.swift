import OrielMedia
import OrielModel
import OrielRTC
import Synchronization

/// What a session brings, and what its silence means.
extension PlayerDriver {
  func listen(to connection: ViewerConnection) {
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
      if talk.play(bytes, timestamp) { return media.noteSound(bytes, timestamp, arrival: lastPacket) }
      media.takeSound(bytes, timestamp, arrival: lastPacket)
    }
    connection.onChannel = { [weak self] isOpen in self?.channelChanged(isOpen) }
    connection.onMessage = { [weak self] in self?.take($0) }
    connection.speak(talk.feed)
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
    if isOpen, options.isVoiceOnly {
      // There is no picture to wait for.
      handle(.accessUnit)
      handle(.picture)
    }
    talk.channelChanged(isOpen: isOpen)
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
    if talk.hear(bytes) { return }
    if let playback, let message = PlaybackMessage(bytes) {
      // It tells that the camera is there, whatever it shows.
      lastPacket = now
      lastVideo = now
      playback.hear(message)
    }
    channel.withLock { $0.message }?(bytes)
  }

  func send(_ message: DataChannelMessage) {
    guard let text = message.text else { return }
    try? connection?.send(text)
  }

  /// Nothing has come for this long. Sound alone does not make a view, but it shows that the path is there.
  var silence: Duration {
    // Nothing is due: whether the path is there is for ICE to say.
    if playback?.isHeld == true || options.isVoiceOnly { return .zero }
    let video = Duration.microseconds(now - lastVideo)
    return video > .seconds(10) ? video : .microseconds(now - lastPacket)
  }

  /// Packets come and no picture does: the decoder has lost its way, and only a key frame leads it back.
  private func askForKeyFrameIfStuck() {
    guard !options.isVoiceOnly else { return }
    let frames = pictures?.frames.load(ordering: .relaxed) ?? 0
    if frames != lastFrames || now - lastVideo > 500_000 {
      lastFrames = frames
      lastProgress = now
    } else if now - lastProgress > 1_000_000 {
      lastProgress = now
      connection?.requestKeyFrame()
    }
  }

  func watchSilence() {
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
