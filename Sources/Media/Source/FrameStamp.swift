/// What the test source paints into each picture before it is encoded, for measuring.
public struct FrameStamp: Sendable, Equatable {
  /// Counts pictures from 0.
  public var counter: UInt32
  /// When it was painted: the lower 32 bits of the UTC time in milliseconds.
  public var paintedAt: UInt32

  public init(counter: UInt32, paintedAt: UInt32) {
    self.counter = counter
    self.paintedAt = paintedAt
  }

  /// Reads the stamp out of a decoded picture of any size; nil when it is not whole.
  public static func read(from frame: VideoFrame) -> FrameStamp? { nil }
}
