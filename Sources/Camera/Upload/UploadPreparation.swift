import OrielCrypto
import OrielMedia
import OrielModel

/// Reads a recording once, to say what it is.
enum UploadPreparation {
  /// - Throws: `OrielError` 395402 when it is gone, 720204 when it is no recording.
  @concurrent static func request(for item: UploadItem, id: String) async throws -> UploadRequest {
    let map: FragmentMap
    let size: Int64
    do {
      let file = try RecordingFile(path: item.path)
      size = try file.size
      map = try await FragmentMap.read(from: file)
    } catch MediaFailure.notFound {
      throw OrielError(.recordNotFound)
    } catch {
      throw OrielError(.recordDamaged)
    }
    guard size > 0 else { throw OrielError(.recordDamaged) }
    let digest = try Digest.sha256(contentsOfFile: item.path)
    return UploadRequest(
      id: id, cameraNo: item.cameraNo, kind: item.kind, startTime: item.startTime, endTime: item.endTime,
      size: size, digest: hexadecimal(digest), isEncrypted: map.head.isEncrypted, fragments: list(of: map))
  }

  /// What the platform needs to make playlists; nil when there are too many fragments for that.
  static func list(of map: FragmentMap) -> FragmentList? {
    guard (1...FragmentList.limit).contains(map.fragments.count) else { return nil }
    return FragmentList(
      headSize: map.headRange.upperBound,
      fragments: map.fragments.map {
        FragmentList.Fragment(
          offset: $0.range.lowerBound, size: $0.range.upperBound - $0.range.lowerBound, time: $0.time,
          duration: $0.duration, startsWithKeyFrame: $0.startsWithKeyFrame)
      })
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
