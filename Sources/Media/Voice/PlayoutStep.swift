/// What the decoder is to do for the next stretch of sound.
public enum PlayoutStep: Sendable, Equatable {
  /// Decode this Opus packet.
  case decode([UInt8])
  /// The packet before this one was lost: decode what this one repeats of it (in-band FEC, RFC 6716 section 2.1.7),
  /// so many samples of 48 kHz. The packet itself comes next.
  case fec([UInt8], samples: Int)
  /// Nothing came: so many samples of concealment.
  case conceal(samples: Int)
  /// Nothing is being said: a little silence, as short as one likes, and ask again.
  case silence
}

/// Counts of a ``PlayoutBuffer`` since its making.
public struct PlayoutStatistics: Sendable, Equatable {
  public init() {}

  public var decoded = 0
  /// Lost, and made from the packet behind.
  public var recovered = 0
  /// Stretches of up to 20 ms that were made up.
  public var concealed = 0
  /// Packets that came after their time.
  public var late = 0
  /// Packets thrown away to catch up, or because they were none.
  public var dropped = 0
}
