/// Reads numbers and boxes out of bytes that anybody may have made (ISO/IEC 14496-12 section 4.2).
struct BoxReader {
  /// A box as its header says it.
  struct Header: Equatable {
    var type: UInt32
    /// Bytes of the box, the header included.
    var size: Int64
    /// 8 or 16.
    var headerSize: Int
  }

  private let all: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    all = bytes
    position = bytes.startIndex
  }

  var rest: Int { all.endIndex - position }

  mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest else { throw MediaFailure.malformed("a box is shorter than it says") }
    defer { position += count }
    return all[position..<position + count]
  }

  private mutating func number(_ count: Int) throws -> UInt64 {
    try bytes(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func u8() throws -> UInt8 { UInt8(truncatingIfNeeded: try number(1)) }
  mutating func u16() throws -> UInt16 { UInt16(truncatingIfNeeded: try number(2)) }
  mutating func u32() throws -> UInt32 { UInt32(truncatingIfNeeded: try number(4)) }
  mutating func u64() throws -> UInt64 { try number(8) }

  /// Reads a box header; nil when there are too few bytes for one or its size cannot be.
  mutating func header() -> Header? {
    let start = position
    guard let short = try? u32(), let type = try? u32() else {
      position = start
      return nil
    }
    if short == 1, let long = try? u64(), long >= 16, long <= UInt64(Int64.max / 2) {
      return Header(type: type, size: Int64(long), headerSize: 16)
    }
    guard short >= 8 else {
      position = start
      return nil
    }
    return Header(type: type, size: Int64(short), headerSize: 8)
  }

  /// The next box whole; nil at the end.
  mutating func box() throws -> (type: UInt32, body: BoxReader)? {
    guard rest > 0 else { return nil }
    guard let header = header() else { throw MediaFailure.malformed("a box without a size") }
    return (header.type, BoxReader(try bytes(Int(header.size) - header.headerSize)))
  }
}

/// A box type as a number.
func boxType(_ name: StaticString) -> UInt32 {
  name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
}
