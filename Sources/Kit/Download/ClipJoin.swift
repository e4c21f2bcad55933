import OrielMedia
import OrielModel

/// Writes recordings one after the other into one clip: what lies in the range, gaps left out. Sound that is encoded
/// in another way than that of the first recording is left out.
struct ClipJoin {
  private let path: String
  private let window: Range<Int64>
  private var writer: ClipWriter?
  private var codec: VideoCodec?
  private var sound: AudioForm?
  /// Media time of the clip at which the current recording begins.
  private var base = Duration.zero
  private var end = Duration.zero
  private(set) var bytes: Int64 = 0
  /// Whether anything was written: a file that was there before is gone then.
  var hasBegun: Bool { writer != nil }

  init(path: String, window: Range<Int64>) {
    self.path = path
    self.window = window
  }

  /// - Parameter progress: told the UTC milliseconds up to which it is written.
  /// - Throws: `OrielError` 160019 for one that is encrypted, 720204, 720001, 720002.
  mutating func add(
    _ source: any RangeSource, _ map: FragmentMap, progress: (Int64) -> Void
  ) async throws {
    guard !map.head.isEncrypted else { throw OrielError(.encryptionOn) }
    let start = max(window.lowerBound - map.head.startTime, 0)
    guard let first = map.keyFragment(at: start) ?? (map.fragments.isEmpty ? nil : 0) else { return }
    var origin: Duration?
    if writer == nil { sound = map.tracks.lazy.compactMap(\.sound).first }
    for fragment in map.fragments[first...] where map.head.startTime + fragment.time < window.upperBound {
      try Task.checkCancellation()
      for sample in try await samples(of: fragment, source, map) {
        guard map.head.startTime + sample.timestamp.milliseconds < window.upperBound else { continue }
        if origin == nil {
          guard case .video(let unit) = sample, unit.isKeyFrame else { continue }
          origin = unit.timestamp
          base = end
        }
        if let origin, sample.timestamp >= origin { try write(sample, at: base + sample.timestamp - origin) }
      }
      await writer?.settle()
      bytes += Int64(fragment.range.count)
      progress(map.head.startTime + fragment.time + fragment.duration)
    }
  }

  private func samples(of fragment: FragmentMap.Fragment, _ source: any RangeSource, _ map: FragmentMap)
    async throws -> [RecordedSample]
  {
    func read(_ source: some RangeSource) async throws -> [RecordedSample] {
      try await RecordingReader(source: source, map: map).samples(of: fragment)
    }
    do { return try await read(source) } catch is MediaFailure { throw OrielError(.recordDamaged) }
  }

  private mutating func write(_ sample: RecordedSample, at time: Duration) throws {
    do {
      switch sample {
      case .video(var unit):
        if writer == nil {
          writer = try ClipWriter(path: path, video: unit.codec, sound: sound)
          codec = unit.codec
        }
        guard unit.codec == codec else { throw OrielError(.noCommonCodec) }
        unit.timestamp = time
        try writer?.write(unit)
        // Where the next recording goes on: this picture may last as long as a slow camera's.
        end = time + .milliseconds(40)
      case .audio(var packet):
        packet.timestamp = time
        try writer?.write(packet)
      }
    } catch { throw (error as? OrielError) ?? OrielError(anyError: error) }
  }

  /// - Throws: `OrielError` 395402 when nothing was written.
  func finish() async throws -> ClipSummary {
    guard let writer else { throw OrielError(.recordNotFound) }
    do { return try await writer.finish() } catch { throw OrielError(anyError: error) }
  }
}

extension Duration {
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
