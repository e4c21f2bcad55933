import OrielMedia
import OrielModel

/// What a device has recorded, as its sessions use it.
protocol RecordedMedia: Sendable {
  func archive(of cameraNo: Int) -> any PlaybackArchive
  /// When something was recorded between two UTC milliseconds, in the order of time, without gaps inside.
  func stretches(of cameraNo: Int, from: Int64, to: Int64) async throws -> [Range<Int64>]
  /// Where the recordings begin, UTC milliseconds; nil when there are none.
  func startTime(of cameraNo: Int) async throws -> Int64?
  /// Whether the small stream is recorded too.
  func hasSubStream(_ cameraNo: Int) async -> Bool
}

/// What an offer asks to play.
struct PlaybackRequest: Sendable, Equatable {
  var cameraNo: Int
  /// UTC milliseconds.
  var window: Range<Int64>

  /// How far a viewer's clock may be ahead of the device's, milliseconds.
  static let clockTolerance: Int64 = 5_000

  /// - Parameter now: UTC milliseconds.
  /// - Throws: `OrielError` 720201 when its end is not after its start, 720202 when it starts in the future.
  init(_ signal: SignalMessage, at now: Int64) throws(OrielError) {
    cameraNo = signal.cameraNo ?? 1
    let latest = Double(Int64.max / 2) / 1000
    guard let start = signal.playbackTime, start >= 0, start < latest else {
      throw OrielError(.playbackRange)
    }
    let from = Int64((start * 1000).rounded())
    var to = Int64.max
    if let end = signal.playbackEndTime {
      guard end > start, end.isFinite else { throw OrielError(.playbackRange) }
      if end < latest { to = Int64((end * 1000).rounded()) }
    }
    guard from < to else { throw OrielError(.playbackRange) }
    guard from <= now + Self.clockTolerance else { throw OrielError(.playbackInFuture) }
    window = from..<to
  }
}

extension PlaybackFailure {
  /// The number that a viewer is told.
  var errorCode: ErrorCode {
    switch self {
    case .nothingRecorded: .recordNotFound
    case .unreadable: .recordDamaged
    case .codec: .noCommonCodec
    case .outside: .playbackOutside
    case .rate: .argumentError
    case .number(let number): ErrorCode(rawValue: number) ?? .streamInnerError
    }
  }
}
