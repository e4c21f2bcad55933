public import Foundation
import OrielKit
import OrielModel
import Synchronization

/// Shows one camera.
///
/// Start and stop say only whether they were taken up; the outcome comes to the delegate, on the main queue. Any
/// number of players may show the same camera at once. One player a function (live view, playback, talk), as in the
/// manual.
public final class EZPlayer: NSObject, Sendable {
  let deviceSerial: String
  let cameraNo: Int
  /// The live view; the error is that of a serial that is none.
  let live: Result<Player, OrielError>
  let session: Session
  let delegates = DelegateHolder()
  let state = Mutex(State())

  struct State {
    /// Counts views, so that what was still on its way when one was stopped is dropped.
    var run = 0
    var isRunning = false
    var isDestroyed = false
    var backgroundModeByPlayer = true
    var verifyCode: String?
    var recording: String?
    var ticker: Task<Void, Never>?
    /// Shows recordings; made by the first playback.
    var playback: Player?
    /// What runs is a playback, or ran last.
    var isPlayback = false
    /// It has shown everything.
    var hasEnded = false
    var surface: (any FrameSurface)?
    /// Talks alone; made by the first talk without a view.
    var talk: Player?
    /// Who talks now: that one, or who shows the view.
    var talker: Player?
    var isTalking = false
  }

  /// - Returns: nil before `initLib`.
  @discardableResult
  public class func createPlayer(withDeviceSerial deviceSerial: String!, cameraNo: Int) -> EZPlayer! {
    guard let session = try? EZLibrary.session() else {
      Log("ezopensdk").error("createPlayer: \(OrielError(.notInitialised))")
      return nil
    }
    let player = EZPlayer(session: session, serial: deviceSerial ?? "", cameraNo: cameraNo)
    EZLibrary.add(player)
    return player
  }

  private init(session: Session, serial text: String, cameraNo: Int) {
    self.cameraNo = cameraNo
    self.session = session
    do {
      let serial = try DeviceSerial(text)
      deviceSerial = serial.value
      live = .success(session.player(for: serial, cameraNo: cameraNo))
    } catch {
      deviceSerial = text
      live = .failure(error as? OrielError ?? OrielError(.illegalDeviceSerial))
    }
    super.init()
    (try? live.get())?.onEvent { [weak self] event in self?.take(event) }
  }

  deinit { state.withLock { $0.ticker }?.cancel() }

  /// What shows pictures, or did last.
  var kit: Player? { state.withLock { $0.isPlayback ? $0.playback : nil } ?? (try? live.get()) }

  /// The player of recordings, with this range from its next start on.
  /// - Throws: `OrielError` 120014.
  func playbackPlayer(_ range: PlaybackRange) throws -> Player {
    if let playback = state.withLock({ $0.playback }) {
      playback.range = range
      return playback
    }
    let playback = session.playback(of: try DeviceSerial(deviceSerial), cameraNo: cameraNo, range: range)
    playback.onEvent { [weak self] event in self?.takePlayback(event) }
    state.withLock {
      $0.playback = playback
      playback.show(on: $0.surface)
    }
    return playback
  }

  /// Who is told what happens.
  public weak var delegate: (any EZPlayerDelegate)! {
    get { delegates.delegate }
    set { delegates.delegate = newValue }
  }

  /// Whether the library may pause a view while the program is in the background. There is no background on Linux:
  /// the value is kept for programs that set it.
  public var backgroundModeByPlayer: Bool {
    get { state.withLock { $0.backgroundModeByPlayer } }
    set { state.withLock { $0.backgroundModeByPlayer = newValue } }
  }

  /// Stops the view and lets go of everything; the player is of no use afterwards.
  @discardableResult
  public func destoryPlayer() -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isDestroyed = true }
      return !state.isDestroyed
    }
    guard isFirst else { return false }
    stopVoiceTalk()
    stopRealPlay()
    stopPlayback()
    setPlayerView(nil)
    let (playback, talk) = state.withLock { ($0.playback, $0.talk) }
    let players = [try? live.get(), playback, talk].compactMap { $0 }
    Task { for player in players { await player.close() } }
    return true
  }

  // MARK: Settings

  /// The password of encrypted video; not needed, and never asked for, where the device is not encrypted.
  public func setPlayVerifyCode(_ verifyCode: String!) { state.withLock { $0.verifyCode = verifyCode } }

  /// Where the pictures are shown; nil: nowhere.
  public func setPlayerView(_ playerView: EZPlayerView!) {
    let surface = playerView?.surface
    let playback = state.withLock {
      $0.surface = surface
      return $0.playback
    }
    playback?.show(on: surface)
    (try? live.get())?.show(on: surface)
  }

  func setVideoLevel(_ level: VideoLevel) { (try? live.get())?.setVideoLevel(level) }

  // MARK: Live view

  /// Starts the live view: `PLAYER_REALPLAY_START` or `didPlayFailed` follows.
  /// - Returns: false when a view is under way, or after `destoryPlayer`.
  @discardableResult
  public func startRealPlay() -> Bool {
    guard let run = begin(isPlayback: false) else { return false }
    switch live {
    case .success(let player):
      player.start()
      startTicking(run)
    case .failure(let error): fail(error, in: run)
    }
    return true
  }

  /// Stops the live view. When this is called on the main queue, nothing is told after it.
  /// - Returns: false when none was under way.
  @discardableResult
  public func stopRealPlay() -> Bool {
    guard state.withLock({ !$0.isPlayback }), end(nil) else { return false }
    (try? live.get())?.stop()
    return true
  }

  /// Plays the sound.
  @discardableResult
  public func openSound() -> Bool {
    guard isRunning else { return false }
    kit?.openSound()
    return true
  }

  @discardableResult
  public func closeSound() -> Bool {
    guard isRunning else { return false }
    kit?.closeSound()
    return true
  }

  /// The picture that is shown.
  /// - Parameter quality: 0...100.
  /// - Returns: nil before the first picture.
  @discardableResult
  public func capturePicture(_ quality: Int) -> EZPicture! {
    guard let kit, let frame = kit.lastFrame,
      let jpeg = try? kit.captureJPEG(quality: min(max(quality, 1), 100))
    else { return nil }
    return EZPicture(jpegData: Data(jpeg), width: frame.width, height: frame.height)
  }

  /// Bytes received since the start.
  @discardableResult
  public func getStreamFlow() -> Int { Int(clamping: kit?.receivedBytes ?? 0) }
}

// MARK: - What the delegate is told

extension EZPlayer {
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Begins a view.
  /// - Returns: its number; nil when one is under way, or after `destoryPlayer`.
  func begin(isPlayback: Bool) -> Int? {
    state.withLock { state in
      guard !state.isDestroyed, !state.isRunning else { return nil }
      state.isRunning = true
      state.isPlayback = isPlayback
      state.hasEnded = false
      state.run += 1
      return state.run
    }
  }

  /// Ends the view.
  /// - Parameter run: nil: whichever is under way.
  /// - Returns: whether one was.
  func end(_ run: Int?) -> Bool {
    let (wasRunning, ticker) = state.withLock { state -> (Bool, Task<Void, Never>?) in
      guard state.isRunning, run == nil || run == state.run else { return (false, nil) }
      state.isRunning = false
      defer { state.ticker = nil }
      return (true, state.ticker)
    }
    ticker?.cancel()
    return wasRunning
  }

  private func take(_ event: PlayerEvent) {
    takeTalk(event)
    let run = state.withLock { $0.run }
    switch event {
    case .started, .reconnected: tell(in: run) { $0.message(.PLAYER_REALPLAY_START) }
    case .videoLevelChanged: tell(in: run) { $0.message(.PLAYER_VIDEOLEVEL_CHANGE) }
    case .reconnecting: tell(in: run) { $0.message(.PLAYER_STREAM_RECONNECT) }
    case .sizeChanged(let width, let height): tell(in: run) { $0.size(width: width, height: height) }
    case .failed(let error): fail(error, in: run)
    case .soundFailed(let error): tell(in: run) { $0.soundFailed(NSError(error)) }
    case .recordingFailed(let error): Log("ezopensdk").error("recording: \(error)")
    case .talkStarted, .talkTurned, .talkEnded, .talkFailed: break
    case .connecting, .stopped, .paused, .resumed, .seeked, .gap, .rateChanged, .ended, .refused: break
    }
  }

  func fail(_ error: OrielError, in run: Int) {
    DispatchQueue.main.async {
      guard self.end(run) else { return }
      let error = NSError(error)
      EZLibrary.noteTokenRefused(error)
      guard let delegate = self.delegates.delegate else { return }
      EZDelegateCalls(delegate: delegate, player: self).failed(error)
    }
  }

  /// On the main queue, unless the view has been stopped until then.
  func tell(in run: Int, _ call: @escaping @Sendable (EZDelegateCalls) -> Void) {
    DispatchQueue.main.async {
      let isCurrent = self.state.withLock { $0.isRunning && $0.run == run }
      guard isCurrent, let delegate = self.delegates.delegate else { return }
      call(EZDelegateCalls(delegate: delegate, player: self))
    }
  }

  /// Tells once a second how much came. The task ends with the view, and with the player.
  func startTicking(_ run: Int) {
    let ticker = Task { [weak self] in
      var before = 0
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        guard let self else { return }
        let now = getStreamFlow()
        let length = max(0, now - before)
        before = now
        tell(in: run) { $0.dataLength(length) }
      }
    }
    let isCurrent = state.withLock { state -> Bool in
      guard state.isRunning, state.run == run else { return false }
      state.ticker = ticker
      return true
    }
    if !isCurrent { ticker.cancel() }
  }
}

/// `@unchecked`: a delegate is an object of the main queue, and called there only; the reference to it is guarded by
/// the lock.
final class DelegateHolder: @unchecked Sendable {
  private let lock = NSLock()
  private weak var held: (any EZPlayerDelegate)?

  var delegate: (any EZPlayerDelegate)? {
    get { lock.withLock { held } }
    set { lock.withLock { held = newValue } }
  }
}
