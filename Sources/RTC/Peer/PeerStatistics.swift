/// What the transport of a connection has done so far. Media has its own in sender and receiver.
public struct PeerStatistics: Sendable, Equatable {
  public enum PathKind: String, Sendable {
    case host
    case serverReflexive
    case peerReflexive
    case relayed
  }

  public var state = PeerState.new
  /// The selected pair's local and remote end; nil: no pair.
  public var localPath: PathKind?
  public var remotePath: PathKind?
  public var protection: SRTPProfile?
  public var datagramsSent: UInt64 = 0
  public var bytesSent: UInt64 = 0
  public var datagramsReceived: UInt64 = 0
  public var bytesReceived: UInt64 = 0
  /// Completed ICE restarts.
  public var restarts = 0

  public init() {}

  public var isRelayed: Bool { localPath == .relayed || remotePath == .relayed }
}

extension PeerStatistics.PathKind {
  init(_ kind: ICECandidate.Kind) {
    self =
      switch kind {
      case .host: .host
      case .serverReflexive: .serverReflexive
      case .peerReflexive: .peerReflexive
      case .relayed: .relayed
      }
  }
}
