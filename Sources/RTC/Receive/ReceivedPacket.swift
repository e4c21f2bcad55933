/// One RTP packet, in order. The payload is valid during the call that hands it over only.
public struct ReceivedPacket {
  public let payload: UnsafeRawBufferPointer
  /// In ticks of the codec's clock; wraps.
  public let timestamp: UInt32
  public let marker: Bool
  /// Packets before this one are lost for good.
  public let isAfterGap: Bool
  /// Selects the codec when several were agreed on.
  public let payloadType: UInt8
}
