/// What a sender has done so far, and what the viewer reports.
public struct SenderStatistics: Sendable, Equatable {
  /// Packets sent for the first time.
  public var packets: UInt64 = 0
  /// Bytes of payload of those.
  public var payloadBytes: UInt64 = 0
  /// Packets sent again because the viewer asked.
  public var retransmitted: UInt64 = 0
  /// Packets that the viewer asked for too late, or that the budget refused.
  public var retransmissionsRefused: UInt64 = 0
  /// Packets left out because the viewer's path was too slow.
  public var skipped: UInt64 = 0
  /// Key frames the viewer asked for (PLI and FIR).
  public var keyFrameRequests: UInt64 = 0
  /// Lost packets by the viewer's last report.
  public var remoteLost: Int64 = 0
  /// The lost share in the viewer's last report, 0...1.
  public var remoteLossRate: Double = 0
  /// Interarrival jitter by the viewer's last report.
  public var remoteJitter: Duration = .zero
  /// Round-trip time; nil until the first report.
  public var roundTrip: Duration?
  /// What the path is thought to carry, bit/s.
  public var bandwidthEstimate: Int = 0

  public init() {}
}
