import Dispatch
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
    guard let frame = try await decode(unit), let bytes = await encode(frame) else { throw failure }
    return bytes
  }

  /// Encoding blocks for some milliseconds: not on the threads that tasks share.
  private static func encode(_ frame: VideoFrame) async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async {
        let pictures = [85, 70, 50, 30].lazy.compactMap { try? JPEGImage.encode(frame, quality: $0) }
        continuation.resume(returning: pictures.first { !$0.isEmpty && $0.count <= sizeLimit })
      }
    }
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
