import Foundation
import OrielCamera
import OrielKit
import OrielModel
import OrielPlatform

/// A platform and a camera in one process, the camera in the administrator's account: what `run` and `demo` start.
actor House {
  private let server: PlatformServer
  private let dataFolder: String
  private var agent: CameraAgent?
  private(set) var addresses: PlatformAddresses?

  init(_ configuration: PlatformConfiguration) {
    server = PlatformServer(configuration: configuration)
    dataFolder = configuration.dataFolder
  }

  /// Starts the platform.
  func startPlatform() async throws -> PlatformAddresses {
    let addresses = try await server.start()
    self.addresses = addresses
    return addresses
  }

  /// A session signed in as the application that the first start made.
  func session() async throws -> Session {
    struct ApplicationFile: Decodable {
      let appKey: String
      let appSecret: String
    }
    let path = dataFolder + "/application.json"
    guard let data = FileManager.default.contents(atPath: path),
      let application = try? JSONDecoder().decode(ApplicationFile.self, from: data)
    else { throw OrielError(.dataFolder, "\(path) cannot be read") }
    let session = try Session(server: try platformAddress())
    try await session.signIn(appKey: application.appKey, appSecret: application.appSecret)
    return session
  }

  /// Starts the camera, which keeps the last day in 1 GB or less, and returns when the platform has registered it.
  /// - Throws: `OrielError` 120008 when that takes longer than 15 s.
  func startCamera(dataFolder: String, source: CameraSourceConfiguration, name: String) async throws
    -> CameraAgent
  {
    var configuration = AgentConfiguration(
      dataFolder: dataFolder, sources: [source], platform: try platformAddress(), name: name)
    configuration.recording = RecordingConfiguration(
      limits: RecordingLimits(bytes: 1_000_000_000, age: .seconds(86_400)))
    let agent = try CameraAgent(configuration: configuration)
    self.agent = agent
    let events = agent.events
    try await agent.start()
    let isOnline = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await event in events where event == .online { return true }
        return false
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(15))
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
    guard isOnline else { throw OrielError(.deviceTimeout, "the camera did not register with the platform") }
    return agent
  }

  /// Adds the camera to the account, unless it is there already.
  func addCamera(_ agent: CameraAgent, to session: Session) async throws {
    do {
      try await session.add(agent.label.serial, code: agent.label.code)
    } catch let error as OrielError where error.code == .deviceAddedByMyself {}
  }

  func stop() async {
    await agent?.stop()
    await server.drain()
  }

  private func platformAddress() throws -> ServerAddress {
    guard let first = addresses?.addresses.first else { throw OrielError(.platformUnreachable) }
    return try ServerAddress(first)
  }
}
