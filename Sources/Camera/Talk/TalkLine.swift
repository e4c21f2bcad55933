import OrielModel
import OrielRTC

/// Drives `TalkLineState` for one camera: its loudspeaker, and the sessions that may talk into it.
@RTCActor
final class TalkLine {
  nonisolated let duplex: TalkCapability
  /// The camera's own sound is not sent for now.
  var onHold: ((Bool) -> Void)?

  private var state: TalkLineState
  private var seats: [Int: (TalkMessage) -> Void] = [:]
  private var count = 0
  private var outlet: (any TalkOutlet)?
  /// What opens and closes the loudspeaker, one after the other.
  private var work: Task<Void, Never>?
  private var clock: LoopTimer?
  private let open: TalkOutletFactory

  static let tickInterval = Duration.milliseconds(500)

  nonisolated init(duplex: TalkCapability, open: @escaping TalkOutletFactory) {
    self.duplex = duplex
    self.open = open
    state = TalkLineState(duplex: duplex)
  }

  /// A session that may talk: what it is told goes to `tell`.
  /// - Returns: what the line calls it from now on.
  func join(_ tell: @escaping (TalkMessage) -> Void) -> Int {
    count += 1
    seats[count] = tell
    return count
  }

  func leave(_ talker: Int) {
    seats[talker] = nil
    handle(.left(talker))
  }

  func take(_ action: TalkAction, from talker: Int) { handle(.message(talker, action)) }

  func take(_ packet: [UInt8], timestamp: UInt32, from talker: Int) {
    // One action at most, and none of them for who does not talk.
    if state.handle(.sound(talker), at: RTCActor.now) == [.play] {
      outlet?.play(packet, timestamp: timestamp)
    }
  }

  /// Returns when the loudspeaker is given back.
  func stop() async {
    onHold = nil
    seats = [:]
    if let talker = state.talker { handle(.left(talker)) }
    await work?.value
  }

  private func handle(_ event: TalkLineState.Event) {
    for action in state.handle(event, at: RTCActor.now) {
      switch action {
      case .open(let talker): openOutlet(for: talker)
      case .close: closeOutlet()
      case .play: break
      case .tell(let talker, let message): seats[talker]?(message)
      case .holdSound(let isHeld): onHold?(isHeld)
      }
    }
    if state.talker == nil { clock = nil } else if clock == nil { tick() }
  }

  private func tick() {
    clock = RTCActor.schedule(after: Self.tickInterval) { [weak self] in
      guard let self else { return }
      clock = nil
      handle(.tick)
    }
  }

  private func openOutlet(for talker: Int) {
    let (open, before) = (open, work)
    let lost: @Sendable (OrielError) -> Void = { [weak self] error in
      Task { @RTCActor in self?.lost(talker, error) }
    }
    work = Task.detached { [weak self] in
      await before?.value
      let opened = Result { try open(lost) }
      guard let self else {
        if case .success(let outlet) = opened { outlet.close() }
        return
      }
      await self.take(opened, for: talker)
    }
  }

  private func take(_ opened: Result<any TalkOutlet, any Error>, for talker: Int) {
    switch opened {
    case .success(let outlet):
      guard state.talker == talker else { return close(outlet) }
      self.outlet = outlet
      handle(.opened(talker, nil))
    case .failure(let error): handle(.opened(talker, (error as? OrielError)?.code ?? .soundUnavailable))
    }
  }

  private func lost(_ talker: Int, _ error: OrielError) {
    if state.talker == talker { handle(.outletLost(error.code)) }
  }

  private func closeOutlet() {
    guard let outlet else { return }
    self.outlet = nil
    close(outlet)
  }

  private func close(_ outlet: any TalkOutlet) {
    let before = work
    work = Task.detached {
      await before?.value
      outlet.close()
    }
  }
}
