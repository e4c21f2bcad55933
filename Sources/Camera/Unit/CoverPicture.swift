import OrielMedia
import OrielModel

/// A JPEG of one key frame, within what a link message takes.
enum CoverPicture {
  /// Bytes of a JPEG (`Cover`, `CommandResult`).
  static let sizeLimit = 256 * 1024
  static let decodeLimit = Duration.seconds(3)

  /// - Throws: `OrielError` 160017 when the key frame cannot be decoded or its picture stays too large.
  static func jpeg(of unit: AccessUnit) async throws -> [UInt8] {
    let failure = OrielError(.captureFailed)
    guard let frame = try await decode(unit) else { throw failure }
    for quality in [85, 70, 50, 30] {
      guard let bytes = try? JPEGImage.encode(frame, quality: quality) else { throw failure }
      if bytes.count <= sizeLimit { return bytes }
    }
    throw failure
  }

  private static func decode(_ unit: AccessUnit) async throws -> VideoFrame? {
    let decoder: VideoDecoder
    do { decoder = try VideoDecoder(codec: unit.codec) } catch { throw OrielError(.captureFailed) }
    defer { decoder.close() }
    decoder.decode(unit)
    return await withTaskGroup(of: VideoFrame?.self) { group in
      group.addTask { await decoder.frames.first { _ in true } }
      group.addTask {
        try? await Task.sleep(for: decodeLimit)
        return nil
      }
      let frame = await group.next() ?? nil
      group.cancelAll()
      return frame
    }
  }
}
