import OrielModel

/// A mistake in how a command was called; ends with exit code 2.
struct UsageError: Error {
  let message: String
}

/// The words of one call, read against the command's description.
struct Arguments: Sendable {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private(set) var wantsHelp = false

  /// Accepts `--name value`, `--name=value`, switches, and `--` before operands that begin with a dash.
  init(_ words: [String], for command: CommandDescription) throws(UsageError) {
    var rest = words[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if optionsEnded || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        optionsEnded = true
      } else if word == "--help" || word == "-h" {
        wantsHelp = true
      } else {
        let parts = word.drop { $0 == "-" }.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = command.options.first(where: { $0.name == name }) else {
          throw UsageError(message: "`oriel \(command.name)` has no option --\(name).")
        }
        if option.value == nil {
          guard parts.count == 1 else { throw UsageError(message: "--\(name) takes no value.") }
          values[name, default: []].append("")
        } else if let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty {
          values[name, default: []].append(value)
        } else {
          throw UsageError(message: "--\(name) needs a value.")
        }
      }
    }
    guard wantsHelp || command.operandCount.contains(operands.count) else {
      throw UsageError(
        message: operands.count < command.operandCount.lowerBound
          ? "`oriel \(command.name)` needs \(command.operands)."
          : "`oriel \(command.name)` does not take '\(operands.last ?? "")'.")
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// The last value given.
  func value(_ name: String) -> String? { values[name]?.last }

  /// Every value given, in order, for an option that may be repeated.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        message: "--\(name) is a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'."
      )
    }
    return number
  }
}
