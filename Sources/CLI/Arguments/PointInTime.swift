import Foundation
import OrielModel

/// A time as people write it: a date and a time of day in local time, or with a zone; a time of today; how long ago.
enum PointInTime {
  static let forms =
    "2026-12-01T18:30, 18:30 (today), -10m (10 minutes ago; s, m, h, d) or milliseconds since 1970"

  /// - Returns: UTC milliseconds; nil when the text is no time.
  static func parse(_ text: String, now: Date = Date(), calendar: Calendar = .current) -> Int64? {
    if text == "now" { return milliseconds(now) }
    if text.hasPrefix("-") { return ago(text.dropFirst(), now) }
    if let number = Int64(text), number >= 1_000_000_000_000 { return number }
    if let time = today(text, now, calendar) { return milliseconds(time) }
    if text.hasSuffix("Z") || text.dropFirst(10).contains(where: { "+-".contains($0) }) {
      let fraction = text.contains(".") ? Date.ISO8601FormatStyle(includingFractionalSeconds: true) : .iso8601
      return (try? fraction.parse(text)).map(milliseconds)
    }
    return local(text, calendar).map(milliseconds)
  }

  /// In local time, to the second.
  static func text(_ time: Int64) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    return formatter.string(from: Date(timeIntervalSince1970: Double(time) / 1000))
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    Int64((date.timeIntervalSince1970 * 1000).rounded())
  }

  private static func ago(_ text: Substring, _ now: Date) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let last = text.last, let unit = units[last], let number = Int64(text.dropLast()), number >= 0,
      number < 1_000_000
    else { return nil }
    return milliseconds(now) - number * unit * 1000
  }

  private static func today(_ text: String, _ now: Date, _ calendar: Calendar) -> Date? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
      (0...59).contains(minute)
    else { return nil }
    let second = parts.count == 3 ? parts[2] : 0
    guard let second, (0...59).contains(second) else { return nil }
    return calendar.date(bySettingHour: hour, minute: minute, second: second, of: now)
  }

  private static func local(_ text: String, _ calendar: Calendar) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.calendar = calendar
    formatter.timeZone = calendar.timeZone
    formatter.isLenient = false
    for form in ["yyyy-MM-dd", "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss"] {
      formatter.dateFormat = form
      if let date = formatter.date(from: text.replacingOccurrences(of: "T", with: " ")) { return date }
    }
    return nil
  }
}

extension Arguments {
  /// An option that holds a time, UTC milliseconds.
  func time(_ name: String) throws(UsageError) -> Int64? {
    guard let text = value(name) else { return nil }
    guard let time = PointInTime.parse(text) else {
      throw UsageError(message: "--\(name) is a time, such as \(PointInTime.forms); not '\(text)'.")
    }
    return time
  }

  /// `--cloud`, or the device's own storage.
  func store() throws(UsageError) -> RecordStore {
    guard !(has("cloud") && has("device")) else { throw UsageError(message: "Either --cloud or --device.") }
    return has("cloud") ? .cloud : .device
  }
}
