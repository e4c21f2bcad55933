import OrielKit
import OrielModel

/// What a model shows.
public enum LiveViewKind: Sendable, Hashable {
  /// The camera as it is now.
  case liveView
  /// What the camera has recorded.
  case playback
}

/// What a camera is made of.
public struct IVHardwareConfig: Sendable, Hashable {
  /// Lenses, 1...16: the cameras of a device, from the first on.
  public var lenses: Int

  public init(lenses: Int = 1) { self.lenses = min(max(lenses, 1), 16) }
}

/// Keeps one model for each device, so that screens that come and go share its session.
@MainActor
public enum LiveViewObjectStore {
  private struct Key: Hashable {
    var kind: LiveViewKind
    var spaceId: String
    var deviceId: String
  }

  private static var models: [Key: LiveViewModel] = [:]

  /// The model of a device; the same one each time, until its connection is terminated here.
  /// - Parameters:
  ///   - spaceId: the account.
  ///   - deviceId: the serial; one that is none is reported by `onError` after `connect()`.
  ///   - wakeup: for the manual's spelling: cameras here do not sleep.
  ///   - supportsCalling: for the manual's spelling: talk is found out by itself.
  ///   - supportRSSI: for the manual's spelling: a camera with a radio tells of it.
  ///   - hardwareConfig: how many lenses are shown.
  public static func objectFor(
    _ kind: LiveViewKind, spaceId: String, deviceId: String, wakeup: Bool = false,
    supportsCalling: Bool = false,
    supportRSSI: Bool = false, hardwareConfig: IVHardwareConfig = IVHardwareConfig()
  ) -> LiveViewModel {
    let key = Key(kind: kind, spaceId: spaceId, deviceId: deviceId)
    if let model = models[key] { return model }
    let model = LiveViewModel(
      spaceId: spaceId, deviceId: deviceId, isPlayback: kind == .playback, lenses: hardwareConfig.lenses)
    models[key] = model
    return model
  }

  /// Ends the session with a device; with `deleteCamera` its model is forgotten too.
  public static func terminateConnectionForDevice(
    spaceId: String, deviceId: String, privacyEnable: Bool = false, deleteCamera: Bool = false
  ) {
    for (key, model) in models where key.spaceId == spaceId && key.deviceId == deviceId {
      model.terminateConnection(privacyEnable: privacyEnable)
      if deleteCamera { models[key] = nil }
    }
  }

  /// Ends every session and forgets every model.
  public static func logout() {
    disconnectOnAppTermination()
    models = [:]
  }

  /// Ends every session.
  public static func disconnectOnAppTermination() {
    for model in models.values { model.terminateConnection() }
  }
}
