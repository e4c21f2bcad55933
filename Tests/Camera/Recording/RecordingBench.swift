import Foundation
import OrielMedia
import OrielModel
import Synchronization

@testable import OrielCamera

/// A folder, a store in it, and a camera whose time the test sets.
final class RecordingBench: Sendable {
  static let noon: Int64 = 1_796_126_400_000

  let folder: String
  let now = Mutex(RecordingBench.noon)
  let failures = Mutex<[OrielError?]>([])
  private let units: [AccessUnit]

  init() async throws {
    folder = NSTemporaryDirectory() + "oriel-recordings-" + UUID().uuidString
    units = try await TestPictures.second()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func store(_ limits: RecordingLimits = RecordingLimits(), memory: FolderMemory = FolderMemory())
    -> RecordingStore
  {
    RecordingStore(
      folder: folder, limits: limits, memory: memory,
      clock: WallClock { [weak self] in self?.now.withLock { $0 } ?? 0 })
  }

  func recorder(
    _ store: RecordingStore, mode: RecordingMode = .continuous, cameraNo: Int = 1
  ) async -> Recorder {
    let recorder = Recorder(store: store, mode: mode, cameraNo: cameraNo, hasAudio: false) {
      [weak self] error in
      self?.failures.withLock { $0.append(error) }
    }
    await recorder.start()
    return recorder
  }

  /// Lets the camera see a number of seconds.
  /// - Parameters:
  ///   - from: seconds of media time.
  ///   - clock: the time of day at the first picture; nil: as much after noon as media time is after 0.
  func see(_ seconds: Range<Int>, clock: Int64? = nil, through recorder: Recorder) {
    for second in seconds {
      for unit in units {
        var unit = unit
        unit.timestamp += .seconds(second)
        unit.captureTime =
          (clock ?? Self.noon + Int64(seconds.lowerBound) * 1000)
          + (unit.timestamp - .seconds(seconds.lowerBound)).milliseconds
        now.withLock { $0 = unit.captureTime }
        recorder.inlet.put(unit)
      }
    }
  }

  func list(_ store: RecordingStore, _ form: RecordQuery.Form = .files, kind: RecordKind? = nil) async throws
    -> [RecordFile]
  {
    var query = RecordQuery(cameraNo: 1, from: 0, to: Int64.max, form: form)
    query.kind = kind
    return try await store.files(query).files
  }

  /// Files as they lie in the folder.
  var paths: [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".mp4") }.sorted()
  }
}

/// One second of a test picture, 25 pictures of which the first is a key frame; encoded once for all tests.
enum TestPictures {
  private static let task = Task { try await make() }

  static func second() async throws -> [AccessUnit] { try await task.value }

  private static func make() async throws -> [AccessUnit] {
    var options = SourceOptions()
    options.mainBitrate = 100_000
    options.keyFrameInterval = .seconds(1)
    let source = MediaSource(.test(TestPattern(width: 160, height: 90, frameRate: 25)), options: options)
    source.start()
    var units: [AccessUnit] = []
    for await event in source.events {
      guard case .video(.main, let unit) = event else { continue }
      if unit.isKeyFrame, !units.isEmpty { break }
      if unit.isKeyFrame || !units.isEmpty { units.append(unit) }
    }
    await source.stop()
    units = Array(units.prefix(25))
    for index in units.indices { units[index].timestamp = .milliseconds(40 * index) }
    return units
  }
}
