import Foundation
import OrielMedia

/// Records a feed at its own pace with Oriel's writer, or only keeps the pace, which is what the recording is
/// measured against.
struct Recording {
  let source: String
  let path: String
  let seconds: Int

  init(_ options: [String: String]) {
    source = options["source"] ?? ""
    path = options["file"] ?? ""
    seconds = Int(options["seconds"] ?? "") ?? 30
  }

  /// Prints the bytes of media, the size of the file, and what the kernel was told to write to the disk.
  func run() async throws {
    let units = try FeedFile.accessUnits(ofFile: source)
    var writer: RecordingWriter<RecordingFileSink>?
    if !path.isEmpty {
      writer = RecordingWriter(
        sink: try RecordingFileSink(path: path),
        head: RecordingHead(startTime: 1_796_000_000_000, cameraNo: 1, stream: .main, kind: "continuous"),
        video: .h264, hasAudio: false)
    }
    let written = try Self.writtenBytes()
    let clock = ContinuousClock()
    let began = clock.now
    var media = 0
    for number in 0..<seconds * 30 {
      var unit = units[number % units.count]
      unit.timestamp = .seconds(1) * number / 30
      try writer?.write(unit)
      media += unit.bytes.count
      try await clock.sleep(until: began + unit.timestamp + .seconds(1) / 30)
    }
    let summary = try writer?.finish()
    OrielBench.say(
      """
      {"media": \(media), "size": \(summary?.size ?? 0), "written": \(try Self.writtenBytes() - written)}
      """)
  }

  /// `write_bytes` of proc(5).
  private static func writtenBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes: ") }
    return line.flatMap { Int($0.dropFirst(13)) } ?? 0
  }
}
