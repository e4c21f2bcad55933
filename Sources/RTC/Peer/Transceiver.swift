/// One media section of a connection: a sender and a receiver of one kind.
@RTCActor
public final class Transceiver {
  public nonisolated let kind: MediaKind
  /// The section's name; nil until a description gives it one.
  public internal(set) var mid: String?
  /// What this side is willing to do; counts from the next description on.
  public var direction: MediaDirection
  /// The codecs of this side, the preferred one first; count from the next description on.
  public var codecs: [RTPCodec]
  /// Streams of the same name are shown in step by the peer (RFC 8830).
  public var streamName = "oriel"
  /// What both sides have agreed on; nil before.
  public internal(set) var agreedDirection: MediaDirection?
  /// The codecs that both sides have, the preferred one first.
  public internal(set) var agreedCodecs: [RTPCodec] = []
  /// The codec to send with.
  public var codec: RTPCodec? { agreedCodecs.first }
  public let sender: MediaSender
  public let receiver: MediaReceiver

  /// The source under which this side sends and reports; never 0.
  let localSource = UInt32.random(in: 1...UInt32.max)
  /// What the last own offer said, with payload types.
  var offeredCodecs: [RTPCodec] = []
  var agreedExtensions = HeaderExtensionNumbers()
  var remoteSources: [UInt32] = []

  init(kind: MediaKind, direction: MediaDirection, codecs: [RTPCodec]) {
    self.kind = kind
    self.direction = direction
    self.codecs = codecs
    sender = MediaSender(kind: kind)
    receiver = MediaReceiver(kind: kind)
  }

  /// All that this library carries, for a section that the peer asked for.
  public static nonisolated func defaultCodecs(_ kind: MediaKind) -> [RTPCodec] {
    switch kind {
    case .audio: [.opus]
    case .video: [.h264(), .h264(profileLevelID: "4d001f"), .h264(profileLevelID: "64001f"), .h265]
    }
  }
}
