import Foundation
import OrielMedia
import OrielModel
import OrielRTC
import Synchronization

@testable import OrielKit

/// A camera behind a link that needs no platform: the test picture, real peer connections, real packets.
@RTCActor
final class TestCamera {
  nonisolated static let serial = "O00000042"

  /// What it says to offers instead of answering them.
  var refusal: ErrorCode?
  private(set) var offers = 0
  private(set) var levels: [VideoLevel] = []
  private var peers: [String: PeerConnection] = [:]
  private var channels: [String: DataChannel] = [:]
  private let video = PacketFeed(kind: .video, clockRate: 90_000, capacity: 1024)
  private let audio = PacketFeed(kind: .audio, clockRate: 48_000, capacity: 256)
  private let source: MediaSource
  private var reader: Task<Void, Never>?
  private var isFlowing = true

  init() {
    var options = SourceOptions()
    options.mainBitrate = 500_000
    options.subSizeLimit = (160, 90)
    source = MediaSource(.test(TestPattern(width: 320, height: 180, frameRate: 30)), options: options)
  }

  func start() {
    source.start()
    let events = source.events
    reader = Task { [weak self] in
      var packetizer = VideoPacketizer(codec: .h264)
      for await event in events {
        switch event {
        case .video(.main, let unit): self?.send(unit, packetizer.packetize(unit))
        case .audio(let packet): self?.send(packet)
        default: break
        }
      }
    }
  }

  func stop() async {
    for peer in peers.values { peer.close() }
    peers = [:]
    reader?.cancel()
    await source.stop()
    await reader?.value
  }

  var sessions: Int { peers.count }

  /// The camera falls silent, or speaks again; its sessions are not told.
  func setFlowing(_ isFlowing: Bool) { self.isFlowing = isFlowing }

  /// Started anew: it knows nothing of its sessions.
  func forget() {
    for peer in peers.values { peer.close() }
    peers = [:]
  }

  private func send(_ unit: AccessUnit, _ batch: PayloadBatch) {
    guard isFlowing, !batch.lengths.isEmpty else { return }
    video.append(
      batch.bytes, payloadLengths: batch.lengths, timestamp: ticks(unit.timestamp, 90_000),
      startsGroup: unit.isKeyFrame)
  }

  private func send(_ packet: AudioPacket) {
    guard isFlowing else { return }
    audio.append(
      packet.bytes, payloadLengths: [packet.bytes.count], timestamp: ticks(packet.timestamp, 48_000),
      startsGroup: true)
  }

  private nonisolated func ticks(_ time: Duration, _ rate: Double) -> UInt32 {
    UInt32(truncatingIfNeeded: Int64(time / .seconds(1) * rate))
  }

  /// Answers a message of a viewer.
  func hear(_ message: SignalMessage, reply: @escaping @Sendable (SignalMessage) -> Void) {
    switch message.action {
    case .offer:
      offers += 1
      if let refusal { return status(refusal, message, reply) }
      do { try answer(message, reply) } catch { status(.descriptionMalformed, message, reply) }
    case .candidate:
      guard let candidate = try? message.payload(CandidateDescription.self) else { return }
      try? peers[message.sessionId]?.addRemoteCandidate(
        candidate.candidate, mid: candidate.sdpMid, mLine: candidate.sdpMLineIndex)
    case .sessionEnd:
      peers.removeValue(forKey: message.sessionId)?.close()
      channels[message.sessionId] = nil
    default: break
    }
  }

  private func status(_ code: ErrorCode, _ message: SignalMessage, _ reply: (SignalMessage) -> Void) {
    var answer = SignalMessage(.status, session: message.sessionId, to: "viewer")
    answer.errorCode = code.rawValue
    reply(answer)
  }

  private func answer(_ message: SignalMessage, _ reply: @escaping @Sendable (SignalMessage) -> Void) throws {
    let session = message.sessionId
    let peer = try peers[session] ?? make(session, reply)
    try peer.acceptOffer(message.payload(SessionDescription.self).sdp)
    for transceiver in peer.transceivers {
      transceiver.direction = .sendOnly
      transceiver.sender.attach(transceiver.kind == .video ? video : audio)
    }
    var answer = SignalMessage(.answer, session: session, to: "viewer")
    try answer.setPayload(SessionDescription(type: "answer", sdp: try peer.createAnswer()))
    reply(answer)
  }

  private func make(_ session: String, _ reply: @escaping @Sendable (SignalMessage) -> Void) throws
    -> PeerConnection
  {
    let peer = try PeerConnection()
    peers[session] = peer
    peer.onLocalCandidate = { line, mid, index in
      var message = SignalMessage(.candidate, session: session, to: "viewer")
      try? message.setPayload(CandidateDescription(candidate: line, sdpMid: mid, sdpMLineIndex: index))
      reply(message)
    }
    peer.onDataChannel = { [weak self] channel in
      self?.channels[session] = channel
      channel.onMessage = { [weak self, weak channel] payload in
        guard case .text(let text) = payload, let message = DataChannelMessage(Array(text.utf8)),
          let level = message.videoLevel
        else { return }
        self?.levels.append(level)
        let answer = DataChannelMessage(type: .videoLevelChanged, videoLevel: level)
        if let text = answer.text { try? channel?.send(.text(text)) }
      }
    }
    return peer
  }

  /// Says that its source gives no picture, or does again.
  func tellSource(_ code: Int) {
    let message = DataChannelMessage(type: .sourceState, errorCode: code)
    guard let text = message.text else { return }
    for channel in channels.values { try? channel.send(.text(text)) }
  }
}

/// Links that lead to one camera.
final class CameraConnector: LinkConnector {
  let camera: TestCamera
  private let incoming = Mutex<AsyncThrowingStream<LinkMessage, any Error>.Continuation?>(nil)

  init() async { camera = await TestCamera() }

  func connect() async throws -> OpenLink {
    let (messages, continuation) = AsyncThrowingStream<LinkMessage, any Error>.makeStream()
    incoming.withLock { $0 = continuation }
    let camera = camera
    return OpenLink(
      welcome: Welcome(time: 0, clientId: "viewer", iceServers: []),
      send: { message in
        guard case .signal(let signal) = message else { return }
        await camera.hear(signal) { continuation.yield(.signal($0)) }
      }, messages: messages, close: { continuation.finish() })
  }

  /// What the platform says of the device.
  func tell(_ kind: DeviceEvent.Kind) throws {
    let event = DeviceEvent(kind: kind, serial: try DeviceSerial(TestCamera.serial), time: 0)
    incoming.withLock { $0 }?.yield(.event(event))
  }
}
