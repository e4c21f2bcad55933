import CRTCShims

/// Gives memory back to the system after peers came or went: a handshake needs many times what a connection keeps.
@RTCActor
enum HeapTrim {
  /// Peers that come together cost one trim.
  private static let delay = Duration.seconds(2)
  private static let timer = LoopTimer {
    // Off the loop: it takes a millisecond or two.
    Task.detached(priority: .background) { oriel_heap_trim() }
  }

  static func soon() {
    if !timer.isArmed { timer.arm(after: delay) }
  }
}
