/// Wakes the media sessions of a loop with one timer, and holds what they share for sending.
@RTCActor
final class MediaScheduler {
  static let shared = MediaScheduler(time: LoopTime.shared)

  /// Sessions due within this are served by the same wake-up.
  private static let slack: Int64 = 1_000

  let time: any MediaTime
  let batch = SendBatch()
  /// For RTCP and for opened packets; the largest datagram fits.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
  let scratch2 = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
  private var sessions: [MediaSession] = []
  private var armed = Int64.max

  /// Added to the monotonic clock it gives the wall clock as it was at the start.
  let wallClockOffset: Int64

  init(time: any MediaTime) {
    self.time = time
    wallClockOffset = time.wallClock - time.now
    time.onDeadline = { [weak self] in self?.serve() }
  }

  isolated deinit {
    scratch.deallocate()
    scratch2.deallocate()
  }

  func add(_ session: MediaSession) { sessions.append(session) }

  func remove(_ session: MediaSession) {
    sessions.removeAll { $0 === session }
    if sessions.isEmpty {
      time.disarm()
      armed = .max
    }
  }

  var sessionCount: Int { sessions.count }

  /// A session wants to be served at `deadline` or before.
  func note(_ deadline: Int64) {
    guard deadline < armed else { return }
    armed = deadline
    time.arm(at: deadline)
  }

  private func serve() {
    armed = .max
    let now = time.now
    // By index: a session may leave while it is served.
    var index = 0
    while index < sessions.count {
      let session = sessions[index]
      if session.deadline <= now + Self.slack { session.serve(now) }
      if index < sessions.count, sessions[index] === session { index += 1 }
    }
    if let next = sessions.lazy.map(\.deadline).min(), next != .max { note(next) }
  }
}
