import OrielModel
import OrielNet

/// What the platform takes of what a device says of a recording.
enum UploadLimits {
  /// Bytes of one file: an hour of 16 Mbit/s is less.
  static let size: Int64 = 8 << 30
  /// How far a camera's clock may be ahead.
  static let future: Int64 = 24 * 3_600_000
  static let earliest: Int64 = 946_684_800_000

  /// - Returns: the digest's bytes.
  /// - Throws: `OrielError` 720303 when it cannot be true, 120001 for a camera number out of range.
  static func check(_ request: UploadRequest, at now: Int64) throws -> [UInt8] {
    guard (1...999).contains(request.cameraNo) else { throw OrielError(.cameraNotFound) }
    let duration = request.endTime.subtractingReportingOverflow(request.startTime)
    guard let digest = bytes(ofHex: request.digest), digest.count == 32, (1...size).contains(request.size),
      !duration.overflow, (1...SQLiteStore.longestStretch).contains(duration.partialValue),
      request.startTime >= earliest, request.endTime <= now + future,
      request.fragments?.isSound(size: request.size, duration: duration.partialValue + 1_000) ?? true,
      request.fragments?.codecs?.utf8.allSatisfy(isCodecByte) ?? true
    else { throw OrielError(.cloudStretch) }
    return digest
  }

  private static func isCodecByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Where the body of a request begins in the file: `Upload-Offset`, else `Content-Range` (RFC 9110 section 14.4);
  /// a `PUT` with neither is the whole file.
  /// - Throws: `OrielError` 110001 when that is missing or malformed, 720306 when the range leaves the file.
  static func start(of request: HTTPRequest, size: Int64) throws -> (offset: Int64, isWhole: Bool) {
    if let text = request.headers["Upload-Offset"] {
      guard let offset = Int64(text), offset >= 0 else {
        throw OrielError(.parameterError, "Upload-Offset is a number of bytes")
      }
      return (offset, false)
    }
    if let text = request.headers["Content-Range"] {
      guard let range = contentRange(text), range.total == size else {
        throw OrielError(.parameterError, "Content-Range is bytes FIRST-LAST/SIZE")
      }
      guard range.last < size else { throw OrielError(.uploadTooLong) }
      return (range.first, false)
    }
    guard request.method == "PUT" else { throw OrielError(.parameterError, "Upload-Offset is missing") }
    return (0, true)
  }

  private static func contentRange(_ text: String) -> (first: Int64, last: Int64, total: Int64)? {
    guard text.hasPrefix("bytes "), text.utf8.count < 80 else { return nil }
    let sides = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, let total = Int64(sides[1]) else { return nil }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), 0 <= first, first <= last
    else { return nil }
    return (first, last, total)
  }

  private static func bytes(ofHex text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    func value(_ byte: UInt8) -> UInt8? {
      switch byte {
      case 48...57: byte - 48
      case 97...102: byte - 87
      default: nil
      }
    }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
