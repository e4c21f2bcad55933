import Foundation
import OrielKit
import OrielMedia
import OrielModel
import OrielNet
import Synchronization
import Testing

@testable import OrielCamera

/// Recordings in a folder, as a camera's own storage would offer them.
final class FolderQueue: UploadQueue {
  private let items = Mutex<[UploadItem]>([])

  func add(_ item: UploadItem) { items.withLock { $0.append(item) } }
  var waiting: Int { items.withLock { $0.count } }

  func nextToUpload(_ choice: UploadChoice) async -> UploadItem? { items.withLock { $0.first } }
  func markUploaded(_ id: String) async { items.withLock { $0.removeAll { $0.id == id } } }
  func giveUp(_ id: String, because code: ErrorCode) async {
    Issue.record("\(id) was given up: \(code)")
    items.withLock { $0.removeAll { $0.id == id } }
  }
}

/// A platform in a process of its own, and what a camera beside it has recorded.
final class CloudHouse: Sendable {
  let folder: String
  let address: ServerAddress
  let loop: EventLoop
  let client: HTTPClient
  let queue = FolderQueue()
  /// UTC milliseconds, an hour ago.
  let start: Int64
  private let process = Mutex<Process?>(nil)
  private let token = Mutex("")
  private let serial = Mutex<DeviceSerial?>(nil)

  struct Failure: Error { let what: String }

  /// Three seconds of pictures, taken once for all tests.
  private static let source = Task { () -> [AccessUnit] in
    let source = MediaSource(.test(TestPattern(width: 640, height: 360, frameRate: 15)))
    source.start()
    var units: [AccessUnit] = []
    for await event in source.events {
      guard case .video(.main, let unit) = event else { continue }
      if units.isEmpty, !unit.isKeyFrame { continue }
      units.append(unit)
      if units.count == 45 { break }
    }
    await source.stop()
    return units
  }

  var pictures: Int { get async { await Self.source.value.count } }

  static func run(_ body: (CloudHouse) async throws -> Void) async throws {
    let house = try CloudHouse()
    do {
      try await house.startPlatform()
      try await house.signIn()
      try await body(house)
    } catch {
      await house.end()
      throw error
    }
    await house.end()
  }

  private init() throws {
    folder = NSTemporaryDirectory() + "oriel-cloud-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder + "/recordings", withIntermediateDirectories: true)
    address = try ServerAddress("http://127.0.0.1:\(try Tool.freePort())")
    loop = try EventLoop.start(name: "test")
    client = HTTPClient(address: address, loop: loop)
    start = Int64(Date().timeIntervalSince1970) * 1_000 - 3_600_000
  }

  private func end() async {
    kill()
    await client.close()
    await loop.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  // MARK: Platform

  func startPlatform() async throws {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("oriel")
    let process = Process()
    process.executableURL = program
    process.arguments = ["platform", "--port", "\(address.port)", "--data", folder + "/platform", "--json"]
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    self.process.withLock { $0 = process }
    for _ in 0..<400 {
      if let answer = try? await client.send(path: "/livez"), answer.status == 200 { return }
      try await Task.sleep(for: .milliseconds(25))
    }
    throw Failure(what: "the platform does not answer")
  }

  /// As `kill -9` does it.
  func kill() {
    guard let process = process.withLock({ $0.take() }) else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func signIn() async throws {
    struct Token: Decodable { let accessToken: String }
    let file = folder + "/platform/first-account.txt"
    // It answers a moment before its first account is there.
    for _ in 0..<400 where !FileManager.default.fileExists(atPath: file) {
      try await Task.sleep(for: .milliseconds(25))
    }
    let lines = try String(contentsOfFile: file, encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let body = try JSONEncoder().encode(["account": lines[0], "password": lines[1]])
    let answer = try await client.send(method: "POST", path: "/v1/login", body: [UInt8](body))
    let token = try answer.decode(Token.self).accessToken
    self.token.withLock { $0 = token }
  }

  func get(_ address: String) async throws -> [UInt8] {
    let parts = try #require(URLComponents(string: address))
    let token = token.withLock { $0 }
    let answer = try await client.send(
      path: parts.path, query: (parts.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") },
      headers: ["Authorization": "Bearer \(token)"], timeout: .seconds(60), maximumBody: 1 << 30)
    try #require(answer.status == 200)
    return answer.body
  }

  // MARK: Camera

  /// A camera that is in the account and uploads what the queue has.
  func startCamera() async throws -> CameraAgent {
    var configuration = AgentConfiguration(
      dataFolder: folder + "/camera", sources: [CameraSourceConfiguration(address: "test:320x180@5")],
      platform: address)
    configuration.upload = .all
    let agent = try CameraAgent(configuration: configuration)
    try await agent.start()
    for await event in agent.events where event == .online { break }
    if serial.withLock({ $0 }) == nil {
      let token = token.withLock { $0 }
      let body = try JSONEncoder().encode([
        "serial": agent.label.serial.value, "verifyCode": agent.label.code.letters,
      ])
      let answer = try await client.send(
        method: "POST", path: "/v1/devices", headers: ["Authorization": "Bearer \(token)"],
        body: [UInt8](body))
      try #require(answer.status == 200)
      serial.withLock { $0 = agent.label.serial }
    }
    await agent.upload(from: queue)
    return agent
  }

  private func path(at time: Int64) -> String { "\(folder)/recordings/\(time).mp4" }

  /// A finished recording: the source's three seconds, again and again.
  func record(at time: Int64, repeats: Int) async throws {
    let units = await Self.source.value
    var writer = RecordingWriter(
      sink: try RecordingFileSink(path: path(at: time)),
      head: RecordingHead(startTime: time, cameraNo: 1, stream: .main, kind: "continuous"), video: .h264,
      hasAudio: false)
    for round in 0..<repeats {
      for (index, unit) in units.enumerated() {
        var unit = unit
        unit.timestamp = .seconds(round * 3) + .milliseconds(index * 3_000 / units.count)
        try writer.write(unit)
      }
    }
    _ = try writer.finish()
    queue.add(
      UploadItem(
        id: "\(time)", path: path(at: time), cameraNo: 1, kind: .continuous, startTime: time,
        endTime: time + Int64(repeats) * 3_000))
  }

  func bytes(at time: Int64) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(at: time))))
  }

  // MARK: Waiting

  func files() async throws -> [RecordFile] {
    let serial = try #require(self.serial.withLock { $0 })
    let answer = try await get("/v1/devices/\(serial)/cameras/1/recordings?store=cloud")
    return try JSONDecoder().decode(RecordPage.self, from: Data(answer)).files
  }

  func awaitStored(_ count: Int) async throws {
    for _ in 0..<1_200 {
      if queue.waiting == 0 {
        #expect(try await files().count == count)
        return
      }
      try await Task.sleep(for: .milliseconds(25))
    }
    throw Failure(what: "not all was uploaded in 30 s")
  }

  /// Bytes of uploads under way.
  var spoolSize: Int64 {
    let folder = folder + "/platform/cloud/incoming"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      return (attributes?[.size] as? Int).map(Int64.init) ?? 0
    }.max() ?? 0
  }

  /// Waits until so much has come of an upload.
  func awaitSpool(over size: Int64) async throws -> Int64 {
    for _ in 0..<10_000 {
      let come = spoolSize
      if come > size { return come }
      try await Task.sleep(for: .milliseconds(2))
    }
    throw Failure(what: "nothing comes")
  }
}

enum Tool {
  /// Runs a program to its end and gives what it printed, errors included.
  static func run(_ program: String, _ arguments: [String]) async throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = await withCheckedContinuation { (continuation: CheckedContinuation<Data, Never>) in
      Thread { continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile()) }.start()
    }
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A port that was free a moment ago.
  static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(descriptor, $0, length)
        getsockname(descriptor, $0, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
