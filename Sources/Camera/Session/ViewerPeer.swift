import OrielModel
import OrielRTC

/// What a session needs of its peer connection.
@RTCActor
protocol ViewerPeer: AnyObject {
  var onEvent: ((ViewerPeerEvent) -> Void)? { get set }
  /// What the path is thought to carry, bit/s; 0 while unknown.
  var bandwidthEstimate: Int { get }
  /// Takes an offer, the first or a later one, and answers it. Candidates follow as events.
  func answer(_ offer: String) throws(OrielError) -> String
  /// A malformed candidate is passed over: others may work.
  func add(_ candidate: CandidateDescription)
  func show(_ feed: PacketFeed)
  func play(_ feed: PacketFeed)
  /// On the data channel, if the viewer has opened it.
  func send(_ message: DataChannelMessage)
  func send(_ message: PlaybackMessage)
  func send(_ message: TalkMessage)
  func send(_ reading: SensorReading)
  /// Bytes on the data channel, at most `DataChannel.maximumMessage`.
  /// - Returns: false when they cannot be sent any more.
  func send(_ bytes: [UInt8]) -> Bool
  /// Bytes that wait on the data channel.
  var channelBacklog: Int { get }
  /// Media of the picture feed that waits to leave, as time at the path's rate.
  var backlog: Duration { get }
  /// Forgets it: the feed's next group goes out first.
  func discardUnsent()
  /// What is added to the picture feed's timestamps on the way to the viewer.
  var videoTimestampOffset: UInt32 { get }
  /// No event after this.
  func close()
}

/// What a peer connection reports.
enum ViewerPeerEvent: Sendable, Equatable {
  case connected
  case interrupted
  case failed(ErrorCode, isPath: Bool)
  case closedByPeer
  case localCandidate(CandidateDescription)
  case channelOpen
  case message(DataChannelMessage)
  case playback(PlaybackMessage)
  case talk(TalkMessage)
  /// An Opus packet of the viewer's microphone, with its RTP timestamp.
  case voice([UInt8], UInt32)
  case keyFrameRequest
}

/// Makes the peer of a session.
typealias ViewerPeerFactory = @RTCActor (ViewerPeerOptions) throws(OrielError) -> any ViewerPeer

/// What a peer connection is made with.
struct ViewerPeerOptions: Sendable {
  var iceServers: [ICEServerRecord]
  var relayOnly: Bool
  /// Profile and level of the main stream, six hexadecimal digits; nil while unknown.
  var profileLevel: String?
  var isH265: Bool
  /// Sound is taken, too.
  var hasTalk = false
}
