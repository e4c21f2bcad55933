import Foundation
import OrielMedia
import OrielModel
import OrielRTC

/// The playback side of a view over a session: what was asked for, what the camera says, which pictures count.
///
/// What was asked for outlives the session: a new one goes on where the last picture was.
@RTCActor
final class PlaybackControl {
  let range: PlaybackRange
  /// Whether no picture is to be expected: paused, or at the end.
  var isHeld: Bool { isPaused || hasEnded }
  private(set) var hasEnded = false

  private let outlet: PlayerOutlet
  private var gate = PlaybackGate()
  private var isPaused = false
  private var rate = 1.0
  /// The seek that was asked for last, and has not been answered.
  private var seek: (id: Int, time: Int64)?
  private var sessionStart: Int64?
  private var isChannelOpen = false
  private var held: [(unit: AccessUnit, timestamp: UInt32)] = []
  private var heldBytes = 0
  /// The seek whose first picture opens the outlet; nil: it is open.
  private var opening: Int?
  private var endTimer: LoopTimer?

  var emit: ((PlayerEvent) -> Void)?
  var send: ((PlaybackMessage) -> Void)?
  /// A picture with its time, to be decoded.
  var pass: ((AccessUnit) -> Void)?
  /// The camera ended the playback with this number.
  var failed: ((OrielError) -> Void)?

  static let holdLimit = 8 << 20
  /// The last picture may take this long from the camera's word to the screen.
  static let endLimit = Duration.milliseconds(500)

  init(range: PlaybackRange, outlet: PlayerOutlet) {
    self.range = range
    self.outlet = outlet
  }

  func close() {
    endTimer = nil
    (emit, send, pass, failed) = (nil, nil, nil, nil)
    held = []
  }

  /// Where a session begins: at the start, or where the last one was.
  func fill(_ offer: inout SignalMessage) {
    var from = sessionStart ?? range.from
    if let to = range.to { from = min(from, to - 1) }
    offer.playbackTime = Double(max(from, range.from)) / 1000
    offer.playbackEndTime = range.to.map { Double($0) / 1000 }
  }

  func startSession() {
    gate.startSession()
    isChannelOpen = false
    endTimer = nil
    hasEnded = false
    held = []
    heldBytes = 0
    // The session begins where the seek leads.
    sessionStart = seek?.time ?? outlet.playbackTime
    opening = seek?.id
    seek = nil
  }

  func channelOpened() {
    isChannelOpen = true
    if rate != 1 { order(.rate) { $0.rate = rate } }
    if let seek { ask(seek) }
    if isPaused { order(.pause) }
  }

  // MARK: Asking

  func perform(_ order: PlaybackOrder) {
    switch order {
    case .pause:
      isPaused = true
      self.order(.pause)
    case .resume:
      isPaused = false
      self.order(.play)
    case .seek(let time, let id):
      seek = (id, time)
      hasEnded = false
      endTimer = nil
      if isChannelOpen { ask((id, time)) }
    case .rate(let rate):
      self.rate = rate
      self.order(.rate) { $0.rate = rate }
    case .step:
      isPaused = true
      self.order(.step)
    }
  }

  private func ask(_ seek: (id: Int, time: Int64)) {
    gate.seek(seek.id)
    held = []
    heldBytes = 0
    order(.seek) {
      $0.requestId = seek.id
      $0.time = seek.time / 1000
      $0.timeMs = seek.time
    }
  }

  private func order(_ action: PlaybackAction, _ fill: (inout PlaybackMessage) -> Void = { _ in }) {
    guard isChannelOpen else { return }
    var message = PlaybackMessage(action: action)
    fill(&message)
    send?(message)
  }

  // MARK: Hearing

  func hear(_ message: PlaybackMessage) {
    let opens = gate.hear(message)
    if let number = message.errorCode, number != 0 {
      let error = OrielError(ErrorCode(rawValue: number) ?? .streamInnerError)
      if message.action == .playbackEnd { failed?(error) } else { refused(message, error) }
      return
    }
    switch message.action {
    case .seeking:
      guard message.requestId == nil || message.requestId == seek?.id else { return }
      opening = seek?.id ?? opening
      seek = nil
      hasEnded = false
      if let time = message.timeMs { emit?(.seeked(to: time)) }
    case .playing:
      tellRate(message)
      if opens, opening != nil, let time = message.timeMs { emit?(.seeked(to: time)) }
      if !isPaused, message.firstRtpTimestamp == nil, toldPaused { emit?(.resumed) }
      toldPaused = false
    case .pausing:
      tellRate(message)
      if !toldPaused { emit?(.paused) }
      toldPaused = true
    case .gap:
      if let from = message.startTime, let to = message.timeMs { emit?(.gap(from: from * 1000, to: to)) }
    case .playbackEnd:
      if message.requestId == nil || message.requestId == seek?.id { end(at: message.timeMs ?? 0) }
    default: break
    }
    if opens { release() }
  }
  private var toldPaused = false
  private var toldRate = 1.0

  private func tellRate(_ message: PlaybackMessage) {
    guard let rate = message.rate, rate != toldRate else { return }
    toldRate = rate
    emit?(.rateChanged(rate))
  }

  private func refused(_ message: PlaybackMessage, _ error: OrielError) {
    if message.action == .seek, message.requestId == seek?.id, let seek {
      self.seek = nil
      // What is shown goes on.
      outlet.open(from: .zero, seek: seek.id)
      release()
    }
    emit?(.refused(error))
  }

  /// Tells the end when the last picture has been shown.
  private func end(at time: Int64) {
    seek = nil
    let deadline = RTCActor.now + Self.endLimit
    endTimer = LoopTimer { [weak self] in self?.endWhenShown(time, deadline) }
    endWhenShown(time, deadline)
  }

  private func endWhenShown(_ time: Int64, _ deadline: Duration) {
    guard let endTimer else { return }
    if outlet.playbackTime ?? 0 < time - 1, RTCActor.now < deadline {
      return endTimer.arm(after: .milliseconds(10))
    }
    self.endTimer = nil
    guard !hasEnded else { return }
    hasEnded = true
    emit?(.ended)
  }

  // MARK: Pictures

  func take(_ unit: AccessUnit, _ timestamp: UInt32) {
    switch gate.judge(timestamp) {
    case .hold:
      held.append((unit, timestamp))
      heldBytes += unit.bytes.count
      if heldBytes > Self.holdLimit {
        held = []
        heldBytes = 0
      }
    case .drop: break
    case .pass(let time, let isShown):
      var unit = unit
      unit.captureTime = isShown ? time : PictureFlow.hidden
      if isShown, let seek = opening {
        opening = nil
        outlet.open(from: unit.timestamp, seek: seek)
      }
      pass?(unit)
    }
  }

  private func release() {
    let waiting = held
    held = []
    heldBytes = 0
    for (unit, timestamp) in waiting { take(unit, timestamp) }
  }
}

extension PlaybackMessage {
  /// Nil when the bytes are another message.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= 262_144,
      let message = try? JSONDecoder().decode(PlaybackMessage.self, from: Data(bytes)),
      message.type == Self.type
    else { return nil }
    self = message
  }

  var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }
}

extension RTCActor {
  /// The loop's monotonic clock.
  static var now: Duration { .microseconds(monotonicMicroseconds) }
}
