/// What the test source paints into each picture before it is encoded, so that a viewer can measure.
///
/// The stamp is 72 blocks in three rows of 24 at the top left; a block is 1/48 of the width by 1/27 of the
/// height, white for 1 and black for 0. First come the 32 bits of the counter, most significant first, then the
/// 32 bits of the time, then the 8 bits of their CRC (polynomial 0x07, start 0).
public struct FrameStamp: Sendable, Equatable {
  /// Counts pictures from 0.
  public var counter: UInt32
  /// When it was painted: the lower 32 bits of the UTC time in milliseconds.
  public var paintedAt: UInt32

  public init(counter: UInt32, paintedAt: UInt32) {
    self.counter = counter
    self.paintedAt = paintedAt
  }

  static let columns = 24
  static let rows = 3

  /// Reads the stamp out of a decoded picture of any size; nil when it is not whole.
  public static func read(from frame: VideoFrame) -> FrameStamp? {
    frame.withPlanes { luma, _, _ in
      var bits: [Bool] = []
      for index in 0..<columns * rows {
        // The middle of the block, away from its blurred edges.
        let x = (2 * (index % columns) + 1) * frame.width / 96
        let y = (2 * (index / columns) + 1) * frame.height / 54
        let position = y * frame.strides[0] + x
        guard position < luma.count else { return nil }
        bits.append(luma[position] > 126)
      }
      return FrameStamp(bits: bits)
    }
  }

  /// Milliseconds since the stamp was painted, when the picture is looked at now; both clocks must agree.
  public func age(at utcMilliseconds: Int64) -> Int {
    Int(Int32(bitPattern: UInt32(truncatingIfNeeded: utcMilliseconds) &- paintedAt))
  }

  init?(bits: [Bool]) {
    guard bits.count == 72 else { return nil }
    let number = { (range: Range<Int>) in bits[range].reduce(UInt32(0)) { $0 << 1 | ($1 ? 1 : 0) } }
    self.init(counter: number(0..<32), paintedAt: number(32..<64))
    guard checksum == UInt8(number(64..<72)) else { return nil }
  }

  var bits: [Bool] {
    let word = { (value: UInt32, count: UInt32) in
      (0..<count).map { value >> (count - 1 - $0) & 1 == 1 }
    }
    return word(counter, 32) + word(paintedAt, 32) + word(UInt32(checksum), 8)
  }

  private var checksum: UInt8 {
    var crc: UInt8 = 0
    for word in [counter, paintedAt] {
      for shift in [24, 16, 8, 0] as [UInt32] {
        crc ^= UInt8(word >> shift & 0xFF)
        for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
      }
    }
    return crc
  }
}
