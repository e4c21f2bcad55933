/// How much recordings may take. Whichever limit is reached first counts; the oldest go first, locked ones never.
public struct RecordingLimits: Sendable, Equatable {
  /// Bytes of all recordings together, the one being written included; 64 MB or more.
  public var bytes: Int64
  /// How long a recording is kept.
  public var age: Duration

  public static let smallest: Int64 = 64_000_000

  public init(bytes: Int64 = 20_000_000_000, age: Duration = .seconds(30 * 86_400)) {
    self.bytes = max(bytes, Self.smallest)
    self.age = max(age, .seconds(60))
  }
}
