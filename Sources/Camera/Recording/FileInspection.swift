import Glibc
import OrielMedia

/// What a file in a recordings folder turns out to be.
enum FileInspection: Sendable {
  case recording(FragmentMap, size: Int64)
  /// A head without a picture after it, or nothing at all.
  case empty
  case foreign

  static func of(_ path: String) async -> FileInspection {
    guard let file = try? RecordingFile(path: path), let size = try? file.size else { return .foreign }
    guard size > 0 else { return .empty }
    guard var map = try? await FragmentMap.read(from: file) else { return isZero(path) ? .empty : .foreign }
    // Data that never came to the disk is zeros, or shorter than its box says.
    try? await map.checkEnd(in: file)
    return map.fragments.isEmpty ? .empty : .recording(map, size: size)
  }

  /// Whether the file is all zeros: its length came to the disk, and nothing else.
  private static func isZero(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 1, count: 1 << 18)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count <= 0 { return count == 0 }
      guard bytes.prefix(count).allSatisfy({ $0 == 0 }) else { return false }
    }
  }
}
