import Foundation

/// How urgent a line of the log is.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  case debug, info, warning, error

  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }
}

/// Writes lines to standard error, or wherever the program sends them.
///
/// Secrets have types that describe themselves as `******`; never interpolate a raw password, code or token.
public struct Log: Sendable {
  /// What takes a line: level, area, message.
  public typealias Sink = @Sendable (LogLevel, String, String) -> Void

  /// The part of the program that speaks, such as "camera" or "signalling".
  public let area: String
  private let minimum: LogLevel
  private let sink: Sink

  public init(_ area: String, minimum: LogLevel = .fromEnvironment, sink: @escaping Sink = Log.standardError)
  {
    self.area = area
    self.minimum = minimum
    self.sink = sink
  }

  public func debug(_ message: @autoclosure () -> String) { write(.debug, message()) }
  public func info(_ message: @autoclosure () -> String) { write(.info, message()) }
  public func warning(_ message: @autoclosure () -> String) { write(.warning, message()) }
  public func error(_ message: @autoclosure () -> String) { write(.error, message()) }

  private func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard level >= minimum else { return }
    sink(level, area, message())
  }

  /// One line a message on standard error; control characters are replaced, so that input cannot forge lines.
  public static let standardError: Sink = { level, area, message in
    let clean = String(message.unicodeScalars.map { $0.isInvisibleControl ? " " : Character($0) })
    let time = Date().formatted(.iso8601.time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    StandardStream.error.write("\(time) \(level) \(area): \(clean)\n")
  }
}

extension Log {
  /// Warnings and errors only, unless `ORIEL_LOG` says otherwise: for programs whose own words are what matters.
  /// Call it before the first line is logged.
  public static func keepQuiet() { setenv("ORIEL_LOG", "\(LogLevel.warning)", 0) }
}

extension LogLevel {
  /// `ORIEL_LOG` = debug, info, warning or error; info when unset.
  public static let fromEnvironment: LogLevel =
    LogLevel.allCases.first { "\($0)" == ProcessInfo.processInfo.environment["ORIEL_LOG"] } ?? .info
}
