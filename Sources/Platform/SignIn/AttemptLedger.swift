import Foundation
import OrielModel
import OrielNet

/// The driver of an `AttemptGuard`: the state, the clock, and the number that a refused try gets.
actor AttemptLedger {
  private let loop: EventLoop
  private let time: PlatformTime
  private var attempts: AttemptGuard

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(policy: AttemptGuard.Policy, time: PlatformTime, loop: EventLoop) {
    attempts = AttemptGuard(policy: policy)
    self.time = time
    self.loop = loop
  }

  /// - Throws: `OrielError` 110006 with the seconds to wait.
  func begin(subject: String, parties: [String]) throws -> AttemptGuard.Ticket {
    switch attempts.begin(subject: subject, parties: parties, at: time.uptime()) {
    case .admitted(let ticket): return ticket
    case .wait(let duration):
      throw OrielError(.addressLimited, "try again in \(duration.components.seconds + 1) s")
    }
  }

  func succeeded(_ ticket: AttemptGuard.Ticket) { attempts.succeeded(ticket) }
  func withdrawn(_ ticket: AttemptGuard.Ticket) { attempts.withdrawn(ticket) }
}

/// The address that attempts are counted by: with IPv6 the /64, since a peer has all of it.
enum AttemptAddress {
  static func key(_ address: String) -> String {
    var bytes = in6_addr()
    let bare = address.prefix { $0 != "%" }
    guard inet_pton(AF_INET6, String(bare), &bytes) == 1 else { return address }
    let prefix = withUnsafeBytes(of: bytes) { Array($0) }
    // IPv4 in IPv6 (RFC 4291 section 2.5.5.2) stays one address.
    if prefix.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]) {
      return prefix.suffix(4).map(String.init).joined(separator: ".")
    }
    return prefix.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
  }
}
