/// One command of `oriel`: what it takes, what it teaches, what it does.
struct CommandDescription: Sendable {
  struct Option: Sendable {
    /// Without the dashes.
    let name: String
    /// What stands for the value in the help; nil for a switch.
    let value: String?
    let help: String

    static func flag(_ name: String, _ help: String) -> Option { Option(name: name, value: nil, help: help) }
    static func value(_ name: String, _ value: String, _ help: String) -> Option {
      Option(name: name, value: value, help: help)
    }
  }

  let name: String
  /// The operands, as the usage line shows them.
  let operands: String
  /// How many operands are taken.
  let operandCount: ClosedRange<Int>
  let summary: String
  /// What a reader should know before the first use, with examples.
  let details: String
  let options: [Option]
  let run: @Sendable (Arguments) async throws -> Void

  init(
    _ name: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0, summary: String,
    details: String, options: [Option] = [], run: @escaping @Sendable (Arguments) async throws -> Void
  ) {
    self.name = name
    self.operands = operands
    self.operandCount = operandCount
    self.summary = summary
    self.details = details
    self.options = options
    self.run = run
  }

  var help: String {
    var lines = ["oriel \(name) - \(summary)", ""]
    lines.append(
      "usage: oriel \(name)\(operands.isEmpty ? "" : " " + operands)\(options.isEmpty ? "" : " [options]")")
    lines += ["", details]
    if !options.isEmpty {
      lines += ["", "options:"]
      let heads = options.map { "  --\($0.name)\($0.value.map { " " + $0 } ?? "")" }
      let width = (heads.map(\.count).max() ?? 0) + 2
      for (head, option) in zip(heads, options) {
        lines.append(head + String(repeating: " ", count: width - head.count) + option.help)
      }
    }
    return lines.joined(separator: "\n")
  }
}
