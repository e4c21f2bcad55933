/// What is looked at every half second.
protocol Ticking: AnyObject {
  func tick(_ now: Tick)
}

/// Counts half seconds for all connections of a server or a client; sleeps while there are none.
final class Ticker {
  private(set) var now: Tick = 0
  private var members: [ObjectIdentifier: any Ticking] = [:]
  private var timer: LoopTimer?

  init(loop: EventLoop) {
    timer = LoopTimer(loop: loop) { [unowned self] in pass() }
  }

  var count: Int { members.count }

  /// Keeps `member` until it is removed.
  func add(_ member: any Ticking) {
    if members.isEmpty { timer?.set(milliseconds: 500) }
    members[ObjectIdentifier(member)] = member
  }

  func remove(_ member: any Ticking) {
    members[ObjectIdentifier(member)] = nil
    if members.isEmpty { timer?.cancel() }
  }

  /// Those there are now; they may be removed meanwhile.
  var all: [any Ticking] { Array(members.values) }

  private func pass() {
    now &+= 1
    if !members.isEmpty { timer?.set(milliseconds: 500) }
    for member in all { member.tick(now) }
  }
}

/// Finds the peer that takes next to nothing of what is to be sent to it.
struct WriteStallWatch {
  /// Bytes that a peer must take within the limit to count as alive.
  static let minimum = 1024
  private var end: Tick = 0

  mutating func isStalled(_ stream: SocketStream, now: Tick, limit: Tick) -> Bool {
    guard stream.outputCount > 0 else {
      end = 0
      return false
    }
    if end == 0 {
      _ = stream.takenSinceMark()
      end = now &+ limit
      return false
    }
    guard now >= end else { return false }
    end = now &+ limit
    return stream.takenSinceMark().map { $0 < Self.minimum } ?? false
  }
}
