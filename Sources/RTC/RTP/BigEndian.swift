extension UnsafeRawBufferPointer {
  @inline(__always) func uint16(at offset: Int) -> UInt16 {
    UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  @inline(__always) func uint32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always) func uint64(at offset: Int) -> UInt64 {
    UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always) func uint24(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 16 | UInt32(uint16(at: offset + 1))
  }

  /// The part from `offset` of `count` bytes, indexed from zero. The caller has checked the bounds.
  @inline(__always) func part(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[offset..<(offset + count)])
  }
}

extension UnsafeMutableRawPointer {
  @inline(__always) func put(_ value: UInt8, at offset: Int) {
    storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
  }

  @inline(__always) func put(_ value: UInt16, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt16.self)
  }

  @inline(__always) func put(_ value: UInt32, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
  }

  @inline(__always) func put(_ value: UInt64, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt64.self)
  }
}
