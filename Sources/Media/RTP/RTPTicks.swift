extension Duration {
  /// In ticks of a media clock; wraps as RTP timestamps do (RFC 3550 section 5.1).
  public func ticks(clockRate: Int64) -> UInt32 {
    let (seconds, attoseconds) = components
    let fraction = attoseconds / 1_000_000_000 * clockRate / 1_000_000_000
    return UInt32(truncatingIfNeeded: seconds &* clockRate &+ fraction)
  }
}
