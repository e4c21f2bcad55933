/// Puts access units together again out of RTP payloads in order; the reverse of ``VideoPacketizer``.
public struct VideoDepacketizer: Sendable {
  public let codec: VideoCodec

  public init(codec: VideoCodec) {
    self.codec = codec
  }

  /// Takes the next payload.
  /// - Parameters:
  ///   - timestamp: the RTP timestamp (90 kHz).
  ///   - marker: the RTP marker bit: the last payload of an access unit.
  ///   - isAfterGap: payloads before this one were lost.
  /// - Returns: an access unit that is whole.
  public mutating func push(
    payload: UnsafeRawBufferPointer, timestamp: UInt32, marker: Bool, isAfterGap: Bool = false
  ) -> AccessUnit? { nil }
}
