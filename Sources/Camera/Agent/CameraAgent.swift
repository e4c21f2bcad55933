import OrielCrypto
public import OrielModel

/// Turns sources into one device of the platform and serves its viewers.
///
/// ```swift
/// let agent = try CameraAgent(configuration: AgentConfiguration(
///   dataFolder: "camera", sources: [CameraSourceConfiguration(address: "test")],
///   platform: ServerAddress("http://127.0.0.1:7080")))
/// try await agent.start()
/// ```
public actor CameraAgent {
  public nonisolated let configuration: AgentConfiguration
  /// What is printed on the device. Holds its verification code.
  public nonisolated let label: DeviceLabel
  /// What happens, from the start on; read it once. Ends with `stop()`.
  public nonisolated let events: AsyncStream<AgentEvent>
  private let continuation: AsyncStream<AgentEvent>.Continuation
  private let folder: DataFolder
  private let identity: DeviceIdentity

  /// Locks the data folder, reads the identity or makes it.
  /// - Throws: `OrielError` 730010 when the data folder cannot be used, 730011 when another agent uses it,
  ///   710007 when a source's address is none, 400002 when there are no sources or more than 64.
  public init(configuration: AgentConfiguration) throws {
    guard (1...64).contains(configuration.sources.count) else {
      throw OrielError(.argumentError, "an agent has 1 to 64 cameras")
    }
    self.configuration = configuration
    folder = try DataFolder(configuration.dataFolder)
    identity = try folder.identity()
    label = DeviceLabel(
      serial: identity.serial, code: identity.code, model: configuration.model,
      agreementKey: identity.agreementKey.publicKey)
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  /// Starts the sources and the link; returns at once. An unreachable platform is an event, not an error.
  /// - Throws: `OrielError` 150000 when the system has nothing left.
  public func start() async throws {}

  /// Says goodbye to viewers and platform and returns when everything is given back. It cannot start again.
  public func stop() async { continuation.finish() }

  /// The cameras as they are now.
  public var cameras: [CameraRecord] { [] }
}
