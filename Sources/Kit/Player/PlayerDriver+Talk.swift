import OrielModel
import OrielRTC

/// Talk beside the view, or alone.
extension PlayerDriver {
  func prepareTalk() {
    talk.send = { [weak self] in try? self?.connection?.send($0) }
    talk.emit = { [weak self] in self?.talkTold($0) }
  }

  func perform(_ order: TalkOrder) {
    switch order {
    case .start(let input, let run?):
      self.run = run
      prepareTalk()
      talk.onOpened = { [weak self] in self?.start(run, nil) }
      talk.start(from: input)
    case .start(let input, nil):
      guard state.phase != .idle, cloud == nil else {
        return emit(.talkFailed(OrielError(.playbackNotRunning)))
      }
      talk.start(from: input)
    case .stop: talk.stop()
    case .press(let isPressed): talk.press(isPressed)
    }
  }

  private func talkTold(_ event: PlayerEvent) {
    emit(event)
    guard options.isVoiceOnly else { return }
    // A session that was for talk alone has no purpose any more.
    switch event {
    case .talkEnded:
      handle(.stop)
      _ = outlet.end()
    case .talkFailed(let error):
      handle(.stop)
      emit(.failed(error))
    default: break
    }
  }
}
