/// Growing waits after failures, kept so that a stranger's failures never shut out the owner.
///
/// A try names a subject (a serial, an account's name) and the parties that make it (an account, an address).
/// Failures are counted per subject and party, per party over all subjects, and per subject over all parties.
/// The last count slows only parties that have failed on that subject themselves, and each from its own last
/// failure on. A try counts as failed until it is known to have succeeded, so that a thousand tries at once
/// gain nothing. Pure: the time is passed in.
struct AttemptGuard: Sendable {
  /// After `free` failures comes the wait `first`, then twice that, up to `ceiling`.
  struct Growth: Sendable {
    var free: Int
    var first: Duration
    var ceiling: Duration

    func wait(after failures: Int) -> Duration {
      guard failures >= free else { return .zero }
      return min(first * (1 << min(failures - free, 20)), ceiling)
    }
  }

  struct Policy: Sendable {
    /// Of each kind of party, by its position in a try.
    var pairs: [Growth]
    var parties: [Growth]
    var subject: Growth
    /// Failures that are older no longer count.
    var forget: Duration
  }

  /// A try that was admitted.
  struct Ticket: Sendable, Equatable {
    fileprivate let subject: String
    fileprivate let parties: [String]
  }

  enum Verdict: Sendable, Equatable {
    case admitted(Ticket)
    case wait(Duration)
  }

  private enum Key: Hashable {
    case pair(subject: String, kind: Int, party: String)
    case party(kind: Int, String)
    case subject(String)
  }

  private struct Record {
    var failures: Int
    var last: Duration
  }

  let policy: Policy
  private let recordLimit: Int
  private var records: [Key: Record] = [:]

  /// - Parameter recordLimit: counts that are kept; the oldest go first.
  init(policy: Policy, recordLimit: Int = 20_000) {
    self.policy = policy
    self.recordLimit = recordLimit
  }

  var recordCount: Int { records.count }

  /// Asks for a try. An admitted one must end in `succeeded`, `withdrawn`, or in neither when it failed.
  mutating func begin(subject: String, parties: [String], at now: Duration) -> Verdict {
    var longest = Duration.zero
    let onSubject = failures(.subject(subject), at: now)
    for (kind, party) in parties.enumerated() {
      let pair = Key.pair(subject: subject, kind: kind, party: party)
      longest = max(longest, remaining(pair, policy.pairs[kind], at: now))
      longest = max(longest, remaining(.party(kind: kind, party), policy.parties[kind], at: now))
      if failures(pair, at: now) > 0, let record = records[pair] {
        longest = max(longest, record.last + policy.subject.wait(after: onSubject) - now)
      }
    }
    guard longest <= .zero else { return .wait(longest) }
    let ticket = Ticket(subject: subject, parties: parties)
    for key in keys(of: ticket) {
      records[key] = Record(failures: failures(key, at: now) + 1, last: now)
    }
    if records.count > recordLimit { shrink(at: now) }
    return .admitted(ticket)
  }

  /// The try was right: the party is trusted with this subject again.
  mutating func succeeded(_ ticket: Ticket) {
    for key in keys(of: ticket) {
      if case .pair = key { records[key] = nil } else { takeBack(key) }
    }
  }

  /// The try was never judged.
  mutating func withdrawn(_ ticket: Ticket) { for key in keys(of: ticket) { takeBack(key) } }

  private func keys(of ticket: Ticket) -> [Key] {
    [.subject(ticket.subject)]
      + ticket.parties.enumerated().flatMap { kind, party in
        [.pair(subject: ticket.subject, kind: kind, party: party), .party(kind: kind, party)]
      }
  }

  private mutating func takeBack(_ key: Key) {
    guard let record = records[key] else { return }
    if record.failures <= 1 { records[key] = nil } else { records[key]?.failures -= 1 }
  }

  private func failures(_ key: Key, at now: Duration) -> Int {
    guard let record = records[key], now - record.last < policy.forget else { return 0 }
    return record.failures
  }

  private func remaining(_ key: Key, _ growth: Growth, at now: Duration) -> Duration {
    let failures = failures(key, at: now)
    guard failures > 0, let record = records[key] else { return .zero }
    return record.last + growth.wait(after: failures) - now
  }

  private mutating func shrink(at now: Duration) {
    records = records.filter { now - $0.value.last < policy.forget }
    guard records.count > recordLimit else { return }
    let oldest = records.sorted { $0.value.last < $1.value.last }.prefix(recordLimit / 10)
    for (key, _) in oldest { records[key] = nil }
  }
}

extension AttemptGuard.Policy {
  /// Signing in: subject is the account's name or the appKey, the one party is the address.
  static let signIn = AttemptGuard.Policy(
    pairs: [.init(free: 5, first: .seconds(2), ceiling: .seconds(900))],
    parties: [.init(free: 20, first: .seconds(2), ceiling: .seconds(300))],
    subject: .init(free: 20, first: .seconds(2), ceiling: .seconds(300)),
    forget: .seconds(24 * 3600))

  /// Proving a verification code: subject is the serial, parties are the account and the address.
  static let code = AttemptGuard.Policy(
    pairs: [
      .init(free: 3, first: .seconds(5), ceiling: .seconds(900)),
      .init(free: 5, first: .seconds(5), ceiling: .seconds(300)),
    ],
    parties: [
      .init(free: 10, first: .seconds(5), ceiling: .seconds(900)),
      .init(free: 20, first: .seconds(5), ceiling: .seconds(300)),
    ],
    subject: .init(free: 10, first: .seconds(10), ceiling: .seconds(300)),
    forget: .seconds(24 * 3600))
}
