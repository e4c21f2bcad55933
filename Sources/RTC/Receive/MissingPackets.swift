/// The packets that are missing, and when each is to be asked for: at once but for a little reordering,
/// then again as long as the round trip says that the answer was lost.
struct MissingPackets {
  /// Packets asked for at a time; a larger gap is no gap but a new beginning.
  static let limit = 512
  /// Reordering that does not count as loss: a pause, microseconds, or later packets.
  static let reorderTolerance: Int64 = 5_000
  static let reorderPackets: Int64 = 3

  private struct Entry {
    let index: Int64
    let noticed: Int64
    var due: Int64
    var requestedAt: Int64 = 0
    var tries = 0
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// When the oldest was noticed.
  var oldestNoticed: Int64? { entries.first?.noticed }

  mutating func add(_ range: Range<Int64>, now: Int64) {
    for index in range {
      entries.append(Entry(index: index, noticed: now, due: now + Self.reorderTolerance))
    }
  }

  /// What comes so long after a gap makes a mere reordering unlikely.
  mutating func saw(_ index: Int64, now: Int64) {
    for place in entries.indices.reversed() where entries[place].tries == 0 {
      if index - entries[place].index >= Self.reorderPackets {
        if entries[place].due <= now { break }
        entries[place].due = now
      }
    }
  }

  /// The packet came.
  /// - Returns: Nil when it was not missing; else how often it was asked for and when last.
  mutating func remove(_ index: Int64) -> (tries: Int, requestedAt: Int64)? {
    guard let place = entries.firstIndex(where: { $0.index == index }) else { return nil }
    let entry = entries.remove(at: place)
    return (entry.tries, entry.requestedAt)
  }

  /// Nobody waits for what is older any more.
  mutating func remove(before index: Int64) { entries.removeAll { $0.index < index } }

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  var nextDue: Int64 { entries.lazy.map(\.due).min() ?? .max }

  /// The packets to ask for now, ascending.
  mutating func takeDue(now: Int64, roundTrip: Int64, into list: inout [UInt16]) {
    for place in entries.indices where entries[place].due <= now && list.count < Self.limit {
      entries[place].tries += 1
      entries[place].requestedAt = now
      // Where the first answer was lost the path loses much: then ask twice in a round trip.
      let pause = entries[place].tries == 1 ? roundTrip * 9 / 8 + 5_000 : roundTrip * 5 / 8 + 5_000
      entries[place].due = now + max(pause, 15_000)
      list.append(UInt16(truncatingIfNeeded: entries[place].index))
    }
  }
}
