import OrielModel

/// Which stream a viewer gets: what it asked for, or the sub stream while its path does not carry the main one.
///
/// Down after 2 s under the main stream's rate. Up when the path carries that with a margin for 4 s. Since an
/// estimate hardly grows beyond what is sent, going up is also tried when it is well over the sub stream's rate
/// for the hold time: 10 s, doubled to 80 s each time a trial fails. A trial fails when the estimate falls by a
/// tenth, or has not reached the main stream's rate after 20 s. Pure: the time is passed in.
struct StreamChoice: Sendable {
  static let downAfter = Duration.seconds(2)
  static let upAfter = Duration.seconds(4)
  static let firstHold = Duration.seconds(10)
  static let longestHold = Duration.seconds(80)
  static let trialLength = Duration.seconds(20)

  private(set) var wanted: StreamKind
  private(set) var current: StreamKind
  private var tooLowSince: Duration?
  private var enoughSince: Duration?
  private var spareSince: Duration?
  private var hold = StreamChoice.firstHold
  private var trial: (since: Duration, peak: Int)?

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
    case .main: considerSub(estimate: estimate, mainRate: mainRate, at: now)
    case .sub: considerMain(estimate: estimate, mainRate: mainRate, subRate: subRate, at: now)
    }
  }

  private mutating func considerSub(estimate: Int, mainRate: Int, at now: Duration) {
    var isTooLow = estimate * 10 < mainRate * 9
    if let trial, isTooLow, now - trial.since < Self.trialLength {
      self.trial = (trial.since, max(trial.peak, estimate))
      isTooLow = estimate * 10 < trial.peak * 9
    } else if !isTooLow, trial != nil {
      trial = nil
      hold = Self.firstHold
    }
    guard isTooLow else {
      tooLowSince = nil
      return
    }
    let since = tooLowSince ?? now
    tooLowSince = since
    guard now - since >= Self.downAfter else { return }
    if trial != nil { hold = min(hold * 2, Self.longestHold) }
    become(.sub)
  }

  private mutating func considerMain(estimate: Int, mainRate: Int, subRate: Int, at now: Duration) {
    enoughSince = estimate * 10 >= mainRate * 12 ? enoughSince ?? now : nil
    spareSince = subRate > 0 && estimate * 10 >= subRate * 13 ? spareSince ?? now : nil
    if let enoughSince, now - enoughSince >= Self.upAfter {
      become(.main)
      hold = Self.firstHold
    } else if let spareSince, now - spareSince >= hold {
      become(.main)
      trial = (now, estimate)
    }
  }

  private mutating func become(_ stream: StreamKind) {
    current = stream
    tooLowSince = nil
    enoughSince = nil
    spareSince = nil
    trial = nil
  }
}
