public import OrielModel

/// What a camera agent needs to run.
public struct AgentConfiguration: Sendable {
  /// Holds the identity, 0700; made when absent. One agent a folder.
  public var dataFolder: String
  /// One a camera; the first is cameraNo 1. One agent is one device.
  public var sources: [CameraSourceConfiguration]
  public var platform: ServerAddress
  /// What people call the device.
  public var name: String
  /// The model on the label and in the device list.
  public var model: String
  /// How many viewers the device serves at once, over all cameras; one more gets 380045.
  public var viewerLimit: Int
  /// How often covers are renewed.
  public var coverInterval: Duration
  /// Offer and use relayed candidates only: for tests of relays.
  public var relayOnly: Bool
  /// Whether and where the cameras record; nil: they do not.
  public var recording: RecordingConfiguration?
  /// Where the files of radio and sensors begin: for tests.
  var sensorRoot = ""
  /// What of its recordings the agent uploads to the platform's cloud.
  public var upload = UploadChoice.none

  public init(
    dataFolder: String, sources: [CameraSourceConfiguration], platform: ServerAddress,
    name: String = "Oriel camera", model: String = "oriel-agent", viewerLimit: Int = 64,
    coverInterval: Duration = .seconds(300), relayOnly: Bool = false
  ) {
    self.dataFolder = dataFolder
    self.sources = sources
    self.platform = platform
    self.name = name
    self.model = model
    self.viewerLimit = viewerLimit
    self.coverInterval = coverInterval
    self.relayOnly = relayOnly
  }
}

/// How an agent's cameras record.
public struct RecordingConfiguration: Sendable {
  public var mode: RecordingMode
  /// Where the recordings lie; nil: `recordings` in the agent's data folder. One agent a folder.
  public var folder: String?
  public var limits: RecordingLimits

  public init(
    mode: RecordingMode = .continuous, folder: String? = nil, limits: RecordingLimits = RecordingLimits()
  ) {
    self.mode = mode
    self.folder = folder
    self.limits = limits
  }
}
