/// Puts access units together again out of RTP payloads in order; the reverse of ``VideoPacketizer``.
///
/// An access unit that lost a payload is dropped, and those after it up to the next key frame, since a decoder
/// would show rubbish. Key frames come out with their parameter sets in front even if those were sent earlier.
public struct VideoDepacketizer: Sendable {
  /// An access unit larger than this, in bytes, is dropped.
  public static let sizeLimit = 8 << 20

  public let codec: VideoCodec
  /// Whether nothing comes out before the next key frame; ask the sender for one.
  public private(set) var needsKeyFrame = true
  /// Access units that were dropped because they were not whole, or not decodable.
  public private(set) var dropped = 0

  private var sets = ParameterSets()
  private var assembly: [UInt8] = []
  private var isOpen = false
  private var isDamaged = false
  private var isInFragment = false
  private var hasSlice = false
  private var isKey = false
  private var setsSeen: Set<ParameterSetKind> = []
  private var clock = RTPTimeline()
  private var currentTimestamp: UInt32 = 0
  private var ready: AccessUnit?

  public init(codec: VideoCodec) {
    self.codec = codec
  }

  /// Takes the next payload.
  /// - Parameters:
  ///   - timestamp: the RTP timestamp (90 kHz).
  ///   - marker: the RTP marker bit: the last payload of an access unit.
  ///   - isAfterGap: payloads before this one were lost.
  /// - Returns: an access unit that is whole. Its `captureTime` is 0.
  public mutating func push(
    payload: UnsafeRawBufferPointer, timestamp: UInt32, marker: Bool, isAfterGap: Bool = false
  ) -> AccessUnit? {
    var out = ready
    ready = nil
    if isAfterGap {
      // Nobody knows which unit the lost payloads belonged to: the open one is spoiled, and if it was
      // another one, what follows refers to it.
      needsKeyFrame = true
      if isOpen { isDamaged = true }
      isInFragment = false
    }
    if isOpen && timestamp != currentTimestamp { store(finishUnit(), &out) }
    if !isOpen {
      isOpen = true
      currentTimestamp = timestamp
    }
    if isAfterGap && startsMidway(payload) { isDamaged = true }
    take(payload)
    if marker { store(finishUnit(), &out) }
    return out
  }

  /// The RTP timestamp of an access unit that came out.
  public func rtpTimestamp(of unit: AccessUnit) -> UInt32 { clock.timestamp(at: unit.timestamp) }

  /// One unit a call goes out; a second one, possible only where a marker was missing, waits for the next call.
  private mutating func store(_ unit: AccessUnit?, _ out: inout AccessUnit?) {
    guard let unit else { return }
    if out == nil { out = unit } else { ready = unit }
  }

  private mutating func finishUnit() -> AccessUnit? {
    defer {
      assembly.removeAll(keepingCapacity: true)
      isOpen = false
      isDamaged = false
      isInFragment = false
      hasSlice = false
      isKey = false
      setsSeen.removeAll(keepingCapacity: true)
    }
    if isInFragment { isDamaged = true }
    let time = clock.advance(to: currentTimestamp)
    guard hasSlice || isDamaged else { return nil }
    guard !isDamaged else {
      needsKeyFrame = true
      dropped += 1
      return nil
    }
    guard isKey || !needsKeyFrame else {
      dropped += 1
      return nil
    }
    var bytes = assembly
    if isKey {
      guard sets.isComplete(for: codec) else {
        dropped += 1
        return nil
      }
      needsKeyFrame = false
      if setsSeen.count < (codec == .h264 ? 2 : 3) {
        var prefix: [UInt8] = []
        for set in sets.all { set.withUnsafeBytes { AnnexB.append($0, to: &prefix) } }
        bytes = prefix + bytes
      }
    }
    return AccessUnit(codec: codec, isKeyFrame: isKey, timestamp: time, bytes: bytes)
  }

  /// Whether the payload is not the beginning of a NAL unit.
  private func startsMidway(_ payload: UnsafeRawBufferPointer) -> Bool {
    switch codec {
    case .h264: payload.count > 1 && payload[0] & 0x1F == 28 && payload[1] & 0x80 == 0
    case .h265: payload.count > 2 && (payload[0] >> 1) & 0x3F == 49 && payload[2] & 0x80 == 0
    }
  }

  private mutating func take(_ payload: UnsafeRawBufferPointer) {
    switch codec {
    case .h264: takeH264(payload)
    case .h265: takeH265(payload)
    }
  }

  private mutating func takeH264(_ payload: UnsafeRawBufferPointer) {
    guard payload.count >= 2 else { return spoil() }
    switch payload[0] & 0x1F {
    case 1...23: append(unit: payload)
    case 24: takeAggregate(payload, from: 1, minimum: 1)
    case 28:
      let edge = payload[1]
      if edge & 0x80 != 0 {
        let header = [payload[0] & 0xE0 | edge & 0x1F]
        beginFragment(header, payload.dropFirst(2))
      } else {
        continueFragment(payload.dropFirst(2))
      }
      if edge & 0x40 != 0 { endFragment() }
    default: spoil()
    }
  }

  private mutating func takeH265(_ payload: UnsafeRawBufferPointer) {
    guard payload.count >= 3 else { return spoil() }
    switch (payload[0] >> 1) & 0x3F {
    case 0...47: append(unit: payload)
    case 48: takeAggregate(payload, from: 2, minimum: 2)
    case 49:
      let edge = payload[2]
      if edge & 0x80 != 0 {
        let header = [payload[0] & 0x81 | (edge & 0x3F) << 1, payload[1]]
        beginFragment(header, payload.dropFirst(3))
      } else {
        continueFragment(payload.dropFirst(3))
      }
      if edge & 0x40 != 0 { endFragment() }
    default: spoil()
    }
  }

  private mutating func takeAggregate(_ payload: UnsafeRawBufferPointer, from start: Int, minimum: Int) {
    var position = start
    while position + 2 <= payload.count {
      let length = Int(payload[position]) << 8 | Int(payload[position + 1])
      position += 2
      guard length >= minimum, position + length <= payload.count else { return spoil() }
      append(unit: UnsafeRawBufferPointer(rebasing: payload[position..<position + length]))
      position += length
    }
    if position != payload.count { spoil() }
  }

  private mutating func append(unit: UnsafeRawBufferPointer) {
    guard !isInFragment, assembly.count + unit.count + 4 <= Self.sizeLimit else { return spoil() }
    note(UnitKind(header: unit[0], codec: codec), unit)
    AnnexB.append(unit, to: &assembly)
  }

  private mutating func note(_ kind: UnitKind, _ unit: UnsafeRawBufferPointer?) {
    switch kind {
    case .slice(let key):
      hasSlice = true
      if key { isKey = true }
    case .parameterSet(let set):
      if let unit {
        sets.keep(unit, set, codec: codec)
        setsSeen.insert(set)
      }
    default: break
    }
  }

  private mutating func beginFragment(_ header: [UInt8], _ body: Slice<UnsafeRawBufferPointer>) {
    guard !isInFragment, assembly.count + body.count + 6 <= Self.sizeLimit else { return spoil() }
    isInFragment = true
    note(UnitKind(header: header[0], codec: codec), nil)
    assembly.append(contentsOf: AnnexB.startCode)
    assembly.append(contentsOf: header)
    assembly.append(contentsOf: UnsafeRawBufferPointer(rebasing: body))
  }

  private mutating func continueFragment(_ body: Slice<UnsafeRawBufferPointer>) {
    guard isInFragment, assembly.count + body.count <= Self.sizeLimit else { return spoil() }
    assembly.append(contentsOf: UnsafeRawBufferPointer(rebasing: body))
  }

  private mutating func endFragment() {
    isInFragment = false
  }

  private mutating func spoil() {
    isDamaged = true
    isInFragment = false
  }
}

/// RTP timestamps of 32 bits, unrolled to a time that starts at 0.
struct RTPTimeline: Sendable {
  private var last: UInt32?
  private var origin: UInt32 = 0
  private var ticks: Int64 = 0

  /// The reverse of `advance`.
  func timestamp(at time: Duration) -> UInt32 {
    let (seconds, attoseconds) = time.components
    let fraction = (attoseconds / 1_000_000_000 * 9 + 50_000) / 100_000
    return origin &+ UInt32(truncatingIfNeeded: seconds * 90_000 + fraction)
  }

  mutating func advance(to timestamp: UInt32) -> Duration {
    if last == nil { origin = timestamp }
    if let last { ticks += Int64(Int32(bitPattern: timestamp &- last)) }
    last = timestamp
    return .seconds(ticks / 90_000) + .nanoseconds(ticks % 90_000 * 100_000 / 9)
  }
}
