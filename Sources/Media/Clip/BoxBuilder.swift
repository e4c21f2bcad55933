/// Builds boxes (ISO/IEC 14496-12 section 4.2): a size, a name of four letters, and what is inside.
struct BoxBuilder {
  private(set) var bytes: [UInt8] = []

  mutating func u8(_ value: UInt8) { bytes.append(value) }
  mutating func u16(_ value: Int) {
    bytes.append(contentsOf: [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)])
  }
  mutating func u24(_ value: Int) {
    u8(UInt8(value >> 16 & 0xFF))
    u16(value & 0xFFFF)
  }
  mutating func u32(_ value: Int) {
    u16(value >> 16 & 0xFFFF)
    u16(value & 0xFFFF)
  }
  mutating func u64(_ value: Int) {
    u32(value >> 32 & 0xFFFF_FFFF)
    u32(value & 0xFFFF_FFFF)
  }
  mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }
  mutating func name(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func raw(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  mutating func box(_ type: String, _ body: (inout BoxBuilder) -> Void) {
    let start = bytes.count
    u32(0)
    name(type)
    body(&self)
    patch(at: start, bytes.count - start)
  }

  mutating func fullBox(
    _ type: String, version: UInt8 = 0, flags: Int = 0, _ body: (inout BoxBuilder) -> Void
  ) {
    box(type) { box in
      box.u8(version)
      box.u24(flags)
      body(&box)
    }
  }

  mutating func patch(at offset: Int, _ value: Int) {
    for index in 0..<4 { bytes[offset + index] = UInt8(value >> (24 - 8 * index) & 0xFF) }
  }
}
