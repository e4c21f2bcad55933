/// Receives one stream: puts it in order, asks for what is missing, reports to the sender.
@RTCActor
public final class MediaReceiver {
  public let kind: MediaKind
  /// Called for each packet in order, on the loop, as soon as nothing before it is missing.
  public var onPacket: ((ReceivedPacket) -> Void)?
  public private(set) var statistics = ReceiverStatistics()

  init(kind: MediaKind) { self.kind = kind }

  /// Asks the sender for a key frame (PLI, RFC 4585); more than the path can answer are held back.
  public func requestKeyFrame() {}
}
