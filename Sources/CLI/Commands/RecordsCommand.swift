import Foundation
import OrielKit
import OrielModel

extension CommandDescription {
  static let records = CommandDescription(
    "records", operands: "SERIAL[:CAMERA]", operandCount: 1...1,
    summary: "list what a camera has recorded",
    details: """
      Lists the stretches that were recorded, of the camera's own storage or of the cloud; today's without --from.

        oriel records O12345678                                    today, on the camera
        oriel records O12345678 --from 2026-11-30 --to 2026-12-01  a day
        oriel records O12345678 --from -2h --cloud                 the last two hours, in the cloud
        oriel records O12345678 --from -30d --days                 which of the last 30 days have something

      A time is \(PointInTime.forms).
      """,
    options: [
      .value("from", "TIME", "the start of the range (the start of today)"),
      .value("to", "TIME", "its end (now)"),
      .flag("cloud", "what the cloud has"), .flag("device", "what the camera's own storage has (this)"),
      .flag("events", "only what was recorded for an event"),
      .flag("files", "single files instead of stretches"), .flag("days", "only which days have something"),
      .value("server", "ADDRESS", "another platform than that of `oriel login`"), .json,
    ],
    run: RecordsCommand.run)
}

enum RecordsCommand {
  private struct Answer: Encodable {
    var records: [RecordFile]?
    /// UTC milliseconds of their starts.
    var days: [Int64]?
  }

  @Sendable static func run(_ arguments: Arguments) async throws {
    let output = Output(arguments)
    let (serial, cameraNo) = try CameraName.parse(arguments.operands[0])
    let calendar = Calendar.current
    let from =
      try arguments.time("from")
      ?? Int64(calendar.startOfDay(for: Date()).timeIntervalSince1970 * 1000)
    let to = try arguments.time("to") ?? PointInTime.parse("now") ?? .max
    guard from < to else { throw UsageError(message: "--from is later than --to.") }
    let store = try arguments.store()
    let session = try SignedIn.session(arguments)
    if arguments.has("days") {
      let starts = days(from, to, calendar)
      let found = try await Progress.during("Asking the \(store == .cloud ? "cloud" : "camera")") {
        var found: [Int64] = []
        // As many as one question takes.
        for first in stride(from: 0, to: starts.count, by: 400) {
          found += try await session.recordedDays(
            of: serial, cameraNo: cameraNo, dayStarts: Array(starts[first..<min(first + 400, starts.count)]),
            store: store)
        }
        return found
      }
      await session.close()
      try output.answer(
        Answer(days: found),
        text: found.isEmpty
          ? "No day of these has recordings."
          : found.map { String(PointInTime.text($0).prefix(10)) }.joined(separator: "\n"))
      return
    }
    let (form, kind) = (
      arguments.has("files") ? RecordQuery.Form.files : .stretches,
      arguments.has("events") ? RecordKind.event : nil
    )
    let files = try await Progress.during("Asking the \(store == .cloud ? "cloud" : "camera")") {
      try await session.recordings(
        of: serial, cameraNo: cameraNo, from: from, to: to, store: store, form: form, kind: kind)
    }
    await session.close()
    try output.answer(Answer(records: files), text: text(files, arguments.operands[0], store))
  }

  /// The starts of the local days in a range, at most 400.
  /// A hundred years.
  private static let dayLimit = 36_600

  private static func days(_ from: Int64, _ to: Int64, _ calendar: Calendar) -> [Int64] {
    var starts: [Int64] = []
    var day = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(from) / 1000))
    while starts.count < dayLimit, Int64(day.timeIntervalSince1970 * 1000) < to {
      starts.append(Int64(day.timeIntervalSince1970 * 1000))
      guard let next = calendar.date(byAdding: .day, value: 1, to: day) else { break }
      day = calendar.startOfDay(for: next)
    }
    return starts
  }

  private static func text(_ files: [RecordFile], _ camera: String, _ store: RecordStore) -> String {
    guard !files.isEmpty else {
      return "Nothing was recorded then \(store == .cloud ? "into the cloud" : "on the camera")."
    }
    let table = Output.table(
      ["FROM", "TO", "LENGTH", "SIZE", "KIND", ""],
      files.map {
        [
          PointInTime.text($0.startTime), PointInTime.text($0.endTime),
          Duration.milliseconds($0.endTime - $0.startTime).formatted(),
          String(format: "%.1f MB", Double($0.size) / 1e6), $0.kind.rawValue,
          [$0.isLocked ? "locked" : "", $0.isEncrypted ? "encrypted" : ""].filter { !$0.isEmpty }.joined(
            separator: ", "),
        ]
      })
    let time = PointInTime.text(files[0].startTime).replacingOccurrences(of: " ", with: "T")
    return table
      + "\nWatch it with: oriel playback \(camera) --from \(time)\(store == .cloud ? " --cloud" : "") --window"
  }
}
