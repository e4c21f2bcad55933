/// The jitter buffer: Opus packets as the network brings them, and for each next stretch of sound the step to take.
/// A state machine without clock, coder or device.
///
/// What is held back adapts to the jitter, between two limits. The delay is not read off the filling, which jumps
/// with every packet, but off time itself: how long after the fastest packet's way a sound is played.
public struct PlayoutBuffer: Sendable {
  /// A buffer that ran dry waits for new speech after so many made-up steps.
  private static let patience = 5
  /// So much more than wanted is thrown away at once; less is played a little faster.
  private static let excess = 100_000
  /// Above the jitter: the fineness of its histogram, and a drift not yet followed.
  private static let room = 5_000
  /// Held back while the jitter is not known yet.
  private static let caution = 40_000
  private static let capacity = 100
  private static let step = 960

  private struct Packet: Sendable {
    var time: Int64
    var samples: Int
    var payload: [UInt8]
  }

  // Microseconds.
  private let least: Int
  private let most: Int
  private let frame: Int

  private var waiting: [Packet] = []
  private var clock = SoundClock()
  /// Times of the newest packets, by a slot of 20 ms.
  private var received = [Int64](repeating: .min, count: 64)
  private var jitter = JitterEstimate()
  /// Microseconds to hold back.
  private var wanted: Int
  /// Media time of the next sample to give, in samples; nil while nothing is being said.
  private var position: Int64?
  /// Where the last packet that was played ends: nothing older is played after it.
  private var done = Int64.min
  /// Steps made up since the last packet that was played.
  private var madeUp = 0
  /// Made up without moving on, since the packet might still come.
  private var lent = false

  public private(set) var statistics = PlayoutStatistics()

  /// - Parameters:
  ///   - minimum: what is held back at least, when packets come evenly.
  ///   - maximum: what is held back at most; packets that come later still are lost.
  ///   - frame: what the loudspeaker takes at a time: a packet is asked for up to so much before its sound is heard.
  public init(
    minimum: Duration = .milliseconds(20), maximum: Duration = .milliseconds(120),
    frame: Duration = .milliseconds(10)
  ) {
    self.frame = min(max(frame.wholeMicroseconds, 0), 100_000)
    least = max(minimum.wholeMicroseconds, 0)
    most = max(maximum.wholeMicroseconds, least)
    wanted = min(max(Self.caution, least), most)
    waiting.reserveCapacity(Self.capacity)
  }

  /// What is wanted to be held back now.
  public var target: Duration { .microseconds(wanted) }

  /// What is held back: from the arrival of the fastest packets to their play-out. Nil while nothing is being said.
  /// - Parameter pending: sound that was taken by ``next(at:pending:)`` and is not played yet.
  public func delay(at now: Duration, pending: Duration = .zero) -> Duration? {
    held(at: now.wholeMicroseconds, pending: pending.wholeMicroseconds).map { .microseconds($0) }
  }

  private func held(at now: Int, pending: Int) -> Int? {
    guard let position, let base = jitter.base else { return nil }
    return now + pending - Self.microseconds(position) - base
  }

  /// Takes a packet.
  /// - Parameters:
  ///   - timestamp: RTP's, at 48 kHz (RFC 7587).
  ///   - now: its arrival, on any clock that never jumps.
  public mutating func insert(_ payload: [UInt8], timestamp: UInt32, at now: Duration) {
    guard payload.count <= OpusForm.sizeLimit, let samples = OpusVoiceDecoder.samples(in: payload) else {
      statistics.dropped += 1
      return
    }
    let arrival = now.wholeMicroseconds
    guard let time = clock.extend(timestamp) else {
      // The sender began anew.
      waiting.removeAll(keepingCapacity: true)
      jitter = JitterEstimate()
      (position, done) = (nil, .min)
      clock = SoundClock()
      received = [Int64](repeating: .min, count: 64)
      return insert(payload, timestamp: timestamp, at: now)
    }
    // What comes twice (RED, a repair that was not needed) says nothing of the network.
    let slot = Int((time / Int64(Self.step)) & 63)
    guard received[slot] != time else { return }
    received[slot] = time
    jitter.observe(transit: arrival - Self.microseconds(time), at: arrival)
    let needed = jitter.isSettled ? jitter.jitter + Self.room + frame : Self.caution
    wanted = min(max(needed, least), most)
    if time < max(position ?? .min, done) {
      statistics.late += 1
      return
    }
    var index = waiting.count
    while index > 0, waiting[index - 1].time > time { index -= 1 }
    waiting.insert(Packet(time: time, samples: samples, payload: payload), at: index)
    if waiting.count > Self.capacity {
      waiting.removeFirst()
      statistics.dropped += 1
    }
  }

  /// The next step; it moves on by as much sound as the step holds.
  /// - Parameter pending: sound that was taken before and is not played yet.
  public mutating func next(at now: Duration, pending: Duration = .zero) -> PlayoutStep {
    let now = now.wholeMicroseconds
    let pending = pending.wholeMicroseconds
    if position == nil {
      guard begin(at: now, pending: pending) else { return .silence }
    }
    catchUp(at: now, pending: pending)
    guard let place = position else { return .silence }
    guard let first = waiting.first else { return starve(at: place) }
    if first.time <= place || lent && first.time - place <= Self.step { return decode() }
    // What was made up on credit stands for the lost packet.
    let from = lent ? place + Int64(Self.step) : place
    let gap = Int(first.time - from)
    lent = false
    if gap <= Self.step {
      position = first.time
      madeUp = 0
      statistics.recovered += 1
      return .fec(first.payload, samples: gap)
    }
    // A pause of the sender (DTX), or a lost stretch: what lies far ahead begins anew at its time.
    if madeUp >= Self.patience {
      position = nil
      return .silence
    }
    position = from + Int64(Self.step)
    return conceal()
  }

  private mutating func begin(at now: Int, pending: Int) -> Bool {
    guard let first = waiting.first, let base = jitter.base,
      now + pending - Self.microseconds(first.time) - base >= wanted
    else { return false }
    position = first.time
    (madeUp, lent) = (0, false)
    return true
  }

  /// After a stall of the network: what is far too old is left out.
  private mutating func catchUp(at now: Int, pending: Int) {
    guard let held = held(at: now, pending: pending), held > wanted + Self.excess else { return }
    let goal = held - wanted - 20_000
    var gone = 0
    while waiting.count > 1, gone < goal {
      gone += Self.microseconds(Int64(waiting.removeFirst().samples))
      statistics.dropped += 1
    }
    if gone > 0, let first = waiting.first { position = first.time }
    lent = false
  }

  private mutating func decode() -> PlayoutStep {
    let packet = waiting.removeFirst()
    done = packet.time + Int64(packet.samples)
    position = done
    (madeUp, lent) = (0, false)
    statistics.decoded += 1
    return .decode(packet.payload)
  }

  /// Nothing is there. The packet may be late only: the first made-up step does not move on.
  private mutating func starve(at place: Int64) -> PlayoutStep {
    guard madeUp < Self.patience else {
      position = nil
      return .silence
    }
    if lent { position = place + Int64(Self.step) }
    lent = true
    return conceal()
  }

  private mutating func conceal() -> PlayoutStep {
    madeUp += 1
    statistics.concealed += 1
    return .conceal(samples: Self.step)
  }

  private static func microseconds(_ samples: Int64) -> Int { Int(samples) * 125 / 6 }
}

/// RTP's 32 bits of time as one that never wraps.
struct SoundClock: Sendable {
  /// Ten seconds: a packet further away belongs to another sender.
  private static let leap: Int64 = 480_000
  private var last: Int64?

  mutating func extend(_ timestamp: UInt32) -> Int64? {
    guard let last else {
      self.last = Int64(timestamp)
      return Int64(timestamp)
    }
    let distance = Int64(Int32(truncatingIfNeeded: Int64(timestamp) - last))
    guard abs(distance) <= Self.leap else { return nil }
    self.last = max(last, last + distance)
    return last + distance
  }
}

extension Duration {
  var wholeMicroseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000).partialValue
      + Int(attoseconds / 1_000_000_000_000)
  }
}
