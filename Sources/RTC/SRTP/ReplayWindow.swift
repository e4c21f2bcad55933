/// The packet indices that have been taken (RFC 3711, section 3.3.2). Wide, since a packet that is sent
/// again on its own source comes hundreds of packets late.
struct ReplayWindow {
  static let width: Int64 = 2_048

  private(set) var highest: Int64 = -1
  private var words = [UInt64](repeating: 0, count: Int(width) / 64)

  func isNew(_ index: Int64) -> Bool {
    if index > highest { return true }
    return index > highest - Self.width && index >= 0
      && words[Int(index & (Self.width - 1)) >> 6] & (1 << UInt64(index & 63)) == 0
  }

  mutating func take(_ index: Int64) {
    if index > highest {
      if index - highest >= Self.width {
        for word in words.indices { words[word] = 0 }
      } else {
        for passed in (highest + 1)...index where passed >= 0 { clear(passed) }
      }
      highest = index
    }
    words[Int(index & (Self.width - 1)) >> 6] |= 1 << UInt64(index & 63)
  }

  private mutating func clear(_ index: Int64) {
    words[Int(index & (Self.width - 1)) >> 6] &= ~(1 << UInt64(index & 63))
  }
}
