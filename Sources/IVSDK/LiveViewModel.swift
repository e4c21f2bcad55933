public import Foundation
import OrielKit
public import OrielModel

/// One camera's live view, as the second manual describes it: assign the closures, `connect()`, show `remoteViews`.
///
/// The closures are called on the main thread. The model is kept by `LiveViewObjectStore` and outlives the screen:
/// clear them when that goes away.
@MainActor
public final class LiveViewModel {
  public enum ConnectionState: Sendable { case none, initiated, connected, failed }

  public let spaceId: String
  public let deviceId: String

  public private(set) var connectionState = ConnectionState.none
  public var isConnected: Bool { connectionState == .connected }
  /// How often the stream has been made anew since `connect()`.
  public private(set) var retryCount = 0
  public private(set) var isRecordingLiveView = false
  /// The last failure, with its number.
  public private(set) var lastError: OrielError?
  /// Where the pictures are shown; never empty.
  public let remoteViews = [IVVideoView()]

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
  /// A message on the data channel that is not one of the library's own.
  public var onDataChannelMessage: ((Data) -> Void)?
  /// The camera ended the stream.
  public var onStreamEnded: (() -> Void)?
  /// The stream failed after it was up.
  public var onStreamFailed: (() -> Void)?
  /// The device's record was read anew while reconnecting.
  public var onDeviceRefresh: ((DeviceModel) -> Void)?

  static let connectLimit = Duration.seconds(30)
  static let frameLimit = Duration.seconds(15)

  private var player: Player?
  private var events: Task<Void, Never>?
  private var deadline: Task<Void, Never>?
  private var frameWatch: Task<Void, Never>?
  private var isRendering = false
  private var isAudioOn = false

  init(spaceId: String, deviceId: String) {
    self.spaceId = spaceId
    self.deviceId = deviceId
  }

  /// The first view: one lens.
  public var remoteView: IVVideoView { remoteViews[0] }

  /// Connects, or shows the pictures again of a session that is up.
  public func connect() {
    isRendering = true
    if let player {
      render(player)
      if isConnected { onConnected?() }
      return
    }
    retryCount = 0
    lastError = nil
    connectionState = .initiated
    do {
      var options = PlayerOptions()
      // The model's own limit comes first.
      options.connectTimeout = Self.connectLimit + .seconds(5)
      let player = try SDKConfig.session().player(for: DeviceSerial(deviceId), options: options)
      self.player = player
      listen(to: player)
      render(player)
      if isAudioOn { player.openSound() }
      player.start()
      watchConnecting()
    } catch {
      // Told after the call, as every outcome.
      let error = error as? OrielError ?? OrielError(.streamInnerError)
      events = Task { [weak self] in if !Task.isCancelled { self?.failed(error) } }
    }
  }

  /// Stops showing pictures; the session stays up for the next screen.
  public func disconnect() {
    isRendering = false
    player?.onFrame(nil)
  }

  /// Ends the session and gives the camera's slot back.
  /// - Parameter privacyEnable: whether the camera is to be covered afterwards; the agents of today cannot.
  public func terminateConnection(privacyEnable: Bool = false) {
    guard player != nil || connectionState == .initiated else { return }
    release()
    connectionState = .none
    onLiveViewTerminate?()
  }

  /// Plays the camera's sound, or not.
  public func enableAudio(value: Bool) {
    isAudioOn = value
    if value { player?.openSound() } else { player?.closeSound() }
  }

  /// The picture that is shown.
  /// - Parameters:
  ///   - size: for the manual's spelling; the picture has the camera's size.
  ///   - snapshot: gets a JPEG, or the error: 720004 before the first picture.
  public func captureSnapshot(size: CGSize = .zero, snapshot: (Result<Data, OrielError>) -> Void) {
    do {
      guard let player else { throw OrielError(.noPicture) }
      snapshot(.success(Data(try player.captureJPEG())))
    } catch {
      snapshot(.failure(error as? OrielError ?? OrielError(.noPicture)))
    }
  }

  /// Records to an MP4 file, from the next key frame on.
  /// - Parameters:
  ///   - size: for the manual's spelling; the clip has the camera's size.
  ///   - fileName: a path; a bare name is put into the temporary folder.
  public func startRecording(size: CGSize = .zero, fileName: String) {
    guard let player, !isRecordingLiveView else { return }
    isRecordingLiveView = true
    let path =
      fileName.contains("/")
      ? fileName : FileManager.default.temporaryDirectory.appendingPathComponent(fileName).path
    Task { [weak self] in
      do { try await player.startRecording(to: path) } catch {
        self?.isRecordingLiveView = false
        self?.lastError = error as? OrielError
      }
    }
  }

  /// Ends the recording.
  /// - Parameter completion: on the main thread: the file's `file:` address, or the error (720003 when nothing was
  ///   recorded).
  public func stopRecording(completion: @escaping @MainActor (Result<String, OrielError>) -> Void) {
    isRecordingLiveView = false
    guard let player else { return completion(.failure(OrielError(.nothingRecorded))) }
    Task {
      do {
        let clip = try await player.stopRecording()
        completion(.success(URL(fileURLWithPath: clip.path).absoluteString))
      } catch {
        completion(.failure(error as? OrielError ?? OrielError(.nothingRecorded)))
      }
    }
  }
}

// MARK: - What happens

extension LiveViewModel {
  private func render(_ player: Player) {
    let view = remoteView
    player.onFrame { view.take($0) }
  }

  private func listen(to player: Player) {
    let stream = player.events
    events = Task { [weak self] in
      for await event in stream {
        guard !Task.isCancelled else { return }
        self?.take(event)
      }
    }
    player.onChannel(
      opened: { [weak self] isOpen in Task { @MainActor in self?.onDataChannelOpen?(isOpen) } },
      message: { [weak self] bytes in Task { @MainActor in self?.onDataChannelMessage?(Data(bytes)) } },
      ended: { [weak self] in Task { @MainActor in self?.onStreamEnded?() } })
  }

  private func take(_ event: PlayerEvent) {
    switch event {
    case .started, .reconnected:
      deadline?.cancel()
      connectionState = .connected
      onConnected?()
      watchFrames()
    case .reconnecting:
      retryCount += 1
      connectionState = .initiated
      onReconnect?()
      refreshDevice()
    case .failed(let error): failed(error)
    case .recordingFailed(let error):
      isRecordingLiveView = false
      lastError = error
    case .soundFailed(let error): lastError = error
    case .connecting, .sizeChanged, .videoLevelChanged, .stopped: break
    case .paused, .resumed, .seeked, .gap, .rateChanged, .ended, .refused: break
    }
  }

  private func failed(_ error: OrielError) {
    let wasUp = retryCount > 0 || connectionState == .connected
    lastError = error
    release()
    connectionState = .failed
    if wasUp { onStreamFailed?() }
    onError?()
    onLiveViewTerminate?()
  }

  private func watchConnecting() {
    deadline = Task { [weak self] in
      guard (try? await Task.sleep(for: Self.connectLimit)) != nil, let self,
        connectionState == .initiated, retryCount == 0
      else { return }
      release()
      connectionState = .failed
      onTimeout?()
      onLiveViewTerminate?()
    }
  }

  private func watchFrames() {
    frameWatch?.cancel()
    frameWatch = Task { [weak self] in
      var seen: UInt64 = 0
      var last = ContinuousClock.now
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        guard let self, let player = self.player else { return }
        let frames = await player.statistics.frames
        if frames != seen {
          seen = frames
          last = .now
        } else if last.duration(to: .now) >= Self.frameLimit {
          self.onFrameTimeout?()
          last = .now
        }
      }
    }
  }

  private func refreshDevice() {
    Task { [weak self, deviceId, spaceId] in
      guard let session = try? SDKConfig.session(), let serial = try? DeviceSerial(deviceId),
        let device = try? await session.device(serial)
      else { return }
      self?.onDeviceRefresh?(DeviceModel(device.record, spaceId: spaceId))
    }
  }

  private func release() {
    deadline?.cancel()
    frameWatch?.cancel()
    events?.cancel()
    deadline = nil
    frameWatch = nil
    events = nil
    isRecordingLiveView = false
    guard let player else { return }
    self.player = nil
    player.onFrame(nil)
    player.onChannel(opened: nil, message: nil, ended: nil)
    Task { await player.close() }
  }
}
