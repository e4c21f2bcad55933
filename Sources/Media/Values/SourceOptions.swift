/// How the media of an RTSP camera travels.
public enum RTSPTransport: Sendable, Equatable {
  /// Inside the RTSP connection; over UDP when the camera does not do that.
  case tcpFirst
  /// Over UDP only.
  case udp
}

/// What to make of a source.
public struct SourceOptions: Sendable, Equatable {
  /// Encode the main stream even when it could be passed on.
  public var forceEncode = false
  /// Pass H.265 on; otherwise it is encoded to H.264, since few browsers show H.265.
  public var allowH265 = false
  /// Bits per second of the main stream when it is encoded, 100,000...20,000,000.
  public var mainBitrate = 2_000_000
  /// The main stream is scaled down to fit into this when it is encoded.
  public var mainSizeLimit = (width: 1920, height: 1080)
  /// Bits per second of the sub stream, 50,000...4,000,000.
  public var subBitrate = 400_000
  /// The sub stream is scaled to fit into this.
  public var subSizeLimit = (width: 640, height: 360)
  /// Time between key frames of what is encoded, 0.5...4 s.
  public var keyFrameInterval = Duration.seconds(2)
  /// The camera's own small stream, which then is the sub stream instead of one encoded here.
  public var subLocation: SourceLocation?
  public var transport = RTSPTransport.tcpFirst
  /// A source that sends no picture for so long has stalled, 1...60 s.
  public var stallLimit = Duration.seconds(6)
  /// Take sound from the source, if it has any.
  public var wantsAudio = true
  /// Give the source's own sound as it came, too, when it is AAC: for a recorder.
  public var keepsOwnAudio = false

  public init() {}

  public static func == (one: SourceOptions, other: SourceOptions) -> Bool {
    one.forceEncode == other.forceEncode && one.allowH265 == other.allowH265
      && one.mainBitrate == other.mainBitrate && one.mainSizeLimit == other.mainSizeLimit
      && one.subBitrate == other.subBitrate && one.subSizeLimit == other.subSizeLimit
      && one.keyFrameInterval == other.keyFrameInterval && one.subLocation == other.subLocation
      && one.transport == other.transport && one.stallLimit == other.stallLimit
      && one.wantsAudio == other.wantsAudio && one.keepsOwnAudio == other.keepsOwnAudio
  }
}
