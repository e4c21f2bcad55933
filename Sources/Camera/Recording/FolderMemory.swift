import Foundation
import OrielCrypto
import Synchronization

/// Remembers which recordings folder was used, so that another disk mounted in its place, or none, is noticed.
struct FolderMemory: Sendable {
  let id: @Sendable (_ path: String) -> String?
  let remembering: @Sendable (_ id: String, _ path: String) -> Void

  func id(of path: String) -> String? { id(path) }
  func remember(_ id: String, of path: String) { remembering(id, path) }

  /// For as long as the process lives.
  init() {
    let known = Mutex<[String: String]>([:])
    let box = Box(known: known)
    id = { path in box.known.withLock { $0[path] } }
    remembering = { id, path in box.known.withLock { $0[path] = id } }
  }

  /// In a file of the agent's data folder.
  init(file: String) {
    id = { Self.read(file)[$0] }
    remembering = { id, path in
      // Another folder was chosen: what was known of the one before is of no use any more.
      guard let data = try? JSONEncoder().encode([path: id]) else { return }
      try? PrivateFile.write(data, to: file)
    }
  }

  private static func read(_ file: String) -> [String: String] {
    guard let data = FileManager.default.contents(atPath: file), data.count < 16 * 1024 else { return [:] }
    return (try? JSONDecoder().decode([String: String].self, from: data)) ?? [:]
  }

  private final class Box: Sendable {
    let known: Mutex<[String: String]>
    init(known: consuming Mutex<[String: String]>) { self.known = known }
  }
}
