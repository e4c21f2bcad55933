/// How the pictures are encoded.
public enum VideoCodec: String, Sendable, Codable, CaseIterable {
  case h264
  case h265
}

/// Which of a source's two pictures: the full one, or the small one for slow links and mosaics.
public enum MediaStream: Int, Sendable, Codable, CaseIterable {
  case main = 1
  case sub = 2
}

/// One encoded picture with all its slices (ITU-T H.264 section 3.1, "access unit").
public struct AccessUnit: Sendable {
  public var codec: VideoCodec
  /// Whether decoding may start here (an IDR or IRAP picture with its parameter sets in front).
  public var isKeyFrame: Bool
  /// Media time since the source's start; rises strictly within one stream.
  public var timestamp: Duration
  /// When the picture was taken, or reached us, in UTC milliseconds; 0 when nobody knows (a received stream).
  public var captureTime: Int64
  /// NAL units in the byte stream format of H.264 Annex B, each behind a start code.
  public var bytes: [UInt8]

  public init(
    codec: VideoCodec, isKeyFrame: Bool, timestamp: Duration, captureTime: Int64 = 0, bytes: [UInt8]
  ) {
    self.codec = codec
    self.isKeyFrame = isKeyFrame
    self.timestamp = timestamp
    self.captureTime = captureTime
    self.bytes = bytes
  }
}

/// One packet of sound: Opus (RFC 6716) of 20 ms, 48 kHz, mono, as every Oriel camera makes it for viewers, or what
/// ``form`` says.
public struct AudioPacket: Sendable {
  public var form: AudioForm
  /// Media time since the source's start, on the same scale as the pictures.
  public var timestamp: Duration
  public var duration: Duration
  public var bytes: [UInt8]

  public init(
    form: AudioForm = .opus, timestamp: Duration, duration: Duration = .milliseconds(20), bytes: [UInt8]
  ) {
    self.form = form
    self.timestamp = timestamp
    self.duration = duration
    self.bytes = bytes
  }
}
