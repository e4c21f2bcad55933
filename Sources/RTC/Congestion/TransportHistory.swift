/// When the packets of the latest transport-wide numbers left. Fixed memory, 8 bytes a packet, taken with
/// the first packet.
struct TransportHistory: ~Copyable {
  private static let capacity: Int64 = 1_024

  private struct Entry {
    /// Low bits, microseconds.
    var sentAt: UInt32
    var bytes: UInt16
    var isReportedLost = false
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private(set) var next: Int64 = 1

  deinit { entries?.deallocate() }

  @inline(__always)
  mutating func take(bytes: Int, now: Int64) -> UInt16 {
    let entries = self.entries ?? allocate()
    entries[Int(next & (Self.capacity - 1))] = Entry(
      sentAt: UInt32(truncatingIfNeeded: now), bytes: UInt16(truncatingIfNeeded: bytes))
    next += 1
    return UInt16(truncatingIfNeeded: next - 1)
  }

  /// A peer's word on a number: when that was sent and how many bytes, and whether the peer had said
  /// before that it is lost; nil when it is not kept.
  mutating func report(_ number: UInt16, hasArrived: Bool, now: Int64)
    -> (sent: Int64, bytes: Int, wasReportedLost: Bool)?
  {
    let back = Int64(UInt16(truncatingIfNeeded: next) &- number)
    guard let entries, back > 0, back <= Self.capacity, next - back >= 1 else { return nil }
    let place = Int((next - back) & (Self.capacity - 1))
    let entry = entries[place]
    entries[place].isReportedLost = !hasArrived
    return (
      now - Int64(UInt32(truncatingIfNeeded: now) &- entry.sentAt), Int(entry.bytes), entry.isReportedLost
    )
  }

  private mutating func allocate() -> UnsafeMutablePointer<Entry> {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: Int(Self.capacity))
    memory.initialize(repeating: Entry(sentAt: 0, bytes: 0), count: Int(Self.capacity))
    entries = memory
    return memory
  }
}
