import Foundation
import OrielKit
import OrielMedia
import OrielModel
import OrielPlatform
import Testing

@testable import OrielCamera

/// A platform and a camera in one process, over real sockets; the camera has two recordings of a minute, records and
/// uploads.
struct RecordedHouse {
  let session: Session
  let address: ServerAddress
  let serial: DeviceSerial
  let agent: CameraAgent
  let folder: String
  /// UTC milliseconds: two minutes of recordings begin here.
  let start: Int64

  static func run(
    isolation: isolated (any Actor)? = #isolation, _ body: (RecordedHouse) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "oriel-recorded-house-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let start = (Int64(Date().timeIntervalSince1970) - 600) * 1000
    try await record(into: folder + "/camera/recordings", at: start)
    let platform = PlatformServer(
      configuration: PlatformConfiguration(
        dataFolder: folder + "/platform",
        listeners: [PlatformConfiguration.Listener(host: "127.0.0.1", port: 0, isTLS: false)]))
    let started = try await platform.start()
    let address = try ServerAddress(try #require(started.addresses.first))
    let first = try #require(started.firstStart)
    var configuration = AgentConfiguration(
      dataFolder: folder + "/camera", sources: [CameraSourceConfiguration(address: "test:320x180@25")],
      platform: address)
    configuration.recording = RecordingConfiguration()
    configuration.upload = .all
    configuration.sensorRoot = try sensors(in: folder)
    let agent = try CameraAgent(configuration: configuration)
    let session = try await Session.connect(to: address)
    func end() async {
      await session.close()
      await agent.stop()
      await platform.drain()
    }
    do {
      try await agent.start()
      for await event in agent.events where event == .online { break }
      try await session.signIn(account: first.account, password: first.password)
      try await session.add(agent.label.serial, code: agent.label.code)
      try await body(
        RecordedHouse(
          session: session, address: address, serial: agent.label.serial, agent: agent, folder: folder,
          start: start))
    } catch {
      await end()
      throw error
    }
    await end()
  }

  /// A radio and a thermometer, as Linux shows them.
  private static func sensors(in folder: String) throws -> String {
    let root = folder + "/machine"
    let files = [
      "/proc/net/wireless": "Inter-|\n face |\n wlan0: 0000   52.  -58.  -256   0   0\n",
      "/sys/bus/iio/devices/iio:device0/in_temp_input": "21437\n",
    ]
    for (path, text) in files {
      let file = URL(fileURLWithPath: root + path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return root
  }

  /// Two recordings of a minute, as a former run of the agent left them.
  private static func record(into folder: String, at start: Int64) async throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let (units, loop) = try await TestMedia.units()
    for number in 0..<2 {
      let key = RecordingKey(cameraNo: 1, stream: .main, startTime: start + Int64(number) * 60_000)
      let path = RecordingFolder(folder).path(of: key)
      try RecordingFolder(folder).makeParent(of: path)
      var writer = RecordingWriter(
        sink: try RecordingFileSink(path: path),
        head: RecordingHead(startTime: key.startTime, cameraNo: 1, stream: .main, kind: "continuous"),
        video: .h264,
        hasAudio: false)
      for round in 0..<21 {
        for unit in units where loop * round + unit.timestamp < .seconds(60) {
          var unit = unit
          unit.timestamp += loop * round
          try writer.write(unit)
        }
      }
      _ = try writer.finish()
    }
  }

  /// Waits until the cloud has both.
  func awaitCloud() async throws -> [RecordFile] {
    for _ in 0..<60 {
      let files = (try? await cloudFiles()) ?? []
      if files.count == 2 { return files }
      try await Task.sleep(for: .milliseconds(400))
    }
    return try await cloudFiles()
  }

  private func cloudFiles() async throws -> [RecordFile] {
    try await session.recordings(
      of: serial, from: start - 1000, to: start + 200_000, store: .cloud)
  }
}
