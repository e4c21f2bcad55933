import Foundation
import OrielModel

/// Where a command's answer goes: plain text, or one JSON value with `--json`.
struct Output: Sendable {
  let isJSON: Bool

  init(_ arguments: Arguments) { isJSON = arguments.has("json") }

  /// Prints the answer: the text for people, or the value as JSON.
  /// - Throws: `OrielError` 720002 when it reaches nobody.
  func answer(_ value: some Encodable, text: @autoclosure () -> String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let answer = isJSON ? String(decoding: try encoder.encode(value), as: UTF8.self) : text()
    guard Self.line(answer) else { throw OrielError(.fileNotWritable, "standard output") }
  }

  /// Prints a sentence beside the answer; goes to standard error, so that `--json` stays clean.
  func note(_ text: String) { Output.standardError(text) }

  /// Prints a line on standard output at once, also into a pipe.
  /// - Returns: false when it reaches nobody: the disk is full, or who read the pipe has gone.
  @discardableResult
  static func line(_ text: String) -> Bool { StandardStream.output.write(text + "\n") }

  static func standardError(_ text: String) { StandardStream.error.write(text + "\n") }

  /// Lines up rows under their headings.
  static func table(_ headings: [String], _ rows: [[String]]) -> String {
    let all = [headings] + rows
    let widths = headings.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
        .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
    }.joined(separator: "\n")
  }
}
