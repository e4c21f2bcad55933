/// One recording, as a playback sees it: where in time its fragments lie.
public struct PlaybackStretch: Sendable, Equatable {
  /// A piece that is read whole; a group of pictures is one or several.
  public struct Fragment: Sendable, Equatable {
    /// UTC milliseconds: its first picture, and where its last one ends.
    public var time: Int64
    public var endTime: Int64
    public var startsWithKeyFrame: Bool
    /// Bytes.
    public var size: Int64

    public init(time: Int64, endTime: Int64, startsWithKeyFrame: Bool, size: Int64) {
      self.time = time
      self.endTime = endTime
      self.startsWithKeyFrame = startsWithKeyFrame
      self.size = size
    }
  }

  public var id: String
  public var stream: MediaStream
  public var codec: VideoCodec
  /// In the order of time, at least one.
  public var fragments: [Fragment]
  /// More is being written.
  public var isGrowing: Bool

  public init(
    id: String, stream: MediaStream = .main, codec: VideoCodec, fragments: [Fragment], isGrowing: Bool = false
  ) {
    self.id = id
    self.stream = stream
    self.codec = codec
    self.fragments = fragments
    self.isGrowing = isGrowing
  }

  /// UTC milliseconds; 0 without fragments.
  public var startTime: Int64 { fragments.first?.time ?? 0 }
  public var endTime: Int64 { fragments.last?.endTime ?? 0 }

  /// Bits a second, on the average.
  public var bitRate: Int {
    let length = max(endTime - startTime, 1)
    return Int(fragments.reduce(0) { $0 + $1.size } * 8_000 / length)
  }

  func covers(_ time: Int64) -> Bool { !fragments.isEmpty && startTime <= time && time < endTime }

  /// The fragment that a time falls into, or the last one before it, or the first.
  func index(of time: Int64) -> Int {
    var low = 0
    var high = fragments.count
    while low < high {
      let middle = (low + high) / 2
      if fragments[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}

/// A recorded picture or sound with the time it was taken, UTC milliseconds.
public enum PlaybackSample: Sendable {
  case video(AccessUnit, time: Int64)
  case audio(AudioPacket, time: Int64)

  public var time: Int64 {
    switch self {
    case .video(_, let time), .audio(_, let time): time
    }
  }

  var unit: AccessUnit? { if case .video(let unit, _) = self { unit } else { nil } }
}

/// Why a playback cannot go on.
public enum PlaybackFailure: Error, Sendable, Equatable {
  /// There is nothing in its range.
  case nothingRecorded
  /// What there is cannot be read.
  case unreadable
  /// The viewer cannot decode what was recorded.
  case codec(VideoCodec)
  /// A time outside the range.
  case outside
  /// A speed that there is not.
  case rate
  /// The archive's own number.
  case number(Int)
}
