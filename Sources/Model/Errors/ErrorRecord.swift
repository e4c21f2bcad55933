/// A failure as it is written in JSON: by `/v1` in an answer's body, by the command line with `--json`.
public struct ErrorRecord: Sendable, Codable, Equatable {
  /// The SDK's number.
  public let code: Int
  public let name: String
  public let message: String
  public let remedy: String

  public init(_ error: OrielError) {
    let entry = error.code.entry
    code = error.number
    name = entry.name
    message = error.detail.map { "\(entry.meaning): \($0)" } ?? entry.meaning
    remedy = entry.remedy
  }
}
