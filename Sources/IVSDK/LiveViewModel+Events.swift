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
    player.onChannel(
      opened: { [weak self] isOpen in Task { @MainActor in self?.tell { $0.onDataChannelOpen?(isOpen) } } },
      message: { [weak self] bytes in Task { @MainActor in self?.take(bytes) } },
      ended: { [weak self] in Task { @MainActor in self?.tell { $0.onStreamEnded?() } } })
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
      guard isOpen else { return }
      connectionState = .connected
      onConnected?()
      watchFrames()
    case .reconnecting:
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
    case .connecting, .sizeChanged, .videoLevelChanged, .stopped, .gap, .rateChanged: break
    }
  }

  func failed(_ error: OrielError) {
    let wasUp = retryCount > 0 || connectionState == .connected
    lastError = error
    release()
    guard isOpen else { return }
    connectionState = .failed
    if wasUp { onStreamFailed?() }
    onError?()
    close()
  }

  func watchConnecting() {
    deadline = Task { [weak self] in
      guard (try? await Task.sleep(for: Self.connectLimit)) != nil, let self,
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
    frameWatch = Task { [weak self] in
      var seen: UInt64 = 0
      var last = ContinuousClock.now
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        guard let player = self?.player else { return }
        let frames = await player.statistics.frames
        guard let self, !Task.isCancelled else { return }
        if frames != seen || isPaused || sdCardPlaybackEnd {
          seen = frames
          last = .now
        } else if last.duration(to: .now) >= Self.frameLimit {
          if isOpen { onFrameTimeout?() }
          last = .now
        }
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
