/// What a receiver has seen so far.
public struct ReceiverStatistics: Sendable, Equatable {
  /// Packets received, repaired ones included.
  public var packets: UInt64 = 0
  /// Bytes of payload of those.
  public var payloadBytes: UInt64 = 0
  /// Packets that never came in time.
  public var lost: UInt64 = 0
  /// Packets that came after they were asked for again.
  public var repaired: UInt64 = 0
  /// Packets that came twice or too late.
  public var discarded: UInt64 = 0
  /// Repair requests sent, in packets asked for.
  public var requested: UInt64 = 0
  /// Key frames asked for.
  public var keyFrameRequests: UInt64 = 0
  /// Interarrival jitter (RFC 3550, section 6.4.1).
  public var jitter: Duration = .zero
  /// Bits a second over the last second.
  public var bitrate: Int = 0
  /// Round-trip time as far as it is known.
  public var roundTrip: Duration?

  public init() {}
}
