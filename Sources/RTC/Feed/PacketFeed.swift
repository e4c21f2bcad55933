/// One encoded stream, packetized once: the one packet history that all its viewers share.
///
/// A viewer is a cursor into it. New viewers begin at the latest group start; a packet that a viewer asks
/// for again is read from here (docs/design/fan-out.md).
@RTCActor
public final class PacketFeed {
  /// The largest payload of a packet, bytes.
  public nonisolated static let maximumPayload = 1_216

  public let kind: MediaKind
  /// Ticks of the timestamps in a second.
  public let clockRate: Int

  private let payloads: UnsafeMutableRawPointer
  private let packets: UnsafeMutablePointer<FeedPacket>
  private let mask: Int64
  private let time: any MediaTime
  private var senders: [MediaSender] = []
  private var units: UInt32 = 0

  /// The index the next packet gets; indices count from 0 and never wrap.
  private(set) var head: Int64 = 0
  /// The first packet of the latest group; nil before the first group.
  private(set) var groupStart: Int64?
  /// Bytes of payload since the latest group start.
  private(set) var groupBytes = 0
  /// The last unit's timestamp, and when it was captured on the monotonic clock, microseconds.
  private(set) var latestTimestamp: UInt32 = 0
  private(set) var latestCapture: Int64 = 0
  private var rate = RateMeter()

  /// - Parameter capacity: Packets kept, rounded up to a power of two, 64...16,384.
  public convenience init(kind: MediaKind, clockRate: Int, capacity: Int) {
    self.init(kind: kind, clockRate: clockRate, capacity: capacity, time: LoopTime.shared)
  }

  init(kind: MediaKind, clockRate: Int, capacity: Int, time: any MediaTime) {
    self.kind = kind
    self.clockRate = max(1_000, clockRate)
    self.time = time
    var slots = 64
    while slots < min(capacity, 16_384) { slots *= 2 }
    mask = Int64(slots - 1)
    payloads = .allocate(byteCount: slots * Self.maximumPayload, alignment: 64)
    packets = .allocate(capacity: slots)
  }

  isolated deinit {
    payloads.deallocate()
    packets.deallocate()
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
  ) -> Bool {
    guard let base = bytes.baseAddress, !payloadLengths.isEmpty, payloadLengths.count <= Int(mask) + 1,
      Self.areValid(payloadLengths, total: bytes.count)
    else { return false }
    if startsGroup {
      groupStart = head
      groupBytes = 0
    }
    var offset = 0
    let last = payloadLengths.count - 1
    for (place, length) in payloadLengths.enumerated() {
      let slot = Int(head & mask)
      (payloads + slot * Self.maximumPayload).copyMemory(from: base + offset, byteCount: length)
      packets[slot] = FeedPacket(
        timestamp: timestamp, unit: units, length: UInt16(length), marker: kind == .video && place == last,
        startsUnit: place == 0, startsGroup: startsGroup && place == 0)
      head += 1
      offset += length
    }
    groupBytes += offset
    units &+= 1
    latestTimestamp = timestamp
    noteCapture(captureTime, bytes: offset)
    for sender in senders { sender.feedHasGrown(startsGroup: startsGroup) }
    return true
  }

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

  /// Viewers at this moment.
  public var viewerCount: Int { senders.count }

  /// Payload bits a second over the last second.
  public var bitrate: Int { rate.bitsPerSecond(at: time.now) }

  private static func areValid(_ lengths: [Int], total: Int) -> Bool {
    var sum = 0
    for length in lengths {
      guard length > 0, length <= maximumPayload else { return false }
      sum += length
    }
    return sum == total
  }

  private func noteCapture(_ captureTime: Int64?, bytes: Int) {
    let now = time.now
    var age: Int64 = 0
    if let captureTime { age = time.wallClock - captureTime * 1_000 }
    // A clock that jumped must not tear sound from picture by more than an encoder may take.
    latestCapture = now - (age >= 0 && age <= 5_000_000 ? age : 0)
    rate.add(bytes: bytes, at: now)
  }

  // MARK: For senders

  func add(_ sender: MediaSender) { senders.append(sender) }

  func remove(_ sender: MediaSender) { senders.removeAll { $0 === sender } }

  /// The oldest packet that is still kept.
  var oldest: Int64 { max(0, head - mask - 1) }

  /// The latest group start, if all of the group is still kept.
  var keptGroupStart: Int64? { groupStart.flatMap { $0 >= oldest ? $0 : nil } }

  /// The packet at an index that is kept.
  @inline(__always)
  func packet(_ index: Int64) -> FeedPacket { packets[Int(index & mask)] }

  /// Its payload; valid until the next append.
  @inline(__always)
  func payload(_ index: Int64) -> UnsafeRawBufferPointer {
    let slot = Int(index & mask)
    return UnsafeRawBufferPointer(
      start: payloads + slot * Self.maximumPayload, count: Int(packets[slot].length))
  }

  /// The last unit's number; meaningless while the feed is empty.
  var latestUnit: UInt32 { units &- 1 }
}
