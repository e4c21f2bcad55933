import OrielMedia
import OrielModel

extension RecordingStore {
  /// How far a moment without a recording may be from the next one, milliseconds.
  private static let pictureTolerance: Int64 = 60_000

  /// A JPEG of a recorded moment: of the key frame before it, so that one picture is decoded.
  /// - Parameter time: UTC milliseconds.
  /// - Throws: `OrielError` 395402 when nothing was recorded then, 720204 when it cannot be read, 160017 when it
  ///   cannot be decoded, 720101.
  func jpeg(at time: Int64, cameraNo: Int) async throws -> [UInt8] {
    guard (0..<Self.latestTime).contains(time) else { throw OrielError(.recordNotFound) }
    var found = try file(covering: time, cameraNo: cameraNo)
    if found == nil, let next = try file(after: time, cameraNo: cameraNo),
      next.startTime - time <= Self.pictureTolerance
    {
      found = next
    }
    guard let found, found.endTime > found.startTime else { throw OrielError(.recordNotFound) }
    return try await CoverPicture.jpeg(of: Self.keyFrame(in: found.path, at: time))
  }

  private nonisolated static func keyFrame(in path: String, at time: Int64) async throws -> AccessUnit {
    let samples: [RecordedSample]
    do {
      let file = try RecordingFile(path: path)
      let map = try await FragmentMap.read(from: file)
      guard let place = map.keyFragment(at: max(0, time - map.head.startTime)) else {
        throw OrielError(.recordDamaged)
      }
      samples = try await RecordingReader(source: file, map: map).samples(
        of: map.fragments[place], keyFramesOnly: true)
    } catch { throw (error as? OrielError) ?? OrielError(.recordDamaged) }
    for case .video(let unit) in samples { return unit }
    throw OrielError(.recordDamaged)
  }
}
