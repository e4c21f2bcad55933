import Foundation
import OrielModel
import OrielRTC

/// The peer connection of a session: sends one picture and one sound stream, answers offers.
@RTCActor
final class RTCViewerPeer: ViewerPeer {
  var onEvent: ((ViewerPeerEvent) -> Void)?
  private(set) var bandwidthEstimate = 0

  private let connection: PeerConnection
  private let video: Transceiver
  private let audio: Transceiver
  private var channel: DataChannel?

  /// Bytes of a message on the data channel.
  static let messageLimit = 4096

  init(_ options: ViewerPeerOptions) throws(OrielError) {
    do throws(RTCFailure) {
      connection = try PeerConnection(
        PeerConfiguration(
          iceServers: options.iceServers.map {
            ICEServer(urls: $0.urls, username: $0.username ?? "", credential: $0.credential ?? "")
          }, relayOnly: options.relayOnly))
    } catch { throw OrielError(error.errorCode) }
    video = connection.addTransceiver(.video, direction: .sendOnly, codecs: Self.videoCodecs(options))
    audio = connection.addTransceiver(
      .audio, direction: options.hasTalk ? .sendReceive : .sendOnly, codecs: [.opus])
    connection.onStateChange = { [weak self] in self?.stateChanged($0) }
    connection.onLocalCandidate = { [weak self] line, mid, index in
      self?.onEvent?(
        .localCandidate(CandidateDescription(candidate: line, sdpMid: mid, sdpMLineIndex: index)))
    }
    connection.onDataChannel = { [weak self] in self?.take($0) }
    video.sender.onKeyFrameRequest = { [weak self] in self?.onEvent?(.keyFrameRequest) }
    video.sender.onBandwidthEstimate = { [weak self] in self?.bandwidthEstimate = $0 }
    guard options.hasTalk else { return }
    audio.receiver.onPacket = { [weak self] packet in
      self?.onEvent?(.voice([UInt8](packet.payload), packet.timestamp))
    }
  }

  /// The form the camera sends first, then the other H.264 profiles: a decoder of a higher one takes a lower one,
  /// and most take a higher one whatever they offer.
  private static func videoCodecs(_ options: ViewerPeerOptions) -> [RTPCodec] {
    if options.isH265 { return [.h265] }
    let profiles = ["42e01f", "4d001f", "64001f"]
    let own = options.profileLevel.map { $0.lowercased().prefix(2) } ?? "42"
    return (profiles.filter { $0.hasPrefix(own) } + profiles.filter { !$0.hasPrefix(own) })
      .map { RTPCodec.h264(profileLevelID: $0) }
  }

  func answer(_ offer: String) throws(OrielError) -> String {
    let answer: String
    do throws(RTCFailure) {
      try connection.acceptOffer(offer)
      for other in connection.transceivers where other !== video && other !== audio {
        other.direction = .inactive
      }
      answer = try connection.createAnswer()
    } catch { throw OrielError(error.errorCode) }
    guard !video.agreedCodecs.isEmpty || (video.mid == nil && !audio.agreedCodecs.isEmpty) else {
      throw OrielError(.noCommonCodec)
    }
    return answer
  }

  func add(_ candidate: CandidateDescription) {
    try? connection.addRemoteCandidate(
      candidate.candidate, mid: candidate.sdpMid, mLine: candidate.sdpMLineIndex)
  }

  func show(_ feed: PacketFeed) { video.sender.attach(feed) }

  func play(_ feed: PacketFeed) { audio.sender.attach(feed) }

  func send(_ message: DataChannelMessage) { send(json: message) }

  func send(_ message: PlaybackMessage) { send(json: message) }

  func send(_ message: TalkMessage) { send(json: message) }

  func send(_ reading: SensorReading) { send(json: reading) }

  func send(_ bytes: [UInt8]) -> Bool {
    guard let channel, channel.state == .open else { return false }
    do { try channel.send(.binary(bytes)) } catch { return false }
    return true
  }

  var channelBacklog: Int { channel?.bufferedBytes ?? 0 }

  var backlog: Duration {
    let rate = max(bandwidthEstimate, 500_000)
    return .microseconds(Int64(video.sender.pendingBytes) * 8_000_000 / Int64(rate))
  }

  func discardUnsent() { video.sender.discardPending() }

  var videoTimestampOffset: UInt32 { video.sender.timestampOffset }

  private func send(json message: some Encodable) {
    guard let channel, let data = try? JSONEncoder().encode(message) else { return }
    try? channel.send(.text(String(decoding: data, as: UTF8.self)))
  }

  func close() {
    onEvent = nil
    channel?.onMessage = nil
    channel?.onOpen = nil
    channel = nil
    audio.receiver.onPacket = nil
    video.sender.onKeyFrameRequest = nil
    video.sender.onBandwidthEstimate = nil
    video.sender.attach(nil)
    audio.sender.attach(nil)
    connection.close()
  }

  private func stateChanged(_ state: PeerState) {
    switch state {
    case .new, .connecting: break
    case .connected: onEvent?(.connected)
    case .interrupted: onEvent?(.interrupted)
    case .failed(.closedByPeer), .closed: onEvent?(.closedByPeer)
    case .failed(let failure): onEvent?(.failed(failure.errorCode, isPath: failure.isPath))
    }
  }

  private func take(_ channel: DataChannel) {
    guard channel.label == DataChannelMessage.label, self.channel == nil else { return channel.close() }
    self.channel = channel
    channel.onMessage = { [weak self] in self?.take($0) }
    if channel.state == .open {
      onEvent?(.channelOpen)
    } else {
      channel.onOpen = { [weak self] in self?.onEvent?(.channelOpen) }
    }
  }

  private func take(_ payload: DataChannelPayload) {
    let data =
      switch payload {
      case .text(let text): Data(text.utf8)
      case .binary(let bytes): Data(bytes)
      }
    guard data.count <= Self.messageLimit else { return }
    if let message = try? JSONDecoder().decode(DataChannelMessage.self, from: data) {
      onEvent?(.message(message))
    } else if let message = try? JSONDecoder().decode(PlaybackMessage.self, from: data),
      message.type == PlaybackMessage.type
    {
      onEvent?(.playback(message))
    } else if let message = try? JSONDecoder().decode(TalkMessage.self, from: data),
      message.type == TalkMessage.type
    {
      onEvent?(.talk(message))
    }
  }
}
