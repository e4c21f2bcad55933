import OrielMedia
import OrielModel
import OrielRTC

/// One session with a camera: the peer connection and what it carries.
@RTCActor
final class ViewerConnection {
  /// Unique, chosen here.
  let sessionId = ViewerConnection.randomId()
  var onInput: ((PlayerInput) -> Void)?
  var onCandidate: ((CandidateDescription) -> Void)?
  var onMessage: ((DataChannelPayload) -> Void)?
  var onChannel: ((Bool) -> Void)?
  /// With its RTP timestamp.
  var onUnit: ((AccessUnit, UInt32) -> Void)?
  /// Bytes, RTP timestamp.
  var onSound: (([UInt8], UInt32) -> Void)?
  /// Payload bytes of each media packet.
  var onPacket: ((Int, MediaKind) -> Void)?

  /// Whether the camera has answered before: what follows is about a restart.
  private(set) var isAnswered = false

  private let peer: PeerConnection
  private let video: Transceiver?
  private let audio: Transceiver
  private let channel: DataChannel
  private var depacketizers: [UInt8: VideoDepacketizer] = [:]

  init(iceServers: [ICEServerRecord], relayOnly: Bool, hasVideo: Bool = true) throws {
    peer = try PeerConnection(
      PeerConfiguration(
        iceServers: iceServers.map {
          ICEServer(urls: $0.urls, username: $0.username ?? "", credential: $0.credential ?? "")
        }, relayOnly: relayOnly))
    video =
      hasVideo
      ? peer.addTransceiver(
        .video, direction: .receiveOnly,
        codecs: [.h264(), .h264(profileLevelID: "4d001f"), .h264(profileLevelID: "64001f"), .h265]) : nil
    // Both ways, so that a talk needs no new description; nothing is sent until there is one.
    audio = peer.addTransceiver(.audio, direction: .sendReceive, codecs: [.opus])
    channel = peer.openDataChannel(label: DataChannelMessage.label)
    listen()
  }

  private nonisolated static func randomId() -> String {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<2).map { _ in generator.next() as UInt64 }
    return words.map { String($0, radix: 16) }.joined(separator: "-")
  }

  private func listen() {
    peer.onStateChange = { [weak self] state in
      switch state {
      case .connected: self?.onInput?(.peerConnected)
      case .interrupted: self?.onInput?(.peerInterrupted)
      case .failed(let failure): self?.onInput?(.peerFailed(OrielError(transport: failure)))
      case .closed: self?.onInput?(.peerFailed(OrielError(.connectionLost)))
      case .new, .connecting: break
      }
    }
    peer.onLocalCandidate = { [weak self] candidate, mid, mLine in
      self?.onCandidate?(
        CandidateDescription(candidate: candidate, sdpMid: mid, sdpMLineIndex: mLine))
    }
    video?.receiver.onPacket = { [weak self] packet in self?.takeVideo(packet) }
    audio.receiver.onPacket = { [weak self] packet in
      guard let self else { return }
      onPacket?(packet.payload.count, .audio)
      onSound?([UInt8](packet.payload), packet.timestamp)
    }
    channel.onOpen = { [weak self] in
      self?.onChannel?(true)
      self?.onInput?(.channelOpen)
    }
    channel.onClose = { [weak self] in self?.onChannel?(false) }
    channel.onMessage = { [weak self] in self?.onMessage?($0) }
  }

  func makeOffer(iceRestart: Bool) throws -> String { try peer.createOffer(iceRestart: iceRestart) }

  func accept(_ answer: SessionDescription) throws {
    guard answer.type == "answer", answer.sdp.utf8.count <= 65_536 else {
      throw OrielError(.descriptionMalformed)
    }
    do { try peer.acceptAnswer(answer.sdp) } catch { throw OrielError(anyError: error) }
    guard video == nil || videoCodec != nil else { throw OrielError(.noCommonCodec) }
    isAnswered = true
  }

  /// One that is malformed is passed over: others may work.
  func add(_ candidate: CandidateDescription) {
    guard candidate.candidate.utf8.count <= 1024 else { return }
    try? peer.addRemoteCandidate(candidate.candidate, mid: candidate.sdpMid, mLine: candidate.sdpMLineIndex)
  }

  func send(_ text: String) throws { try channel.send(.text(text)) }

  func requestKeyFrame() { video?.receiver.requestKeyFrame() }

  /// Sends what the microphone says.
  func speak(_ feed: PacketFeed) { audio.sender.attach(feed) }

  /// What the camera sends; nil before the answer.
  var videoCodec: VideoCodec? { video?.codec.flatMap(Self.codec) }
  /// Whether sound is to come.
  var hasSound: Bool { audio.codec != nil && audio.agreedDirection?.receives == true }

  var videoStatistics: ReceiverStatistics { video?.receiver.statistics ?? audioStatistics }
  var audioStatistics: ReceiverStatistics { audio.receiver.statistics }
  var peerStatistics: PeerStatistics { peer.statistics() }

  /// No call back after this.
  func close() {
    onInput = nil
    onCandidate = nil
    onMessage = nil
    onChannel = nil
    onUnit = nil
    onSound = nil
    onPacket = nil
    audio.sender.attach(nil)
    peer.close()
  }

  private func takeVideo(_ packet: ReceivedPacket) {
    onPacket?(packet.payload.count, .video)
    let type = packet.payloadType
    if depacketizers[type] == nil {
      guard let codec = video?.agreedCodecs.first(where: { $0.payloadType == type }).flatMap(Self.codec)
      else {
        return
      }
      // A few payload types at most: those that were agreed on.
      depacketizers[type] = VideoDepacketizer(codec: codec)
    }
    let unit = depacketizers[type]?.push(
      payload: packet.payload, timestamp: packet.timestamp, marker: packet.marker,
      isAfterGap: packet.isAfterGap)
    if let unit, let timestamp = depacketizers[type]?.rtpTimestamp(of: unit) { onUnit?(unit, timestamp) }
  }

  private nonisolated static func codec(_ codec: RTPCodec) -> VideoCodec? {
    if codec.isNamed("H264") { return .h264 }
    return codec.isNamed("H265") ? .h265 : nil
  }
}
