/// The packets that a viewer asked for again, in its order; fixed memory.
struct RepairQueue {
  static let capacity = 256

  private var indices = [Int64](repeating: 0, count: 0)
  private var first = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// False when the queue is full or holds the index already at its end.
  mutating func append(_ index: Int64) -> Bool {
    if indices.isEmpty { indices = [Int64](repeating: 0, count: Self.capacity) }
    guard count < Self.capacity else { return false }
    for place in 0..<count where indices[(first + place) % Self.capacity] == index { return true }
    indices[(first + count) % Self.capacity] = index
    count += 1
    return true
  }

  mutating func removeFirst() -> Int64? {
    guard count > 0 else { return nil }
    let index = indices[first]
    first = (first + 1) % Self.capacity
    count -= 1
    return index
  }
}
