/// The definition of a live view (EZVideoLevelType of the first manual).
public enum VideoLevel: Int, Sendable, Codable, CaseIterable {
  /// Fluent: the sub stream.
  case low = 0
  /// Balanced: the sub stream where the camera has no third one.
  case middle = 1
  /// HD: the main stream.
  case high = 2
  /// Super HD: the main stream where the camera has no better one.
  case superHigh = 3

  /// Which of the camera's two streams serves this level.
  public var stream: StreamKind { self >= .high ? .main : .sub }
}

extension VideoLevel: Comparable {
  public static func < (one: VideoLevel, other: VideoLevel) -> Bool { one.rawValue < other.rawValue }
}

/// Which encoded stream of a camera: 1 main, 2 sub, as in EZVideoQualityInfo.streamType.
public enum StreamKind: Int, Sendable, Codable, CaseIterable {
  case main = 1
  case sub = 2
}
