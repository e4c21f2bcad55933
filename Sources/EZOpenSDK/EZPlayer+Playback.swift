public import Foundation
import OrielKit
import OrielModel
import Synchronization

/// The speeds of a playback; the raw values are the manual's.
public enum EZPlaybackRate: Int, Sendable, CaseIterable {
  case x1 = 1
  case x2 = 2
  case half = 3
  case x4 = 4
  case quarter = 5
  case x8 = 6
  case eighth = 7
  case x16 = 8
  case sixteenth = 9
  /// As fast as there is: 16 times, and `PLAYER_PLAYSPEED_LOWER` says so.
  case x32 = 10

  var factor: Double {
    switch self {
    case .x1: 1
    case .x2: 2
    case .half: 0.5
    case .x4: 4
    case .quarter: 0.25
    case .x8: 8
    case .eighth: 0.125
    case .x16: 16
    case .sixteenth: 0.0625
    case .x32: 32
    }
  }
}

/// Playback. Its end is told once: `PLAYER_PLAYBACK_STOP` when all was shown, `PLAYER_PLAYBACK_FINISHED` when the
/// program stops it, `didPlayFailed` when it fails. A natural end is never a failure (380101 is not used), so that the
/// manual's comparison of `getOSDTime` with the recording's end is not needed, and does no harm.
extension EZPlayer {
  /// Plays a recording of the cloud: `PLAYER_PLAYBACK_START` or `didPlayFailed` follows.
  /// - Returns: false when a view is under way, after `destoryPlayer`, or without a file.
  @discardableResult
  public func startPlayback(fromCloud cloudFile: EZCloudRecordFile!) -> Bool {
    guard let cloudFile else { return false }
    return startPlayback(.cloud, cloudFile.startTime, cloudFile.stopTime)
  }

  /// Plays a recording of the camera's own storage.
  /// - Returns: as above.
  @discardableResult
  public func startPlayback(fromDevice deviceFile: EZDeviceRecordFile!) -> Bool {
    guard let deviceFile else { return false }
    return startPlayback(.device, deviceFile.startTime, deviceFile.stopTime)
  }

  private func startPlayback(_ store: RecordStore, _ start: Date?, _ stop: Date?) -> Bool {
    guard let run = begin(isPlayback: true) else { return false }
    do {
      guard let start, let stop, start < stop else { throw OrielError(.playbackRange) }
      let range = PlaybackRange(store: store, from: start.milliseconds, to: stop.milliseconds)
      try playbackPlayer(range).start()
      startTicking(run)
    } catch { fail(error as? OrielError ?? OrielError(.streamInnerError), in: run) }
    return true
  }

  /// Holds the picture; `PLAYER_PLAYBACK_PAUSE` follows.
  /// - Returns: false when no playback is under way.
  @discardableResult
  public func pausePlayback() -> Bool { order { try $0.pause() } }

  /// Goes on.
  /// - Returns: false when no playback is under way.
  @discardableResult
  public func resumePlayback() -> Bool { order { try $0.resume() } }

  /// Goes to another time of the recording; outside it nothing happens (720203 in the log).
  public func seekPlayback(_ offsetTime: Date!) {
    guard let offsetTime else { return }
    order { try $0.seek(to: offsetTime.milliseconds) }
  }

  /// Changes the speed, of recordings of both stores.
  /// - Parameter mode: how pictures are left out; here always those between key frames above four times.
  /// - Returns: false when no playback is under way.
  @discardableResult
  public func setPlaybackRate(_ rate: EZPlaybackRate, mode: Int = 0) -> Bool {
    let factor = min(rate.factor, Player.rates.upperBound)
    guard order({ try $0.setRate(factor) }) else { return false }
    if factor < rate.factor { tell(in: state.withLock { $0.run }) { $0.message(.PLAYER_PLAYSPEED_LOWER) } }
    return true
  }

  /// When the picture that is shown was taken; nil before the first. It stays after the end.
  @discardableResult
  public func getOSDTime() -> Date! {
    state.withLock { $0.playback }?.playbackTime.map { Date(milliseconds: $0) }
  }

  /// Ends the playback. On the main queue `PLAYER_PLAYBACK_FINISHED` comes before this returns, unless
  /// `PLAYER_PLAYBACK_STOP` has come, and nothing after it.
  /// - Returns: false when none was under way.
  @discardableResult
  public func stopPlayback() -> Bool {
    let (playback, wasEnded) = state.withLock { ($0.isPlayback ? $0.playback : nil, $0.hasEnded) }
    guard state.withLock({ $0.isPlayback }), end(nil) else { return false }
    playback?.stop()
    guard !wasEnded else { return true }
    if MainQueue.isCurrent {
      tellFinished()
    } else {
      DispatchQueue.main.async { self.tellFinished() }
    }
    return true
  }

  private func tellFinished() {
    guard let delegate = delegates.delegate else { return }
    EZDelegateCalls(delegate: delegate, player: self).message(.PLAYER_PLAYBACK_FINISHED)
  }

  @discardableResult
  private func order(_ body: (Player) throws -> Void) -> Bool {
    guard let playback = state.withLock({ $0.isRunning && $0.isPlayback ? $0.playback : nil }) else {
      return false
    }
    do { try body(playback) } catch {
      Log("ezopensdk").error("playback: \(error)")
      return false
    }
    return true
  }

  func takePlayback(_ event: PlayerEvent) {
    takeTalk(event)
    let run = state.withLock { $0.run }
    switch event {
    case .started, .reconnected: tell(in: run) { $0.message(.PLAYER_PLAYBACK_START) }
    case .reconnecting: tell(in: run) { $0.message(.PLAYER_STREAM_RECONNECT) }
    case .paused: tell(in: run) { $0.message(.PLAYER_PLAYBACK_PAUSE) }
    case .seeked: state.withLock { $0.hasEnded = false }
    case .ended:
      state.withLock { $0.hasEnded = true }
      tell(in: run) { $0.message(.PLAYER_PLAYBACK_STOP) }
    case .sizeChanged(let width, let height): tell(in: run) { $0.size(width: width, height: height) }
    case .failed(let error): fail(error, in: run)
    case .soundFailed(let error): tell(in: run) { $0.soundFailed(NSError(error)) }
    case .recordingFailed(let error), .refused(let error): Log("ezopensdk").error("playback: \(error)")
    case .talkStarted, .talkTurned, .talkEnded, .talkFailed: break
    case .connecting, .stopped, .resumed, .gap, .rateChanged, .videoLevelChanged: break
    }
  }
}
