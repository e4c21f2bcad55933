import Foundation
import OrielKit
import OrielModel
import Synchronization

/// Two-way audio: `PLAYER_VOICE_TALK_START` and `PLAYER_VOICE_TALK_END`, or `didPlayFailed`, tell how it goes.
///
/// The manual gives talk a player of its own. That works, and a player that shows a live view or a recording of the
/// device may talk within it as well.
extension EZPlayer {
  /// Begins to talk. The microphone is opened first: without one `didPlayFailed` has 750004, and the network is not
  /// touched. Other numbers: 360010 somebody else talks, 400025 the device has no talk, 110031 this account may not,
  /// 360001 no answer, 360002 the talk was lost, 750003 no loudspeaker, here or there.
  /// - Returns: false when a talk is under way, or after `destoryPlayer`.
  @discardableResult
  public func startVoiceTalk() -> Bool {
    let (isFree, shown) = state.withLock { state -> (Bool, Player?) in
      guard !state.isDestroyed, !state.isTalking else { return (false, nil) }
      state.isTalking = true
      guard state.isRunning else { return (true, nil) }
      return (true, state.isPlayback ? state.playback : try? live.get())
    }
    guard isFree else { return false }
    do {
      let player = try shown ?? talkPlayer()
      state.withLock { $0.talker = player }
      player.startTalk()
    } catch { talkFailed(error as? OrielError ?? OrielError(.streamInnerError)) }
    return true
  }

  /// Ends the talk; `PLAYER_VOICE_TALK_END` follows.
  /// - Returns: false when none was under way.
  @discardableResult
  public func stopVoiceTalk() -> Bool {
    guard let talker = state.withLock({ $0.isTalking ? $0.talker : nil }) else { return false }
    talker.stopTalk()
    return true
  }

  /// Half duplex: true while this side speaks and the device listens. A talk begins the other way round.
  /// - Returns: false when no talk is under way.
  @discardableResult
  public func audioTalkPressed(_ isPressed: Bool) -> Bool {
    guard let talker = state.withLock({ $0.isTalking ? $0.talker : nil }) else { return false }
    talker.speak(isPressed)
    return true
  }

  /// Loudspeaker or earpiece. A machine with Linux has no earpiece: the system's sound settings choose the way.
  public func changeTalkingRouteMode(_ isSpeaker: Bool) {}

  /// - Throws: `OrielError` 120014.
  private func talkPlayer() throws -> Player {
    if let known = state.withLock({ $0.talk }) { return known }
    let player = session.talk(with: try DeviceSerial(deviceSerial), cameraNo: cameraNo)
    player.onEvent { [weak self] event in self?.takeTalk(event) }
    state.withLock { $0.talk = player }
    return player
  }

  /// What any player says of talk.
  func takeTalk(_ event: PlayerEvent) {
    switch event {
    case .talkStarted: tellTalk { $0.message(.PLAYER_VOICE_TALK_START) }
    case .talkFailed(let error): talkFailed(error)
    // A view that ends takes the talk beside it along.
    case .talkEnded, .failed, .stopped:
      if endTalk() { tellTalk { $0.message(.PLAYER_VOICE_TALK_END) } }
    default: break
    }
  }

  private func endTalk() -> Bool {
    state.withLock { state in
      defer { (state.isTalking, state.talker) = (false, nil) }
      return state.isTalking
    }
  }

  private func talkFailed(_ error: OrielError) {
    guard endTalk() else { return }
    let error = NSError(error)
    tellTalk { $0.failed(error) }
  }

  /// On the main queue, unless the player has been destroyed until then.
  private func tellTalk(_ call: @escaping @Sendable (EZDelegateCalls) -> Void) {
    DispatchQueue.main.async {
      guard !self.state.withLock({ $0.isDestroyed }), let delegate = self.delegates.delegate else { return }
      call(EZDelegateCalls(delegate: delegate, player: self))
    }
  }
}
