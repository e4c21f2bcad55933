/// Media time of captured frames: counted, so that it goes by the device's clock and the far end can follow its drift;
/// but when the device lost sound, the count leaps over what was lost.
struct CaptureClock: Sendable {
  private static let frame = VoiceForm.frame
  /// Half a second.
  private static let window = 50
  /// Microseconds. Less is a matter of the thread, or drift.
  private static let tolerance = 60_000

  private var counted = -1
  private var sinceCheck = 0
  /// Least arrival less media time, of this window and of the time before; microseconds.
  private var least = Int.max
  private var usual: Int?

  /// The media time of a frame in samples, a multiple of 480; frames with an even number begin a packet.
  /// - Parameter arrival: microseconds on any clock that never jumps.
  mutating func next(arrival: Int) -> Int {
    counted += 1
    least = min(least, arrival - counted * 10_000)
    sinceCheck += 1
    if sinceCheck >= Self.window, counted % 2 == 1 {
      // Late frames catch up with time; lost ones never do.
      let excess = least - (usual ?? least)
      if excess > Self.tolerance {
        let lost = excess / 20_000 * 2
        counted += lost
        least -= lost * 10_000
      }
      usual = least
      (least, sinceCheck) = (.max, 0)
    }
    return counted * Self.frame
  }
}
