@testable import OrielRTC

/// Time that passes only when it is told to: runs what is due in order.
@RTCActor
final class VirtualClock {
  private(set) var now: Int64 = 1_000_000
  private var events: [(time: Int64, order: Int, action: @RTCActor () -> Void)] = []
  private var order = 0

  func at(_ time: Int64, _ action: @escaping @RTCActor () -> Void) {
    order += 1
    let event = (time: max(time, now), order: order, action: action)
    let place = events.lastIndex { $0.time <= event.time }.map { $0 + 1 } ?? 0
    events.insert(event, at: place)
  }

  /// Gives way now and then: connections in real time, of other tests, run on the same loop.
  func run(until end: Int64) async {
    var next = RTCActor.monotonicMicroseconds + 2_000
    while let first = events.first, first.time <= end {
      if RTCActor.monotonicMicroseconds > next {
        await Task.yield()
        next = RTCActor.monotonicMicroseconds + 2_000
      }
      events.removeFirst()
      now = first.time
      first.action()
    }
    now = end
  }

  func run(for microseconds: Int64) async { await run(until: now + microseconds) }
}

@RTCActor
final class VirtualTime: MediaTime {
  private let clock: VirtualClock
  private var armed: Int64?
  var onDeadline: (() -> Void)?

  init(_ clock: VirtualClock) { self.clock = clock }

  var now: Int64 { clock.now }
  var wallClock: Int64 { 1_700_000_000_000_000 + clock.now }

  func arm(at deadline: Int64) {
    armed = deadline
    clock.at(deadline) { [weak self] in
      guard let self, armed == deadline else { return }
      armed = nil
      onDeadline?()
    }
  }

  func disarm() { armed = nil }
}

/// One direction of a network path: delay, jitter, random loss, a bottleneck with a queue.
@RTCActor
final class VirtualLink: DatagramPath {
  var delay: Int64 = 0
  /// Added to the delay, at random; reorders packets.
  var jitter: Int64 = 0
  var loss = 0.0
  /// Bit/s; nil: no bottleneck.
  var capacity: Double?
  /// What the bottleneck's queue holds, microseconds of traffic.
  var queueLimit: Int64 = 200_000
  var deliver: (([UInt8]) -> Void)?
  var drops: ((_ packet: [UInt8]) -> Bool)?

  private(set) var sends = 0
  private(set) var datagrams = 0
  private(set) var bytes = 0
  private(set) var lost = 0
  private(set) var sendTimes: [Int64] = []
  private(set) var largest = 0

  private let clock: VirtualClock
  private var random: SplitMix
  private var queueEnd: Int64 = 0

  init(_ clock: VirtualClock, seed: UInt64 = 1) {
    self.clock = clock
    random = SplitMix(state: seed)
  }

  func send(_ bytes: UnsafeRawBufferPointer, segmentSize: Int) {
    sends += 1
    sendTimes.append(clock.now)
    var place = 0
    while place < bytes.count {
      let count = min(segmentSize, bytes.count - place)
      carry([UInt8](bytes[place..<(place + count)]))
      place += count
    }
  }

  private func carry(_ packet: [UInt8]) {
    datagrams += 1
    bytes += packet.count
    largest = max(largest, packet.count)
    if drops?(packet) == true || (loss > 0 && random.unit() < loss) {
      lost += 1
      return
    }
    var leaves = clock.now
    if let capacity {
      queueEnd = max(queueEnd, clock.now)
      if queueEnd - clock.now > queueLimit {
        lost += 1
        return
      }
      queueEnd += Int64(Double(packet.count * 8) / capacity * 1_000_000)
      leaves = queueEnd
    }
    let arrives = leaves + delay + (jitter > 0 ? Int64(random.unit() * Double(jitter)) : 0)
    clock.at(arrives) { [weak self] in self?.deliver?(packet) }
  }
}

/// A generator that gives the same numbers in every run.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
