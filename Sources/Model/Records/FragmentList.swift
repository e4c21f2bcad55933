/// Which bytes of a recording file hold which moment: enough to make a playlist of it without reading it.
///
/// A fragment is coded as `[offset, size, time, duration, key]`, so that a minute's list has a few kilobytes.
public struct FragmentList: Sendable, Codable, Equatable {
  public struct Fragment: Sendable, Equatable {
    /// Bytes from the start of the file.
    public var offset: Int64
    /// Bytes.
    public var size: Int64
    /// Milliseconds from the file's start time.
    public var time: Int64
    /// Milliseconds.
    public var duration: Int64
    /// Whether a decoder can begin here.
    public var startsWithKeyFrame: Bool

    public init(offset: Int64, size: Int64, time: Int64, duration: Int64, startsWithKeyFrame: Bool) {
      self.offset = offset
      self.size = size
      self.time = time
      self.duration = duration
      self.startsWithKeyFrame = startsWithKeyFrame
    }
  }

  /// The most fragments of one file: an hour of half seconds.
  public static let limit = 7_200

  /// Bytes before the first fragment that a player needs first (`ftyp` and `moov`).
  public var headSize: Int64
  /// RFC 6381, such as "avc1.64001f,opus"; nil when not known.
  public var codecs: String?
  /// In the order of the file, which is that of time.
  public var fragments: [Fragment]

  public init(headSize: Int64, codecs: String? = nil, fragments: [Fragment]) {
    self.headSize = headSize
    self.codecs = codecs
    self.fragments = fragments
  }

  /// Whether it can be of a file of `size` bytes and `duration` milliseconds: in order, without overlap, in the file.
  public func isSound(size: Int64, duration: Int64) -> Bool {
    guard headSize > 0, headSize < size, (1...Self.limit).contains(fragments.count) else { return false }
    var (end, time) = (headSize, Int64(0))
    for fragment in fragments {
      guard fragment.offset >= end, fragment.size > 0, fragment.size <= size - fragment.offset,
        fragment.time >= time, fragment.duration >= 0, fragment.duration <= duration,
        fragment.time <= duration
      else { return false }
      (end, time) = (fragment.offset + fragment.size, fragment.time)
    }
    return true
  }
}

extension FragmentList.Fragment: Codable {
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    offset = try values.decode(Int64.self)
    size = try values.decode(Int64.self)
    time = try values.decode(Int64.self)
    duration = try values.decode(Int64.self)
    startsWithKeyFrame = try values.decode(Int.self) != 0
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    for value in [offset, size, time, duration, startsWithKeyFrame ? 1 : 0] { try values.encode(value) }
  }
}
