/// Packets that came before one that is missing, by sequence number. Takes no memory until something is
/// missing, and gives most of it back after.
struct HeldPackets: ~Copyable {
  /// Packets that may wait behind a gap, a power of two.
  static let capacity = 1_024
  private static let blockSize = 2_048
  private static let spareBlocks = 32

  struct Header {
    var timestamp: UInt32
    var length: UInt16
    var payloadType: UInt8
    var marker: Bool
  }

  private var slots: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  private var spare: [UnsafeMutableRawPointer] = []
  private(set) var count = 0

  deinit {
    for block in spare { block.deallocate() }
    guard let slots else { return }
    for slot in 0..<Self.capacity { slots[slot]?.deallocate() }
    slots.deallocate()
  }

  private static func slot(_ index: Int64) -> Int { Int(index & Int64(capacity - 1)) }

  func holds(_ index: Int64) -> Bool { slots?[Self.slot(index)] != nil }

  /// The caller keeps indices within `capacity` of each other. Payloads that do not fit are not held.
  mutating func hold(_ index: Int64, header: Header, payload: UnsafeRawBufferPointer) {
    let place = Self.slot(index)
    guard payload.count <= Self.blockSize - 16 else { return }
    let slots = self.slots ?? makeSlots()
    guard slots[place] == nil else { return }
    let block = spare.popLast() ?? .allocate(byteCount: Self.blockSize, alignment: 16)
    block.storeBytes(of: header, as: Header.self)
    if let from = payload.baseAddress { (block + 16).copyMemory(from: from, byteCount: payload.count) }
    slots[place] = block
    count += 1
  }

  /// Hands the packet over and lets it go; false when it is not held.
  mutating func take(_ index: Int64, _ body: (Header, UnsafeRawBufferPointer) -> Void) -> Bool {
    let place = Self.slot(index)
    guard let slots, let block = slots[place] else { return false }
    slots[place] = nil
    count -= 1
    let header = block.load(as: Header.self)
    body(header, UnsafeRawBufferPointer(start: block + 16, count: Int(header.length)))
    if spare.count < Self.spareBlocks { spare.append(block) } else { block.deallocate() }
    return true
  }

  mutating func removeAll() {
    guard let slots, count > 0 else { return }
    for place in 0..<Self.capacity where slots[place] != nil {
      slots[place]?.deallocate()
      slots[place] = nil
    }
    count = 0
  }

  private mutating func makeSlots() -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    let slots = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: Self.capacity)
    slots.initialize(repeating: nil, count: Self.capacity)
    self.slots = slots
    return slots
  }
}
