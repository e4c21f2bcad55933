import OrielModel

/// Which stream a viewer gets: what it asked for, or the sub stream while its path does not carry the main one.
///
/// Down after 2 s under the main stream's rate. Up when the path carries it with a margin for 4 s, or, since an
/// estimate hardly grows beyond what is sent, when it is well over the sub stream's rate for the hold time: 10 s,
/// doubled to 80 s each time going up did not last. Pure: the time is passed in.
struct StreamChoice: Sendable {
  static let downAfter = Duration.seconds(2)
  static let upAfter = Duration.seconds(4)
  static let firstHold = Duration.seconds(10)
  static let longestHold = Duration.seconds(80)
  /// Going up that lasted so long was right.
  static let provenAfter = Duration.seconds(20)

  private(set) var wanted: StreamKind
  private(set) var current: StreamKind
  private var tooLowSince: Duration?
  private var enoughSince: Duration?
  private var spareSince: Duration?
  private var hold = StreamChoice.firstHold
  private var raisedAt: Duration?

  init(_ stream: StreamKind) {
    wanted = stream
    current = stream
  }

  /// The viewer's own choice: obeyed at once, whatever the path carried before.
  mutating func want(_ stream: StreamKind) {
    self = StreamChoice(stream)
  }

  /// Takes what the path carries and what the streams need, bit/s; 0 for a rate that is not known.
  mutating func update(estimate: Int, mainRate: Int, subRate: Int, at now: Duration) {
    guard wanted == .main, estimate > 0, mainRate > 0 else { return }
    switch current {
    case .main:
      if let raisedAt, now - raisedAt >= Self.provenAfter {
        hold = Self.firstHold
        self.raisedAt = nil
      }
      guard estimate * 10 < mainRate * 9 else {
        tooLowSince = nil
        return
      }
      let since = tooLowSince ?? now
      tooLowSince = since
      guard now - since >= Self.downAfter else { return }
      if raisedAt != nil { hold = min(hold * 2, Self.longestHold) }
      become(.sub)
    case .sub:
      enoughSince = estimate * 10 >= mainRate * 12 ? enoughSince ?? now : nil
      spareSince = subRate > 0 && estimate * 10 >= subRate * 13 ? spareSince ?? now : nil
      let isEnough = enoughSince.map { now - $0 >= Self.upAfter } ?? false
      let isWorthTrying = spareSince.map { now - $0 >= hold } ?? false
      guard isEnough || isWorthTrying else { return }
      become(.main)
      raisedAt = now
    }
  }

  private mutating func become(_ stream: StreamKind) {
    current = stream
    tooLowSince = nil
    enoughSince = nil
    spareSince = nil
    if stream == .sub { raisedAt = nil }
  }
}
