import Foundation
import OrielKit
import OrielModel

/// What happens to a session, as the closures tell it.
extension LiveViewModel {
  func render() {
    for (player, view) in zip(players, remoteViews) { player.onFrame { view.show($0) } }
  }

  func listen(to player: Player) {
    let stream = player.events
    events = Task { [weak self] in
      for await event in stream {
        guard !Task.isCancelled else { return }
        self?.take(event)
      }
    }
    let number = sessionNumber
    let told: @Sendable (@escaping @MainActor @Sendable (LiveViewModel) -> Void) -> Void = {
      [weak self] body in
      Task { @MainActor in
        if let self, self.sessionNumber == number { body(self) }
      }
    }
    player.onChannel(
      opened: { isOpen in told { if $0.isOpen { $0.onDataChannelOpen?(isOpen) } } },
      message: { bytes in told { $0.take(bytes) } },
      ended: { told { if $0.isOpen { $0.onStreamEnded?() } } })
  }

  private func take(_ bytes: [UInt8]) {
    if let reading = SensorReading(bytes) {
      if let value = reading.rssi { rssi = value }
      if let value = reading.temperature { temperature = value }
      if let value = reading.humidity { humidity = value }
      return
    }
    if isOpen { onDataChannelMessage?(Data(bytes)) }
  }

  private func take(_ event: PlayerEvent) {
    switch event {
    case .started, .reconnected:
      deadline?.cancel()
      isUp = true
      guard isOpen else { return }
      connectionState = .connected
      onConnected?()
      watchFrames()
    case .reconnecting:
      isUp = false
      guard isOpen else { return }
      retryCount += 1
      connectionState = .initiated
      onReconnect?()
      refreshDevice()
    case .failed(let error): failed(error)
    case .recordingFailed(let error):
      isRecordingLiveView = false
      lastError = error
    case .soundFailed(let error), .refused(let error): lastError = error
    case .paused: isPaused = true
    case .resumed: isPaused = false
    case .seeked: sdCardPlaybackEnd = false
    case .ended:
      sdCardPlaybackEnd = true
      if isOpen { onStreamEnded?() }
    case .talkFailed(let error):
      lastError = error
      isMicOn = false
    case .talkEnded: isMicOn = false
    case .talkStarted, .talkTurned: break
    case .connecting, .sizeChanged, .videoLevelChanged, .stopped, .gap, .rateChanged: break
    }
  }

  func failed(_ error: OrielError) {
    let wasUp = retryCount > 0 || connectionState == .connected
    lastError = error
    startTime = playbackCurrentTime
    release()
    guard isOpen else { return }
    connectionState = .failed
    if wasUp { onStreamFailed?() }
    onError?()
    close()
  }

  func watchConnecting() {
    deadline = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: Self.connectLimit)) != nil, let self,
        connectionState == .initiated, retryCount == 0, isOpen
      else { return }
      release()
      connectionState = .failed
      onTimeout?()
      close()
    }
  }

  /// While pictures are due.
  func watchFrames() {
    frameWatch?.cancel()
    frameWatch = Task { [weak self, clock] in
      var seen: UInt64 = 0
      var quiet = Duration.zero
      while (try? await clock.sleep(for: .seconds(1))) != nil {
        guard let player = self?.player else { return }
        let frames = await player.statistics.frames
        guard let self, !Task.isCancelled else { return }
        quiet = frames != seen || isPaused || sdCardPlaybackEnd ? .zero : quiet + .seconds(1)
        seen = frames
        guard quiet >= Self.frameLimit else { continue }
        quiet = .zero
        if isOpen { onFrameTimeout?() }
      }
    }
  }

  private func refreshDevice() {
    Task { [weak self, deviceId, spaceId] in
      guard let session = try? SDKConfig.session(), let serial = try? DeviceSerial(deviceId),
        let device = try? await session.device(serial), let self, isOpen
      else { return }
      onDeviceRefresh?(DeviceModel(device.record, spaceId: spaceId))
    }
  }
}
