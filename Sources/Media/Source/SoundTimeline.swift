/// The times of a camera's sound: packets follow each other without a gap as long as the source roughly agrees.
public struct SoundTimeline: Sendable {
  /// How far the source's clock may be off before it is believed.
  public static let tolerance = Duration.milliseconds(60)

  private var next: Duration?

  public init() {}

  /// The time to give to a packet, or nil when it comes from a time that is over and should be dropped.
  public mutating func place(_ time: Duration, lasting duration: Duration) -> Duration? {
    guard let next else {
      self.next = time + duration
      return time
    }
    if time < next - Self.tolerance { return nil }
    let placed = time > next + Self.tolerance ? time : next
    self.next = placed + duration
    return placed
  }
}
