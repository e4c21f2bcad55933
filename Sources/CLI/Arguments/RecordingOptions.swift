import OrielCamera
import OrielModel

/// The options that say what a camera records and uploads.
enum RecordingOptions {
  /// nil: it does not record.
  static func recording(_ arguments: Arguments) throws -> RecordingConfiguration? {
    let word = arguments.value("record") ?? "off"
    var limits = RecordingLimits()
    if let text = arguments.value("record-limit") {
      guard let bytes = size(text), bytes >= RecordingLimits.smallest else {
        throw UsageError(
          message: "--record-limit takes a size of 64MB or more, such as 500MB, 20GB or 2TB")
      }
      limits.bytes = bytes
    }
    if let days = try arguments.integer("record-days", in: 1...3650) { limits.age = .seconds(days * 86_400) }
    guard word != "off" else { return nil }
    guard let mode = RecordingMode(rawValue: word) else {
      throw UsageError(message: "--record takes continuous, events or off")
    }
    return RecordingConfiguration(mode: mode, folder: arguments.value("recordings"), limits: limits)
  }

  static func upload(_ arguments: Arguments) throws -> UploadChoice {
    guard let word = arguments.value("upload") else { return .none }
    guard let choice = UploadChoice(rawValue: word) else {
      throw UsageError(message: "--upload takes all, events or none")
    }
    return choice
  }

  /// Bytes of a text such as `500MB` or `2TB`; nil when it is none.
  static func size(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [String: Int64] = [
      "": 1, "b": 1, "k": 1_000, "kb": 1_000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
      "gb": 1_000_000_000, "t": 1_000_000_000_000, "tb": 1_000_000_000_000,
    ]
    guard let number = Int64(digits), let unit = units[text.dropFirst(digits.count).lowercased()] else {
      return nil
    }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: unit)
    return overflows ? nil : bytes
  }
}
