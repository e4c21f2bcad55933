public import Foundation
import OrielKit
public import OrielModel

/// One camera's live view or playback, as the second manual describes them: assign the closures, `connect()`, show
/// `remoteViews`.
///
/// The closures are called on the main thread, between `connect()` and the end of it, which is told by exactly one
/// `onLiveViewTerminate`; nothing follows that until the next `connect()`, and the closures stay assigned. The model is
/// kept by `LiveViewObjectStore` and outlives the screen: clear them when that goes away.
@MainActor
public final class LiveViewModel {
  public enum ConnectionState: Sendable { case none, initiated, connected, failed }

  public let spaceId: String
  public let deviceId: String
  /// Whether it shows recordings.
  public let isPlayback: Bool

  public internal(set) var connectionState = ConnectionState.none
  public var isConnected: Bool { connectionState == .connected }
  /// How often the stream has been made anew since `connect()`.
  public internal(set) var retryCount = 0
  public internal(set) var isRecordingLiveView = false
  /// The last failure, with its number.
  public internal(set) var lastError: OrielError?
  /// Where the pictures are shown, one for each lens; never empty.
  public let remoteViews: [IVVideoView]
  /// The playback has shown everything.
  public internal(set) var sdCardPlaybackEnd = false

  /// The strength of the camera's Wi-Fi signal, dBm; nil until it says.
  @IVPublished public internal(set) var rssi: Int?
  /// What the camera's sensor says, degrees Celsius.
  @IVPublished public internal(set) var temperature: Double?
  /// What the camera's sensor says, per cent of relative humidity.
  @IVPublished public internal(set) var humidity: Double?

  /// The stream is up; hide the spinner.
  public var onConnected: (() -> Void)?
  /// A failure that is not tried again; `lastError` has its number.
  public var onError: (() -> Void)?
  /// The stream is being made again.
  public var onReconnect: (() -> Void)?
  /// The connection did not come up within 30 s.
  public var onTimeout: (() -> Void)?
  /// No picture for 15 s.
  public var onFrameTimeout: (() -> Void)?
  /// The session was torn down.
  public var onLiveViewTerminate: (() -> Void)?
  /// The data channel opened or closed.
  public var onDataChannelOpen: ((Bool) -> Void)?
  /// A message on the data channel: in playback a `PlaybackMessage`.
  public var onDataChannelMessage: ((Data) -> Void)?
  /// The camera ended the stream; in playback everything has been shown.
  public var onStreamEnded: (() -> Void)?
  /// The stream failed after it was up.
  public var onStreamFailed: (() -> Void)?
  /// The device's record was read anew while reconnecting.
  public var onDeviceRefresh: ((DeviceModel) -> Void)?

  /// How long the camera's slot is held after `disconnect()`: a screen that comes back within this goes on at once.
  public static let holdTime = Duration.seconds(10)
  /// The year 9999, epoch seconds: later times are no times.
  static let latestTime: TimeInterval = 253_402_300_799
  static let connectLimit = Duration.seconds(30)
  static let frameLimit = Duration.seconds(15)

  /// One for each lens while a session is up or held; the first tells what happens.
  var players: [Player] = []
  var events: Task<Void, Never>?
  var deadline: Task<Void, Never>?
  var frameWatch: Task<Void, Never>?
  /// Whether the stream is up, also while the slot is held.
  var isUp = false
  /// Counts the sessions: what is late of an old one is told to nobody.
  private(set) var sessionNumber = 0
  /// What the limits are measured with.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Counts the calls of `connect()`.
  private var connects = 0
  /// Counts down while the slot is held after `disconnect()`.
  private var hold: Task<Void, Never>?
  /// Between `connect()` and its end.
  private(set) var isOpen = false
  var isAudioOn = false
  var isMicOn = false
  var isPaused = false
  /// Epoch seconds, until a session is up.
  var startTime = LiveViewModel.getLastHourBegininig()
  /// Epoch seconds.
  private var endTime: TimeInterval?

  init(spaceId: String, deviceId: String, isPlayback: Bool, lenses: Int) {
    self.spaceId = spaceId
    self.deviceId = deviceId
    self.isPlayback = isPlayback
    remoteViews = (0..<max(1, lenses)).map { _ in IVVideoView() }
  }

  deinit {
    for task in [events, deadline, frameWatch, hold] { task?.cancel() }
    let players = players
    if !players.isEmpty { Task { for player in players { await player.close() } } }
  }

  /// The view of the first lens.
  public var remoteView: IVVideoView { remoteViews[0] }
  var player: Player? { players.first }

  /// Connects, for what the object was made for; goes on with a session that is still held.
  public func connect() { connect(playbackEndTime: nil) }

  /// Connects a playback that begins at `playbackCurrentTime`. Of a live view the end is not regarded.
  /// - Parameter playbackEndTime: epoch seconds; nil: 23:59:59 local time of the day it begins.
  public func connect(playbackEndTime: TimeInterval?) {
    guard !isOpen else {
      // A second connect: the session is there, and who asks is told so.
      if isConnected { tell { $0.onConnected?() } }
      return
    }
    isOpen = true
    connects += 1
    retryCount = 0
    lastError = nil
    sdCardPlaybackEnd = false
    let isHeld = hold != nil
    hold?.cancel()
    hold = nil
    do {
      if isPlayback { endTime = try checked(end: playbackEndTime) }
      if isHeld, try goOn() { return }
      try open()
    } catch {
      // Told after the call, as every outcome.
      let error = error as? OrielError ?? OrielError(.streamInnerError)
      release()
      connectionState = .initiated
      events = Task { [weak self] in if !Task.isCancelled { self?.failed(error) } }
    }
  }

  private func checked(end: TimeInterval?) throws -> TimeInterval {
    guard startTime >= 0, startTime < Self.latestTime else { throw OrielError(.playbackRange) }
    let end = min(end ?? Self.endOfDay(startTime), Self.latestTime)
    guard startTime < end else { throw OrielError(.playbackRange) }
    guard startTime <= Date().timeIntervalSince1970 else { throw OrielError(.playbackInFuture) }
    return end
  }

  private func open() throws {
    release()
    connectionState = .initiated
    isPaused = false
    let session = try SDKConfig.session()
    let serial = try DeviceSerial(deviceId)
    var options = PlayerOptions()
    // The model's own limit comes first.
    options.connectTimeout = Self.connectLimit + .seconds(5)
    players = remoteViews.indices.map { lens in
      guard isPlayback, let endTime else {
        return session.player(for: serial, cameraNo: lens + 1, options: options)
      }
      let range = PlaybackRange(from: Int64(startTime * 1000), to: Int64(endTime * 1000))
      return session.playback(of: serial, cameraNo: lens + 1, range: range, options: options)
    }
    if let player { listen(to: player) }
    render()
    if isAudioOn { player?.openSound() }
    for player in players { player.start() }
    if isMicOn { player?.startTalk() }
    watchConnecting()
  }

  /// Goes on with the session that is held; one whose stream is just being made anew is up when that is done.
  /// - Returns: false when there is none that fits.
  private func goOn() throws -> Bool {
    // One that has ended meanwhile is of no use, whether that was told yet or not.
    guard let player, players.allSatisfy(\.isActive) else { return false }
    if isPlayback {
      guard let range = player.range, let endTime, range.to == Int64(endTime * 1000),
        let start = Optional(Int64(startTime * 1000)), start >= range.from
      else { return false }
      for player in players {
        try player.seek(to: start)
        try player.resume()
      }
      isPaused = false
    }
    render()
    if isAudioOn { player.openSound() }
    if isMicOn { player.startTalk() }
    guard isUp else {
      connectionState = .initiated
      watchConnecting()
      return true
    }
    connectionState = .connected
    tell {
      guard $0.isConnected else { return }
      $0.onDataChannelOpen?(true)
      $0.onConnected?()
    }
    watchFrames()
    return true
  }

  /// Stops showing pictures. The camera's slot is held for ``holdTime``, then given back.
  public func disconnect() {
    guard isOpen else { return }
    startTime = playbackCurrentTime
    for player in players { player.onFrame(nil) }
    guard isConnected else { return terminateConnection() }
    if isPlayback { for player in players { try? player.pause() } }
    // A screen that is gone neither sounds nor listens.
    player?.closeSound()
    player?.stopTalk()
    frameWatch?.cancel()
    connectionState = .none
    close()
    hold = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: Self.holdTime)) != nil, !Task.isCancelled else { return }
      self?.hold = nil
      self?.release()
    }
  }

  /// Ends the session and gives the camera's slot back at once.
  /// - Parameter privacyEnable: whether the camera is to be covered afterwards; the agents of today cannot.
  public func terminateConnection(privacyEnable: Bool = false) {
    hold?.cancel()
    hold = nil
    startTime = playbackCurrentTime
    release()
    connectionState = .none
    close()
  }

  /// The end of what `connect()` began, told once.
  func close() {
    guard isOpen else { return }
    isOpen = false
    isMicOn = false
    onLiveViewTerminate?()
  }

  /// After the call that is under way, if it is still wanted then.
  func tell(_ body: @escaping @MainActor (LiveViewModel) -> Void) {
    let connect = connects
    Task { [weak self] in
      guard let self, isOpen, connects == connect else { return }
      body(self)
    }
  }

  /// Lets go of the session.
  func release() {
    sessionNumber += 1
    for task in [deadline, frameWatch, events] { task?.cancel() }
    (deadline, frameWatch, events) = (nil, nil, nil)
    isRecordingLiveView = false
    isUp = false
    let ending = players
    players = []
    for player in ending {
      player.onFrame(nil)
      player.onChannel(opened: nil, message: nil, ended: nil)
    }
    if !ending.isEmpty { Task { for player in ending { await player.close() } } }
  }
}
