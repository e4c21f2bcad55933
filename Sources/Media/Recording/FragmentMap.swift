/// Where everything lies in a recording file, without the media itself.
public struct FragmentMap: Sendable, Codable, Equatable {
  /// A piece of the file that can be read by itself.
  public struct Fragment: Sendable, Codable, Equatable {
    /// Milliseconds from the recording's start.
    public var time: Int64
    /// Milliseconds of its pictures; 0 when it has only sound, which then is later than `time`.
    public var duration: Int64
    /// Its moof and mdat boxes in the file.
    public var range: Range<Int64>
    /// Bytes from the start of the range to its first sample.
    public var headSize: Int
    /// Decoding may start here.
    public var startsWithKeyFrame: Bool

    public init(time: Int64, duration: Int64, range: Range<Int64>, headSize: Int, startsWithKeyFrame: Bool) {
      self.time = time
      self.duration = duration
      self.range = range
      self.headSize = headSize
      self.startsWithKeyFrame = startsWithKeyFrame
    }
  }

  public internal(set) var head: RecordingHead
  public internal(set) var tracks: [RecordedTrack]
  /// In the order of time.
  public internal(set) var fragments: [Fragment] = []
  /// ftyp and moov: what a player needs before any fragment (`EXT-X-MAP`, RFC 8216 section 4.3.2.5).
  public internal(set) var headRange: Range<Int64>
  /// Something at the end is no whole fragment: the writing was cut, or is going on.
  public internal(set) var isTorn = false
  /// Bytes up to which the file is whole; what is behind may be cut off.
  public internal(set) var validSize: Int64
  /// The recording was ended, and nothing will be added.
  public internal(set) var isFinished = false

  /// Milliseconds from the start to where the last picture ends.
  public var duration: Int64 { fragments.last.map { $0.time + $0.duration } ?? 0 }
  /// UTC milliseconds.
  public var endTime: Int64 { head.startTime + duration }

  /// The number of the fragment to decode from for the picture at `time`, milliseconds from the start: the last
  /// one that starts with a key frame and is not later. nil when there is none.
  public func keyFragment(at time: Int64) -> Int? {
    var low = 0
    var high = fragments.count
    while low < high {
      let middle = (low + high) / 2
      if fragments[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return fragments[..<low].lastIndex { $0.startsWithKeyFrame }
  }
}
