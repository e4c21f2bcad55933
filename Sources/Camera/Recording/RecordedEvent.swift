import Foundation
import Glibc
import OrielModel

/// Something happened between two UTC milliseconds, the time before and after it that is wanted included.
struct RecordedEvent: Sendable, Codable, Equatable {
  var cameraNo: Int
  var startTime: Int64
  var endTime: Int64
  var name: String

  /// Bytes of UTF-8.
  static let nameLimit = 64
}

/// Events as lines in a file of their day, so that they outlive the index.
extension RecordingFolder {
  /// Bytes of a day's file; more events are in the index only.
  static let eventFileLimit = 4 << 20

  /// The last line of an event counts.
  /// - Throws: `OrielError` 720101, 720001.
  func append(_ event: RecordedEvent) throws {
    guard var line = try? JSONEncoder().encode(event) else { return }
    line.append(10)
    let path = eventsPath(at: event.startTime)
    try makeParent(of: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard descriptor >= 0 else { throw OrielError(.recordingsFolder, path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size < Self.eventFileLimit else { return }
    let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == line.count else {
      throw OrielError(errno == ENOSPC ? .diskFull : .recordingsFolder, path)
    }
  }

  /// What a day's file says; lines that are damaged are passed over.
  static func events(inFile path: String) -> [RecordedEvent] {
    guard let data = FileManager.default.contents(atPath: path), data.count <= 2 * eventFileLimit else {
      return []
    }
    return data.split(separator: 10).compactMap { try? JSONDecoder().decode(RecordedEvent.self, from: $0) }
      .filter {
        $0.startTime < $0.endTime && $0.cameraNo > 0 && $0.name.utf8.count <= RecordedEvent.nameLimit
      }
  }
}
