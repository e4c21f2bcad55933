/// One encoded stream, packetized once: the one packet history that all its viewers share.
@RTCActor
public final class PacketFeed {
  /// The largest payload of a packet, bytes.
  public nonisolated static let maximumPayload = 1_200

  public let kind: MediaKind
  /// Ticks of the timestamps in a second.
  public let clockRate: Int

  /// - Parameter capacity: Packets kept, rounded up to a power of two, 64...16,384.
  public init(kind: MediaKind, clockRate: Int, capacity: Int) {
    self.kind = kind
    self.clockRate = clockRate
  }

  /// Appends the packets of one access unit (or one audio packet) and sends them to all viewers.
  ///
  /// - Parameters:
  ///   - bytes: The payloads, one after the other.
  ///   - payloadLengths: The length of each, 1...`maximumPayload`; their sum is `bytes.count`.
  ///   - timestamp: The RTP timestamp of all of them, by the feed's clock.
  ///   - startsGroup: A viewer may begin here (a key frame with its parameter sets; any audio packet).
  ///   - captureTime: UTC, ms, when the unit was captured, for the synchronisation of sound and picture;
  ///     nil: now.
  /// - Returns: Whether the unit was taken; false when a length is out of range.
  @discardableResult
  public func append(
    _ bytes: UnsafeRawBufferPointer, payloadLengths: [Int], timestamp: UInt32, startsGroup: Bool,
    captureTime: Int64? = nil
  ) -> Bool { false }

  /// As above.
  @discardableResult
  public func append(
    _ bytes: [UInt8], payloadLengths: [Int], timestamp: UInt32, startsGroup: Bool, captureTime: Int64? = nil
  ) -> Bool {
    bytes.withUnsafeBytes {
      append(
        $0, payloadLengths: payloadLengths, timestamp: timestamp, startsGroup: startsGroup,
        captureTime: captureTime)
    }
  }
}
