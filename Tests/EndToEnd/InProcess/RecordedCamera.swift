import Foundation
import OrielMedia
import OrielModel
import OrielRTC
import Synchronization

@testable import OrielCamera
@testable import OrielKit

/// Files of a test picture in a folder: three seconds of it, again and again.
struct RecordedFolder: RecordedMedia, PlaybackArchive {
  struct File: Sendable {
    var path: String
    var start: Int64
    var end: Int64
    var stream = MediaStream.main
  }

  let folder: String
  var files: [File] = []
  private let units: [AccessUnit]
  private let loop: Duration

  /// Encodes the picture; takes a few seconds.
  init() async throws {
    folder = NSTemporaryDirectory() + "oriel-recorded-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    (units, loop) = try await TestMedia.units()
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// Writes a recording that begins at `start`, UTC milliseconds.
  mutating func add(at start: Int64, seconds: Int, stream: MediaStream = .main) throws {
    let path = folder + "/\(start)-\(stream.rawValue).mp4"
    var writer = RecordingWriter(
      sink: try RecordingFileSink(path: path),
      head: RecordingHead(startTime: start, cameraNo: 1, stream: stream, kind: "continuous"),
      video: .h264, hasAudio: false)
    for round in 0..<(seconds + 2) / 3 {
      for unit in units where loop * round + unit.timestamp < .seconds(seconds) {
        var unit = unit
        unit.timestamp += loop * round
        try writer.write(unit)
      }
    }
    let summary = try writer.finish()
    files.append(
      File(
        path: path, start: start, end: start + Int64(summary.duration / .milliseconds(1)), stream: stream))
  }

  func archive(of cameraNo: Int) -> any PlaybackArchive { self }

  func stretches(of cameraNo: Int, from: Int64, to: Int64) async throws -> [Range<Int64>] {
    files.filter { $0.stream == .main && $0.start < to && $0.end > from }.map { $0.start..<$0.end }
  }

  func startTime(of cameraNo: Int) async throws -> Int64? { files.map(\.start).min() }

  func hasSubStream(_ cameraNo: Int) async -> Bool { files.contains { $0.stream == .sub } }

  private func open(_ file: File?) async throws -> (any ReadableRecording)? {
    guard let file else { return nil }
    let source = try RecordingFile(path: file.path)
    return try FragmentedRecording(
      id: "\(file.start)", source: source, map: try await FragmentMap.read(from: source), isGrowing: false)
  }

  func recording(covering time: Int64, stream: MediaStream, except: String?) async throws
    -> (any ReadableRecording)?
  {
    try await open(
      files.first { $0.stream == stream && $0.start <= time && time < $0.end && "\($0.start)" != except })
  }

  func recording(after time: Int64, stream: MediaStream, except: String?) async throws
    -> (any ReadableRecording)?
  {
    try await open(
      files.filter { $0.stream == stream && $0.start >= time && "\($0.start)" != except }
        .min { $0.start < $1.start })
  }
}

/// The test picture, encoded once for all tests.
enum TestMedia {
  private static let task = Task { try await make() }

  static func units() async throws -> ([AccessUnit], Duration) { try await task.value }

  private static func make() async throws -> ([AccessUnit], Duration) {
    var options = SourceOptions()
    options.mainBitrate = 500_000
    options.keyFrameInterval = .seconds(1)
    let source = MediaSource(
      .test(TestPattern(width: 320, height: 180, frameRate: 25)), options: options)
    source.start()
    var units: [AccessUnit] = []
    var keys = 0
    for await event in source.events {
      guard case .video(.main, let unit) = event else { continue }
      if unit.isKeyFrame { keys += 1 }
      if keys == 4 { break }
      if keys > 0 { units.append(unit) }
    }
    await source.stop()
    // Evenly, so that every file can tell where its pictures lie.
    for index in units.indices { units[index].timestamp = .milliseconds(40 * index) }
    return (units, .milliseconds(40 * units.count))
  }
}

/// A camera with recordings behind a link that needs no platform.
final class RecordedCamera: LinkConnector {
  let sessions: ViewerSessions
  private let unit: CameraUnit

  init(_ media: some RecordedMedia, isLive: Bool = false) async {
    let incoming = Incoming()
    let (unit, sessions) = await RTCActor.run {
      let unit = CameraUnit(
        cameraNo: 1, location: .test(TestPattern(width: 320, height: 180, frameRate: 25)),
        options: SourceOptions(), name: "", videoLevel: .high, log: Log("test", minimum: .error))
      if isLive { unit.start() }
      let sessions = ViewerSessions(
        units: [unit], recordings: media, viewerLimit: 8, relayOnly: false,
        makePeer: { options throws(OrielError) in try RTCViewerPeer(options) },
        send: { incoming.send($0) })
      return (unit, sessions)
    }
    self.unit = unit
    self.sessions = sessions
    link = incoming
  }

  private let link: Incoming
  private let offered = Shared<[String]>([])

  private final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
      value.withLock { body(&$0) }
    }
  }

  private final class Incoming: Sendable {
    let continuation = Mutex<AsyncThrowingStream<LinkMessage, any Error>.Continuation?>(nil)

    func send(_ signal: SignalMessage) { _ = continuation.withLock { $0?.yield(.signal(signal)) } }
  }

  func connect() async throws -> OpenLink {
    let (messages, continuation) = AsyncThrowingStream<LinkMessage, any Error>.makeStream()
    link.continuation.withLock { $0 = continuation }
    let (sessions, offered) = (sessions, offered)
    return OpenLink(
      welcome: Welcome(time: 0, clientId: "viewer", iceServers: []),
      send: { message in
        guard case .signal(var signal) = message else { return }
        signal.senderClientId = "viewer"
        if signal.action == .offer { offered.withLock { $0.append(signal.sessionId) } }
        await sessions.receive(signal)
      }, messages: messages, close: { continuation.finish() })
  }

  /// Started anew: it knows nothing of its sessions.
  func forget() async {
    for id in offered.withLock({ $0 }) {
      await sessions.receive(SignalMessage(.sessionEnd, session: id, from: "viewer", to: "device"))
    }
  }

  func stop() async {
    await sessions.stop()
    await unit.stop()
  }
}
