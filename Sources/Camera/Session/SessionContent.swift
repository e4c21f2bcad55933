import OrielModel
import OrielRTC

/// What a session shows: a camera live, or what it has recorded.
@RTCActor
protocol SessionContent: AnyObject {
  /// What the peer connection is made with; nil until `prepare` has found out.
  var options: ViewerPeerOptions? { get }
  /// - Throws: the number of why there is nothing to show.
  func prepare() async throws(OrielError)
  /// The peer connection is made; what it reports follows.
  func start(on peer: any ViewerPeer)
  func take(_ event: ViewerPeerEvent)
  /// Nothing is sent after this.
  func stop()
}
