import Foundation

/// Counts the pictures that come on the player's thread.
final class PictureCounter: @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var pictures = 0

  func take(width: Int) { lock.withLock { pictures += 1 } }
  var count: Int { lock.withLock { pictures } }
}
