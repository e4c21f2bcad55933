/// Makes a number that never wraps out of a 16-bit one that does: the nearest to the highest seen.
struct SequenceUnwrapper {
  private(set) var highest: Int64?

  /// The unwrapped number; does not move the highest.
  func peek(_ number: UInt16) -> Int64 {
    guard let highest else { return Int64(number) + 0x10000 }
    let difference = Int16(bitPattern: number &- UInt16(truncatingIfNeeded: highest))
    return highest + Int64(difference)
  }

  mutating func unwrap(_ number: UInt16) -> Int64 {
    let value = peek(number)
    if highest.map({ value > $0 }) ?? true { highest = value }
    return value
  }
}
