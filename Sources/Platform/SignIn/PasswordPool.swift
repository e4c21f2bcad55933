import Dispatch
import OrielCrypto
import OrielModel

/// Runs Argon2id off the loop, two at a time: each takes 64 MiB and a core.
actor PasswordPool {
  static let width = 2
  static let queueLimit = 32

  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private let queue = DispatchQueue(label: "oriel.passwords", attributes: .concurrent)

  /// - Throws: `OrielError` 110029 when too many wait already.
  func hash(_ password: String) async throws -> String {
    try await run { try PasswordHash.make(password) }
  }

  /// - Throws: `OrielError` 110029 when too many wait already.
  func matches(_ password: String, hash: String) async throws -> Bool {
    try await run { PasswordHash.matches(password, hash: hash) }
  }

  private func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    if running >= Self.width {
      guard waiting.count < Self.queueLimit else { throw OrielError(.tooFrequent) }
      // Whoever leaves hands its place over, so that `running` stays as it is.
      await withCheckedContinuation { waiting.append($0) }
    } else {
      running += 1
    }
    defer { leave() }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }

  private func leave() {
    if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
  }
}
