public import OrielModel

/// What happens to an agent, for the program that runs it to show.
public enum AgentEvent: Sendable, Equatable {
  /// The platform has registered the device.
  case online
  /// The link to the platform is down; views that run go on. The next try comes by itself.
  case offline(OrielError, retryIn: Duration)
  /// A camera's description changed.
  case camera(CameraRecord)
  /// How many viewers the device serves now.
  case viewers(Int)
}
