/// What a viewer was sent under a sequence number: enough to make the same packet again, byte for byte.
struct SentPacket {
  /// The low bits of the index in the feed.
  var feedIndex: UInt32
  var timestamp: UInt32
  var transportNumber: UInt16
  /// Which of the sender's feeds it came from.
  var binding: UInt8
  var carriesMID: Bool
  /// When it was sent last, in milliseconds.
  var sentAt: UInt32
}

/// The latest packets of a viewer by sequence number. Fixed memory, 16 bytes a packet.
struct SentHistory: ~Copyable {
  private let records: UnsafeMutablePointer<SentPacket>
  private let mask: Int64
  private(set) var next: Int64 = 0
  private var first: Int64 = 0

  /// - Parameter capacity: A power of two.
  init(capacity: Int) {
    records = .allocate(capacity: capacity)
    mask = Int64(capacity - 1)
  }

  deinit { records.deallocate() }

  mutating func begin(at index: Int64) {
    first = index
    next = index
  }

  /// The record of the next index.
  @inline(__always)
  mutating func append(_ record: SentPacket) {
    records[Int(next & mask)] = record
    next += 1
  }

  /// The index behind a sequence number of the last 32,768; nil when it is not kept.
  func index(of number: UInt16) -> Int64? {
    let back = UInt16(truncatingIfNeeded: next) &- number
    let index = next - Int64(back)
    return back > 0 && index >= first && index >= next - mask - 1 ? index : nil
  }

  @inline(__always)
  subscript(_ index: Int64) -> SentPacket {
    get { records[Int(index & mask)] }
    nonmutating set { records[Int(index & mask)] = newValue }
  }
}
