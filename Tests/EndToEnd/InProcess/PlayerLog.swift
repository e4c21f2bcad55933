import OrielMedia
import Synchronization
import Testing

@testable import OrielKit

/// What was shown and what was told, in order.
final class PlayerLog: Sendable {
  struct Shown: Sendable {
    var time: Int64
    var at: ContinuousClock.Instant
    var stamp: UInt32?
  }
  let shown = Mutex<[Shown]>([])
  let events = Mutex<[(event: PlayerEvent, at: ContinuousClock.Instant)]>([])

  var times: [Int64] { shown.withLock { $0.map(\.time) } }
  var told: [PlayerEvent] { events.withLock { $0.map(\.event) } }

  func observe(_ player: Player) {
    player.onFrame { frame in
      self.shown.withLock {
        $0.append(
          Shown(time: frame.captureTime, at: .now, stamp: FrameStamp.read(from: frame)?.counter))
      }
    }
    player.onEvent { event in self.events.withLock { $0.append((event, .now)) } }
  }

  func wait(
    _ what: Comment, within limit: Duration = .seconds(15), location: SourceLocation = #_sourceLocation,
    until holds: (PlayerLog) -> Bool
  ) async {
    let deadline = ContinuousClock.now + limit
    while !holds(self) {
      guard ContinuousClock.now < deadline else {
        Issue.record(what, sourceLocation: location)
        return
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }
  typealias SourceLocation = Testing.SourceLocation
}
