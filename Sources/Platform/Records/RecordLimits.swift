import OrielModel

/// What may be asked about recordings.
enum RecordLimits {
  /// UTC milliseconds: to the end of the year 9999.
  static let time: ClosedRange<Int64> = 0...253_402_300_799_999
  /// Days of one question.
  static let days = 400
  /// Bytes of the name of an event.
  static let eventName = 64

  /// - Throws: `OrielError` 110001 when a query breaks a limit.
  static func check(_ query: RecordQuery) throws {
    try check(from: query.from, to: query.to)
    guard (1...RecordQuery.pageLimit).contains(query.limit) else {
      throw OrielError(.parameterError, "limit is 1 to \(RecordQuery.pageLimit)")
    }
    guard query.form == .days else { return }
    guard let days = query.dayStarts, (1...Self.days).contains(days.count), days.allSatisfy(time.contains),
      zip(days, days.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw OrielError(.parameterError, "dayStarts are 1 to \(Self.days) rising times") }
  }

  static func check(from: Int64, to: Int64) throws {
    guard time.contains(from), time.contains(to), from < to else {
      throw OrielError(.parameterError, "from and to are UTC milliseconds, from before to")
    }
  }
}
