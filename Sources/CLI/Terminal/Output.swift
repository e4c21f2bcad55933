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
  static func line(_ text: String) -> Bool { StandardStream.output.write(plain(text) + "\n") }

  static func standardError(_ text: String) { StandardStream.error.write(plain(text) + "\n") }

  /// Names come from cameras, files and other people: what a terminal would obey in them is shown as a mark.
  static func plain(_ text: String) -> String {
    func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .control: scalar != "\n" && scalar != "\t"
      // Those that turn the direction of what follows.
      case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      default: false
      }
    }
    guard text.unicodeScalars.contains(where: isObeyed) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isObeyed($0) ? "\u{FFFD}" : $0 }))
  }

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
