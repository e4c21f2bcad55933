import CRTCShims
import CUsrsctp  // for its link line

/// usrsctp, started once: hands its callbacks to the association they are for, and lets its timers run
/// while an association has work.
@RTCActor
final class SCTPLibrary {
  static let shared = SCTPLibrary()

  /// After the last packet: acknowledgements are delayed 20 ms at most.
  private static let quietTime: Int64 = 300_000
  private static let tick = Duration.milliseconds(10)

  private struct WeakAssociation { weak var association: SCTPAssociation? }

  private var associations: [UInt: WeakAssociation] = [:]
  /// Those whose timers may be needed: with many viewers at rest a tick looks at few.
  private var awake: Set<UInt> = []
  private var lastToken: UInt = 0
  private var timer: LoopTimer?
  private var lastAdvance: Int64 = 0

  private init() {
    oriel_sctp_start(Self.output, Self.message, Self.event)
    lastAdvance = RTCActor.monotonicMicroseconds
  }

  /// Associations that have not been closed.
  var count: Int { associations.count }
  /// Whether the timers run.
  var isTicking: Bool { timer?.isArmed ?? false }

  func add(_ association: SCTPAssociation) -> UInt {
    lastToken += 1
    associations[lastToken] = WeakAssociation(association: association)
    return lastToken
  }

  func remove(_ token: UInt) {
    associations[token] = nil
    awake.remove(token)
    if associations.isEmpty { timer?.cancel() }
  }

  /// An association has something to do: its timers run from now on.
  func wake(_ token: UInt) {
    awake.insert(token)
    let timer = self.timer ?? LoopTimer { [weak self] in self?.advance() }
    self.timer = timer
    guard !timer.isArmed else { return }
    catchUp()
    timer.arm(after: Self.tick)
  }

  /// What nobody waited for has passed all the same.
  private func catchUp() {
    let now = RTCActor.monotonicMicroseconds
    let milliseconds = (now - lastAdvance) / 1_000
    guard milliseconds > 0 else { return }
    lastAdvance += milliseconds * 1_000
    oriel_sctp_advance(UInt32(clamping: milliseconds))
  }

  private func advance() {
    catchUp()
    let now = RTCActor.monotonicMicroseconds
    for token in Array(awake) {
      // Gone, or let go of in a callback of one before it.
      guard let association = association(token) else {
        awake.remove(token)
        continue
      }
      association.handleEvents()
      if !association.needsTimers(now: now, quietTime: Self.quietTime) { awake.remove(token) }
    }
    if !awake.isEmpty { timer?.arm(after: Self.tick) }
  }

  private func association(_ token: UInt) -> SCTPAssociation? { associations[token]?.association }

  // Called by usrsctp, inside our calls into it and so on the loop's thread.
  private nonisolated static let output: oriel_sctp_output = { token, bytes, length in
    guard let bytes else { return }
    // Valid during the call, and used in it on the one thread.
    nonisolated(unsafe) let packet = UnsafeRawBufferPointer(start: bytes, count: length)
    RTCActor.assumeIsolated { shared.association(token)?.output(packet) }
  }

  private nonisolated static let message: oriel_sctp_message = { token, bytes, length, stream, ppid, ends in
    // As above.
    nonisolated(unsafe) let part = UnsafeRawBufferPointer(start: bytes, count: length)
    RTCActor.assumeIsolated {
      shared.association(token)?.came(part, stream: stream, ppid: ppid, ends: ends != 0)
    }
  }

  private nonisolated static let event: oriel_sctp_event = { token, event, value in
    RTCActor.assumeIsolated { shared.association(token)?.noted(Int(event), value) }
  }
}
