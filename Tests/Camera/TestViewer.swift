import Foundation
import OrielMedia
import OrielModel
import OrielRTC
import Testing

/// A viewer with a real peer connection that decodes what it receives.
@RTCActor
final class TestViewer {
  let name: String
  let session: String
  private(set) var connection: PeerConnection
  private(set) var states: [PeerState] = []
  /// Sizes of decoded pictures, in order, without repetition.
  private(set) var sizes: [Int] = []
  private(set) var pictures = 0
  private(set) var stamps: [FrameStamp] = []
  private(set) var audioPackets = 0
  private(set) var gaps = 0
  private(set) var messages: [DataChannelMessage] = []
  private(set) var statuses: [Int] = []
  private(set) var ends: [Int] = []
  private(set) var firstPicture: ContinuousClock.Instant?
  private let platform: TestPlatform
  private let video: Transceiver
  private let audio: Transceiver
  private let channel: DataChannel
  private let decoder: VideoDecoder
  private var depacketizer = VideoDepacketizer(codec: .h264)
  private var reading: [Task<Void, Never>] = []
  private var changes: [UUID: AsyncStream<Void>.Continuation] = [:]
  private var isAnswered = false
  private var early: [CandidateDescription] = []

  init(_ name: String = UUID().uuidString, platform: TestPlatform, codecs: [RTPCodec] = []) throws {
    self.name = name
    self.platform = platform
    session = UUID().uuidString
    connection = try PeerConnection()
    video = connection.addTransceiver(.video, direction: .receiveOnly, codecs: codecs)
    audio = connection.addTransceiver(.audio, direction: .receiveOnly)
    channel = connection.openDataChannel(label: DataChannelMessage.label)
    decoder = try VideoDecoder(codec: .h264)
    video.receiver.onPacket = { [weak self] in self?.take($0) }
    audio.receiver.onPacket = { [weak self] _ in self?.audioPackets += 1 }
    connection.onStateChange = { [weak self] in
      self?.states.append($0)
      self?.changed()
    }
    channel.onMessage = { [weak self] payload in
      guard case .text(let text) = payload,
        let message = try? JSONDecoder().decode(DataChannelMessage.self, from: Data(text.utf8))
      else { return }
      self?.messages.append(message)
      self?.changed()
    }
  }

  /// Offers and follows the answers.
  func start(camera: Int? = nil, level: VideoLevel? = nil, sdp: String? = nil) async throws {
    let signals = await platform.route(name)
    reading = [
      Task { @RTCActor [weak self] in
        for await signal in signals { self?.take(signal) }
      },
      Task { @RTCActor [weak self, decoder] in
        for await frame in decoder.frames { self?.take(frame) }
      },
    ]
    try await offer(camera: camera, level: level, sdp: sdp)
  }

  func offer(camera: Int? = nil, level: VideoLevel? = nil, sdp: String? = nil, restart: Bool = false)
    async throws
  {
    isAnswered = false
    var message = SignalMessage(.offer, session: session, to: "device")
    message.cameraNo = camera
    message.videoLevel = level
    let (candidates, found) = AsyncStream.makeStream(of: CandidateDescription.self)
    connection.onLocalCandidate = { line, mid, index in
      found.yield(CandidateDescription(candidate: line, sdpMid: mid, sdpMLineIndex: index))
    }
    let own = try connection.createOffer(iceRestart: restart)
    try message.setPayload(SessionDescription(type: "offer", sdp: sdp ?? own))
    await platform.signal(message, from: name)
    reading.append(
      Task { [platform, session, name] in
        for await candidate in candidates {
          var message = SignalMessage(.candidate, session: session, to: "device")
          guard (try? message.setPayload(candidate)) != nil else { continue }
          await platform.signal(message, from: name)
        }
      })
  }

  func send(_ message: DataChannelMessage) throws {
    try channel.send(.text(String(decoding: JSONEncoder().encode(message), as: UTF8.self)))
  }

  /// Leaves without a word.
  func vanish() {
    for task in reading { task.cancel() }
    connection.onStateChange = nil
    connection.close()
    decoder.close()
  }

  func hangUp() async {
    await platform.signal(SignalMessage(.sessionEnd, session: session, to: "device"), from: name)
    vanish()
  }

  var statistics: ReceiverStatistics { video.receiver.statistics }

  private func take(_ signal: SignalMessage) {
    guard signal.sessionId == session else { return }
    switch signal.action {
    case .answer:
      guard let answer = try? signal.payload(SessionDescription.self) else { return }
      do { try connection.acceptAnswer(answer.sdp) } catch { Issue.record("the answer is refused: \(error)") }
      isAnswered = true
    case .candidate:
      guard let candidate = try? signal.payload(CandidateDescription.self) else { return }
      #expect(isAnswered, "a candidate before the answer")
      try? connection.addRemoteCandidate(
        candidate.candidate, mid: candidate.sdpMid, mLine: candidate.sdpMLineIndex)
    case .status: statuses.append(signal.errorCode ?? -1)
    case .sessionEnd: ends.append(signal.errorCode ?? -1)
    default: break
    }
    changed()
  }

  private func take(_ packet: ReceivedPacket) {
    if packet.isAfterGap { gaps += 1 }
    if let unit = depacketizer.push(
      payload: packet.payload, timestamp: packet.timestamp, marker: packet.marker,
      isAfterGap: packet.isAfterGap)
    {
      decoder.decode(unit)
    }
  }

  private func take(_ frame: VideoFrame) {
    pictures += 1
    if firstPicture == nil { firstPicture = .now }
    if sizes.last != frame.width { sizes.append(frame.width) }
    if let stamp = FrameStamp.read(from: frame) { stamps.append(stamp) }
    changed()
  }

  private func changed() {
    for change in changes.values { change.yield() }
  }

  /// Waits until the condition holds, or fails.
  func wait(
    _ what: Comment, within limit: Duration = .seconds(20),
    location: Testing.SourceLocation = #_sourceLocation,
    until condition: @RTCActor (TestViewer) -> Bool
  ) async {
    let id = UUID()
    let (stream, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    changes[id] = change
    let timer = Task {
      try? await Task.sleep(for: limit)
      change.finish()
    }
    change.yield()
    var holds = false
    for await _ in stream where condition(self) {
      holds = true
      break
    }
    timer.cancel()
    changes[id] = nil
    #expect(holds, what, sourceLocation: location)
  }
}
