/// Reads bits, most significant first; of a NAL unit after its emulation prevention bytes were taken out.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  /// - Parameter limit: no more payload bytes than this are looked at.
  init(escaped unit: UnsafeRawBufferPointer, skipping header: Int, limit: Int = 1024) {
    var plain: [UInt8] = []
    plain.reserveCapacity(min(unit.count, limit))
    var zeros = 0
    for byte in unit.dropFirst(header) {
      if plain.count == limit { break }
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      plain.append(byte)
    }
    bytes = plain
  }

  /// Reads bytes in which nothing is escaped.
  init(plain bytes: [UInt8]) { self.bytes = bytes }

  /// The next `count` bits, 0...32; nil past the end.
  mutating func bits(_ count: Int) -> UInt32? {
    guard count >= 0, count <= 32, position + count <= bytes.count * 8 else { return nil }
    var value: UInt32 = 0
    for _ in 0..<count {
      value = value << 1 | UInt32(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() -> Bool? { bits(1).map { $0 == 1 } }

  mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, position + count <= bytes.count * 8 else { return false }
    position += count
    return true
  }

  /// ue(v), H.264 section 9.1.
  mutating func unsignedExpGolomb() -> UInt32? {
    var zeros = 0
    while true {
      guard let bit = bits(1) else { return nil }
      if bit == 1 { break }
      zeros += 1
      if zeros > 31 { return nil }
    }
    guard let rest = bits(zeros) else { return nil }
    return (1 << UInt32(zeros)) - 1 + rest
  }

  /// se(v), H.264 section 9.1.1.
  mutating func signedExpGolomb() -> Int32? {
    guard let value = unsignedExpGolomb() else { return nil }
    let half = Int32(value / 2)
    return value % 2 == 1 ? half + 1 : -half
  }
}
