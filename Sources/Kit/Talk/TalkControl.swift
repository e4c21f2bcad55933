import Foundation
import OrielMedia
import OrielModel
import OrielRTC

/// Drives `TalkState`: microphone and loudspeaker of this side, and what goes to the camera.
@RTCActor
final class TalkControl {
  /// A text for the data channel.
  var send: ((String) -> Void)?
  var emit: ((PlayerEvent) -> Void)?
  /// Microphone and loudspeaker are open.
  var onOpened: (() -> Void)?
  /// What the microphone says, as packets: attached to each session's sender.
  private(set) lazy var feed = PacketFeed(kind: .audio, clockRate: 48_000, capacity: 256)

  private var state = TalkState()
  private var endpoint: (any VoiceEndpoint)?
  private var input = VoiceInput.none
  /// Counts openings, so that one that was given up is closed when it comes.
  private var opening = 0
  /// What opens and closes devices, one after the other.
  private var work: Task<Void, Never>?
  private var reader: Task<Void, Never>?
  private var timer: LoopTimer?
  private var farewell: LoopTimer?
  private let open: MediaOutputs.VoiceOpener

  /// From the end of a file to the end of the talk.
  static let farewellTime = Duration.milliseconds(500)

  nonisolated init(outputs: MediaOutputs) { open = outputs.voice }

  var isOn: Bool { state.phase != .idle }

  func start(from input: VoiceInput) {
    guard !isOn else { return }
    self.input = input
    handle(.start)
  }

  func stop() { handle(.stop) }
  func press(_ isPressed: Bool) { handle(.press(isPressed)) }
  func channelChanged(isOpen: Bool) { handle(.channel(isOpen: isOpen)) }
  func sessionOver(_ error: OrielError?) { handle(.sessionOver(error)) }

  /// - Returns: whether the message was about talk.
  func hear(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= 4096,
      let message = try? JSONDecoder().decode(TalkMessage.self, from: Data(bytes)),
      message.type == TalkMessage.type
    else { return false }
    handle(.heard(message))
    return true
  }

  /// - Returns: false while there is no talk: then the sound is somebody else's to play.
  func play(_ packet: [UInt8], _ timestamp: UInt32) -> Bool {
    guard let endpoint else { return false }
    endpoint.play(packet, timestamp: timestamp)
    return true
  }

  /// Returns when the devices are given back.
  func finished() async { await work?.value }

  private func handle(_ input: TalkState.Input) {
    for action in state.handle(input) { perform(action) }
  }

  private func perform(_ action: TalkState.Action) {
    switch action {
    case .open: openEndpoint()
    case .close: closeEndpoint()
    case .send(let action):
      guard let data = try? JSONEncoder().encode(TalkMessage(action)) else { return }
      send?(String(decoding: data, as: UTF8.self))
    case .arm(let delay):
      timer = timer ?? LoopTimer { [weak self] in self?.handle(.timer) }
      timer?.arm(after: delay)
    case .disarm: timer = nil
    case .speak(let isOn): endpoint?.setSpeaking(isOn)
    case .listen(let isOn): endpoint?.setPlaying(isOn)
    case .emit(let event): emit?(event)
    }
  }

  private func openEndpoint() {
    opening += 1
    let (number, open, input, before) = (opening, open, input, work)
    let (packets, continuation) = AsyncStream.makeStream(
      of: AudioPacket.self, bufferingPolicy: .bufferingNewest(50))
    reader = Task { @RTCActor [feed] in
      for await packet in packets {
        feed.append(
          packet.bytes, payloadLengths: [packet.bytes.count],
          timestamp: packet.timestamp.ticks(clockRate: 48_000), startsGroup: true)
      }
    }
    let ended: @Sendable (OrielError?) -> Void = { [weak self] error in
      Task { @RTCActor in self?.inputEnded(error, number) }
    }
    work = Task.detached { [weak self] in
      await before?.value
      let opened = Result { try open(input, { continuation.yield($0) }, ended) }
      guard let self else {
        if case .success(let endpoint) = opened { endpoint.close() }
        return
      }
      await self.take(opened, number)
    }
  }

  private func take(_ opened: Result<any VoiceEndpoint, any Error>, _ number: Int) {
    switch opened {
    case .success(let endpoint):
      guard number == opening, state.phase == .opening else { return close(endpoint) }
      self.endpoint = endpoint
      onOpened?()
      handle(.opened(nil))
    case .failure(let error):
      guard number == opening else { return }
      handle(.opened(OrielError(anyError: error, other: .microphoneUnavailable)))
    }
  }

  private func inputEnded(_ error: OrielError?, _ number: Int) {
    guard number == opening else { return }
    if let error { return handle(.inputEnded(error)) }
    // What was said last is still on its way.
    farewell = RTCActor.schedule(after: Self.farewellTime) { [weak self] in
      if let self, number == self.opening { handle(.inputEnded(nil)) }
    }
  }

  private func closeEndpoint() {
    opening += 1
    farewell = nil
    reader?.cancel()
    reader = nil
    guard let endpoint else { return }
    self.endpoint = nil
    close(endpoint)
  }

  private func close(_ endpoint: any VoiceEndpoint) {
    let before = work
    work = Task.detached {
      await before?.value
      endpoint.close()
    }
  }
}
