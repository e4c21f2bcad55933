/// A view in figures, since it was started.
public struct PlayerStatistics: Sendable, Equatable, Codable {
  /// Bytes of media received.
  public var bytes: UInt64 = 0
  /// Media packets received, repaired ones included.
  public var packets: UInt64 = 0
  /// Packets that never came.
  public var lost: UInt64 = 0
  /// Packets that were lost on the way and came when asked for again.
  public var repaired: UInt64 = 0
  /// How unevenly video packets come (RFC 3550 section 6.4.1), milliseconds.
  public var jitter: Double = 0
  /// To the camera and back, milliseconds; nil while unknown.
  public var roundTrip: Double?
  /// Bits a second over the last second.
  public var bitRate: Int = 0
  /// Pictures a second over the last second.
  public var frameRate: Double = 0
  /// Pictures shown since the start.
  public var frames: UInt64 = 0
  /// Pixels; 0 while unknown.
  public var width: Int = 0
  public var height: Int = 0
  /// From `start()` to the first picture, milliseconds; nil until then.
  public var timeToFirstFrame: Double?
  /// "h264" or "h265"; nil while unknown.
  public var codec: String?
  /// How the camera is reached, such as "host/host" or "srflx/relay"; nil while unknown.
  public var path: String?
  /// How often the view came back after a loss.
  public var reconnects: Int = 0

  public init() {}
}
