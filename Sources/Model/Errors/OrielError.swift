/// A failure with its number. No error crosses a public interface of Oriel as text only.
public struct OrielError: Error, Sendable, Equatable {
  public let code: ErrorCode
  /// What this case adds to the table's meaning, without secrets; nil when the meaning says it all.
  public let detail: String?

  public init(_ code: ErrorCode, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  /// The number as the first manual's SDK reports it.
  public var number: Int { code.rawValue }
}

extension OrielError: CustomStringConvertible {
  /// A plain sentence: meaning, detail, what to do.
  public var description: String {
    let entry = code.entry
    let what = detail.map { "\(entry.meaning): \($0)" } ?? entry.meaning
    return "\(what). \(entry.remedy) (error \(number))"
  }
}

/// A row of the error table.
public struct ErrorEntry: Sendable, Equatable {
  /// The constant's name: the first manual's where it has one, else ours.
  public let name: String
  /// What happened, without the full stop.
  public let meaning: String
  /// What to do, a sentence.
  public let remedy: String
}

extension ErrorCode {
  /// The number in the HTTP API: SDK number - 100000 for the numbers that come from the API, else nil.
  public var apiNumber: Int? {
    (101_000..<171_000).contains(rawValue) ? rawValue - 100_000 : nil
  }

  /// The code for a number of the HTTP API.
  public init?(apiNumber: Int) { self.init(rawValue: apiNumber + 100_000) }
}
