import Foundation
import OrielCamera
import OrielModel

/// `oriel camera check`.
enum CheckCommand {
  static func run(_ arguments: Arguments) async throws {
    let output = Output(arguments)
    let data = arguments.value("data") ?? Folders.data("camera")
    let mends = arguments.has("mend")
    let check = RecordingsCheck(
      folder: arguments.value("recordings") ?? data + "/recordings", dataFolder: data)
    let line = PercentLine("Checking")
    let report = try await check.run(mends: mends) { done, all in
      line.show(Double(done) / Double(max(all, 1)), " of \(all) recordings")
    }
    line.end()
    try output.answer(report, text: text(of: report, mends: mends))
    guard report.isSound else {
      throw OrielError(.recordDamaged, "\(report.findings.count) things to mend: use --mend")
    }
  }

  private static func text(of report: CheckReport, mends: Bool) -> String {
    var lines = report.findings.map {
      "\($0.path.replacing("\n", with: "\u{FFFD}")): \($0.kind.sentence)\($0.isMended ? ", mended" : "")"
    }
    lines.append(
      String(format: "%d recordings, %.1f MB", report.files, Double(report.bytes) / 1e6)
        + (report.findings.isEmpty ? ", nothing to mend." : "."))
    return lines.joined(separator: "\n")
  }
}

extension CheckReport.Finding.Kind {
  fileprivate var sentence: String {
    switch self {
    case .indexLost: "the index is missing or damaged"
    case .fileWithoutEntry: "not in the index"
    case .entryWithoutFile: "in the index, and gone"
    case .wrongEntry: "the index says something else"
    case .torn: "its writing was cut"
    case .empty: "holds no picture"
    case .notARecording: "no recording, or not readable"
    case .overlap: "another recording holds the same time"
    }
  }
}
