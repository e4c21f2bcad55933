/// Collects arrivals by transport-wide number and writes the feedback on them
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 3.1).
struct TransportFeedbackWriter {
  /// Arrivals kept between two messages, a power of two.
  static let capacity = 1_024
  private static let never = Int64.min
  private static let reorderTolerance: Int64 = 20_000

  /// Microseconds by number modulo the capacity.
  private var arrivals = [Int64](repeating: never, count: capacity)
  private var unwrapper = SequenceUnwrapper()
  /// The first number that no message has reported on.
  private var next: Int64 = 0
  private var highest: Int64 = -1
  private var number: UInt8 = 0

  /// Whether anything has arrived since the last message.
  var isEmpty: Bool { highest < next }

  mutating func arrived(_ transportNumber: UInt16, at now: Int64) {
    let value = unwrapper.unwrap(transportNumber)
    if highest < 0 {
      next = value
      highest = value - 1
    }
    guard value >= next else { return }  // reported as missing already; a resend does not matter
    if value > highest {
      // What has left the window is not reported any more.
      if value - next >= Int64(Self.capacity) {
        let first = value - Int64(Self.capacity) + 1
        for passed in next..<min(first, highest + 1) { self[passed] = Self.never }
        next = first
        if highest < next - 1 { highest = next - 1 }
      }
      highest = value
    }
    if self[value] == Self.never { self[value] = now }
  }

  private subscript(_ value: Int64) -> Int64 {
    get { arrivals[Int(value & Int64(Self.capacity - 1))] }
    set { arrivals[Int(value & Int64(Self.capacity - 1))] = newValue }
  }

  /// Writes one message on all that has arrived since the last; as many packets as fit. What is missing
  /// before packets that came a moment ago may come yet: that is left to the next message.
  mutating func write(to writer: inout RTCPWriter, sender: UInt32, source: UInt32, now: Int64) {
    var firstArrived = next
    while firstArrived <= highest, self[firstArrived] == Self.never { firstArrived += 1 }
    guard firstArrived <= highest else { return }
    // A packet costs at most two bytes of delta and two bits of status.
    let affordable = (writer.room - 20 - 8) * 4 / 9 - 14
    guard affordable > 0 else { return }
    let base = next
    var end = min(settled(now), base + Int64(affordable))
    guard end > firstArrived else { return }
    let reference = self[firstArrived] / 64_000
    var time = reference * 64_000
    withUnsafeTemporaryAllocation(byteCount: writer.room, alignment: 4) { buffer in
      guard let packet = buffer.baseAddress else { return }
      var chunkPlace = 20
      // First the statuses, then the deltas behind them: two passes over the same numbers.
      var lastDelta = time
      var cursor = base
      while cursor < end {
        var chunk: UInt16 = 0xc000
        let first = cursor
        for position in 0..<7 {
          var symbol: UInt16 = 0
          if cursor < end, self[cursor] != Self.never {
            let delta = Self.quarters(self[cursor] - lastDelta)
            if delta < -32_768 || delta > 32_767 {
              end = cursor  // a pause longer than a delta can tell: the next message begins here
            } else {
              symbol = delta >= 0 && delta <= 255 ? 1 : 2
              lastDelta += delta * 250
            }
          }
          chunk |= symbol << UInt16(12 - 2 * position)
          if cursor < end { cursor += 1 }
        }
        guard cursor > first else { break }
        packet.put(chunk, at: chunkPlace)
        chunkPlace += 2
      }
      var place = chunkPlace
      for value in base..<end where self[value] != Self.never {
        let delta = Self.quarters(self[value] - time)
        time += delta * 250
        if delta >= 0 && delta <= 255 {
          packet.put(UInt8(delta), at: place)
          place += 1
        } else {
          packet.put(UInt16(bitPattern: Int16(delta)), at: place)
          place += 2
        }
      }
      let unpadded = place
      while place % 4 != 0 {
        packet.put(UInt8(0), at: place)
        place += 1
      }
      let padding = place - unpadded
      if padding > 0 { packet.put(UInt8(padding), at: place - 1) }
      packet.put(UInt8(0x80 | (padding > 0 ? 0x20 : 0)) | RTCPFeedbackFormat.transportWide, at: 0)
      packet.put(RTCPType.transportFeedback, at: 1)
      packet.put(UInt16(place / 4 - 1), at: 2)
      packet.put(sender, at: 4)
      packet.put(source, at: 8)
      packet.put(UInt16(truncatingIfNeeded: base), at: 12)
      packet.put(UInt16(end - base), at: 14)
      packet.put(UInt32(truncatingIfNeeded: reference) << 8 | UInt32(number), at: 16)
      writer.append(UnsafeRawBufferPointer(start: packet, count: place))
    }
    number &+= 1
    for value in base..<end { self[value] = Self.never }
    next = end
  }

  /// One past the last number of which it is known whether it has arrived.
  private func settled(_ now: Int64) -> Int64 {
    var missing: Int64?
    for value in next...highest {
      if self[value] == Self.never {
        missing = missing ?? value
      } else if let first = missing {
        if now - self[value] < Self.reorderTolerance { return first }
        missing = nil
      }
    }
    return highest + 1
  }

  /// Microseconds to quarters of a millisecond, rounded down.
  private static func quarters(_ microseconds: Int64) -> Int64 {
    (microseconds / 250) - (microseconds % 250 < 0 ? 1 : 0)
  }
}
