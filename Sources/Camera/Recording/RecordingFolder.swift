import Foundation
import Glibc
import OrielCrypto
import OrielMedia
import OrielModel

/// The folder that recordings are kept in: which one it is, and what lies where.
///
///     recordings.json                         the marker: tells this folder from another one in its place
///     index.sqlite                            the index, which can be made anew from the rest
///     2026-12-01/1-main-052306.120Z.mp4       camera, stream and start, in UTC
///     2026-12-01/events.jsonl                 what happened that day, a line an event
///     damaged/                                what `check` put aside
struct RecordingFolder: Sendable, Equatable {
  let path: String

  static let markerName = "recordings.json"
  static let indexName = "index.sqlite"
  static let eventsName = "events.jsonl"
  static let damagedName = "damaged"

  var markerPath: String { path + "/" + Self.markerName }
  var indexPath: String { path + "/" + Self.indexName }
  var damagedPath: String { path + "/" + Self.damagedName }

  init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  // MARK: Names

  /// Where a recording lies.
  func path(of key: RecordingKey) -> String {
    let time = Self.components(key.startTime)
    let stream = key.stream == .main ? "main" : "sub"
    return Self.join(
      path, Self.day(time),
      "\(key.cameraNo)-\(stream)-\(pad(time.hour))\(pad(time.minute))\(pad(time.second))."
        + "\(pad(time.millisecond, 3))Z.mp4")
  }

  /// Where the events that begin on the day of a time are noted.
  func eventsPath(at time: Int64) -> String {
    Self.join(path, Self.day(Self.components(time)), Self.eventsName)
  }

  /// The UTC day of a time, `2026-12-01`.
  static func day(of time: Int64) -> String { day(components(time)) }

  static func isDay(_ name: String) -> Bool {
    let shape = name.utf8.map { (48...57).contains($0) ? UInt8(ascii: "0") : $0 }
    return String(decoding: shape, as: UTF8.self) == "0000-00-00"
  }

  /// Whether a name in a day's folder is that of a recording.
  static func isRecording(_ name: String) -> Bool {
    name.hasSuffix("Z.mp4") && (name.contains("-main-") || name.contains("-sub-"))
  }

  private static func join(_ parts: String...) -> String { parts.joined(separator: "/") }

  private static func day(_ time: Components) -> String {
    "\(pad(time.year, 4))-\(pad(time.month))-\(pad(time.day))"
  }

  private struct Components {
    var (year, month, day, hour, minute, second, millisecond) = (0, 0, 0, 0, 0, 0, 0)
  }

  private static func components(_ time: Int64) -> Components {
    let time = max(time, 0)
    var seconds = time_t(time / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return Components(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec),
      millisecond: Int(time % 1000))
  }

  // MARK: Marker

  private struct Marker: Codable {
    var version = 1
    var id: String
  }

  /// The id in the folder's marker; nil when there is none that can be read.
  func markerID() -> String? {
    guard let data = FileManager.default.contents(atPath: markerPath), data.count < 4096 else { return nil }
    return (try? JSONDecoder().decode(Marker.self, from: data))?.id
  }

  /// Marks the folder as one of recordings.
  /// - Throws: `OrielError` 720101, 720001.
  func mark() throws -> String {
    let id = Base64URL.text(try RandomBytes.make(count: 12))
    guard let data = try? JSONEncoder().encode(Marker(id: id)) else { throw OrielError(.recordingsFolder) }
    do { try PrivateFile.write(data, to: markerPath) } catch let error as OrielError {
      throw error.code == .diskFull ? error : OrielError(.recordingsFolder, path)
    }
    return id
  }

  // MARK: Disk

  /// Which folder stands at the path now: another one after something was mounted or removed.
  func identity() -> FileIdentity? { FileIdentity(path) }

  /// Makes a day's folder so that it is there after a loss of power.
  /// - Throws: `OrielError` 720001, 720101.
  func makeParent(of file: String) throws {
    let day = String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex))
    if mkdir(day, 0o750) == 0 {
      Self.sync(path)
    } else if errno != EEXIST {
      throw OrielError([ENOSPC, EDQUOT].contains(errno) ? .diskFull : .recordingsFolder, day)
    }
  }

  /// What a folder's list of names is comes to the disk.
  static func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// Which file or folder it is, whatever its name.
struct FileIdentity: Sendable, Equatable {
  let device: UInt64
  let number: UInt64

  /// nil when there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}

private func pad(_ number: Int, _ width: Int = 2) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, width - text.count)) + text
}
