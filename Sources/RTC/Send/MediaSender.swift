/// Sends one stream to one viewer: its copy of the packets of a feed, each only protected and sent.
@RTCActor
public final class MediaSender {
  public let kind: MediaKind
  /// The viewer lost the picture (PLI or FIR): the encoder should make a key frame soon.
  public var onKeyFrameRequest: (() -> Void)?
  /// What the path to the viewer is thought to carry, bit/s; called when it has changed by a tenth.
  public var onBandwidthEstimate: ((Int) -> Void)?
  public private(set) var statistics = SenderStatistics()

  init(kind: MediaKind) { self.kind = kind }

  /// Sends this feed from now on; nil: nothing. May be called before the connection is up.
  ///
  /// The first feed begins at its latest group start at once, time-stamped just before the live picture.
  /// A later feed takes over at its next group start, or at its kept one when that is short.
  public func attach(_ feed: PacketFeed?) {}
}
