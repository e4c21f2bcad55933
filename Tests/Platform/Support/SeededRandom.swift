/// The same numbers each time (SplitMix64), so that a failure can be repeated.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// One to four changes: a byte altered, removed, doubled, or a stretch cut out or repeated.
  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
      let at = Int.random(in: bytes.indices, using: &self)
      let end = Int.random(in: at..<min(at + 40, bytes.count), using: &self)
      switch Int.random(in: 0..<6, using: &self) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes.remove(at: at)
      case 2: bytes.insert(bytes[at], at: at)
      case 3: bytes.removeSubrange(at...end)
      case 4: bytes.insert(contentsOf: bytes[at...end], at: at)
      default: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      }
    }
    return bytes
  }
}
