/// A playback, pure: inputs in, actions out; no I/O, no clock of its own.
///
/// Reading runs one at a time: a seek that comes while something is read waits for that, and of several that wait
/// the last counts. Pictures are sent when they are due; the pictures before a seek's target, back to the key
/// frame, are sent at once and marked as not to be shown.
public struct PlaybackState: Sendable {
  public static let rates: ClosedRange<Double> = 0.0625...16
  /// Above this speed only key frames are sent.
  public static let fullRateLimit = 4.0
  /// A hole in time up to this long is waited through; a longer one is jumped, milliseconds.
  static let gapTolerance: Int64 = 1_000
  /// Read ahead, milliseconds of the viewer's time.
  static let readAhead: Int64 = 1_000
  /// Bytes read at once.
  static let readLimit: Int64 = 4 << 20
  /// A group of pictures before a seek's target that is longer than this is not sent for it: the key frame is
  /// shown instead. What one feed holds.
  static let prerollLimit: Int64 = 3 << 20
  static let reportInterval = Duration.milliseconds(500)
  /// How often a recording that is being written is looked at for more.
  static let growthInterval = Duration.milliseconds(250)
  /// Unsent media up to this much is no reason to wait.
  static let backlogLimit = Duration.milliseconds(400)
  /// Pictures due within this are sent with those that are due now.
  static let slack = Duration.milliseconds(2)

  enum Phase: Sendable, Equatable {
    case idle
    /// Reading for a new position.
    case moving(Target)
    case running
    case ended
  }

  struct Target: Sendable, Equatable {
    enum Reason: Sendable, Equatable {
      case start
      case seek(Int?)
      case rate(Int?)
      /// From the other stream.
      case stream(from: MediaStream)
    }

    /// UTC milliseconds.
    var time: Int64
    var reason: Reason
  }

  /// UTC milliseconds.
  public let window: Range<Int64>
  /// What the viewer decodes.
  let codecs: Set<VideoCodec>
  public internal(set) var stream: MediaStream
  public internal(set) var rate = 1.0
  public internal(set) var isPaused = false
  /// When the picture sent last was taken; UTC milliseconds.
  public internal(set) var position: Int64
  /// How much media waits to leave, as the sender knows; set before each tick.
  public var backlog = Duration.zero

  var phase = Phase.idle
  /// What is being read, and for which move.
  var work: (asked: PlaybackWork, move: Int)?
  var moves = 0
  /// The recording that is being shown.
  public internal(set) var stretch: PlaybackStretch?
  var nextFragment = 0
  /// Until when the queue will reach.
  var loadedUntil: Int64 = 0
  /// As of what has been read; `loadedUntil` counts what is being read too.
  var queuedUntil: Int64 = 0
  /// Nothing was recorded then: before the next fragment to read, and before those that are being read.
  var hole: Range<Int64>?
  var holes: [Int: Range<Int64>] = [:]
  var queue = PlaybackQueue()
  var anchor: PlaybackAnchor
  /// When nothing follows.
  var endTime: Int64?
  /// The queue ran dry, or the line did not carry: the clock waits for the next picture.
  var hasStalled = false
  var needsKeyFrame = false
  var steps: [Int?] = []
  var lastVideo = Duration.zero
  var lastReport = Duration.zero
  var nextGrowth = Duration.zero
  var lastFailure: PlaybackFailure?
  var hasShown = false

  public init(
    window: Range<Int64>, stream: MediaStream = .main, codecs: Set<VideoCodec> = Set(VideoCodec.allCases)
  ) {
    self.window = window
    self.stream = stream
    self.codecs = codecs
    position = window.lowerBound
    anchor = PlaybackAnchor(time: window.lowerBound, presentation: .zero, rate: 1)
  }

  public var hasEnded: Bool { phase == .ended }
  var keyFramesOnly: Bool { rate > Self.fullRateLimit }

  /// - Parameter now: on the session's clock; never goes back.
  public mutating func handle(_ input: PlaybackInput, at now: Duration) -> [PlaybackEffect] {
    switch input {
    case .start: phase == .idle ? move(to: Target(time: window.lowerBound, reason: .start), now) : []
    case .play: play(now)
    case .pause: pause(now)
    case .seek(let time, let id): seek(time, id, now)
    case .rate(let rate, let id): setRate(rate, id, now)
    case .step(let id): step(id, now)
    case .stream(let stream): change(to: stream, now)
    case .refresh: refresh(now)
    case .tick: pump(now)
    case .done(let outcome): done(outcome, now)
    }
  }
}

// MARK: - What the viewer asks for

extension PlaybackState {
  mutating func play(_ now: Duration) -> [PlaybackEffect] {
    guard phase != .ended, phase != .idle else { return [] }
    if isPaused, phase == .running { anchor = PlaybackAnchor(time: position, presentation: now, rate: rate) }
    isPaused = false
    steps = []
    return [.tell(.playing(requestId: nil, anchor, first: nil))] + pump(now)
  }

  mutating func pause(_ now: Duration) -> [PlaybackEffect] {
    guard phase != .ended, phase != .idle else { return [] }
    isPaused = true
    return [.tell(.paused(requestId: nil, shown))]
  }

  mutating func seek(_ time: Int64, _ id: Int?, _ now: Duration) -> [PlaybackEffect] {
    guard phase != .idle, window.contains(time) else {
      return [.tell(.refused(requestId: id, .outside))]
    }
    return [.discardUnsent] + move(to: Target(time: time, reason: .seek(id)), now)
  }

  mutating func setRate(_ new: Double, _ id: Int?, _ now: Duration) -> [PlaybackEffect] {
    guard Self.rates.contains(new) else { return [.tell(.refused(requestId: id, .rate))] }
    let wasKeyFramesOnly = keyFramesOnly
    let time = isPaused || phase != .running ? position : max(position, mediaTime(at: now))
    rate = new
    anchor = PlaybackAnchor(time: time, presentation: now, rate: new)
    guard phase == .running else {
      let news: [PlaybackEffect] = [.tell(.playing(requestId: id, anchor, first: nil))]
      guard case .moving(let target) = phase, keyFramesOnly != wasKeyFramesOnly else { return news }
      // What is being read is too much or too little now.
      return news + move(to: target, now)
    }
    if keyFramesOnly, !wasKeyFramesOnly {
      queue.keepKeyFrames()
    } else if !keyFramesOnly, wasKeyFramesOnly {
      return move(to: Target(time: min(time, window.upperBound - 1), reason: .rate(id)), now)
    }
    return [
      .tell(isPaused ? .paused(requestId: id, shown) : .playing(requestId: id, anchor, first: nil))
    ] + pump(now)
  }

  mutating func step(_ id: Int?, _ now: Duration) -> [PlaybackEffect] {
    guard phase != .idle else { return [.tell(.refused(requestId: id, .outside))] }
    guard phase != .ended else { return [.tell(.ended(requestId: id, time: position, nil))] }
    isPaused = true
    steps.append(id)
    return pump(now)
  }

  mutating func refresh(_ now: Duration) -> [PlaybackEffect] {
    guard phase == .running, hasShown, !keyFramesOnly else { return [] }
    return [.discardUnsent] + move(to: Target(time: position, reason: .rate(nil)), now)
  }

  mutating func change(to new: MediaStream, _ now: Duration) -> [PlaybackEffect] {
    guard new != stream else { return [] }
    let old = stream
    stream = new
    guard phase == .running else { return [] }
    let time = isPaused ? position : max(position, mediaTime(at: now))
    return move(to: Target(time: min(time, window.upperBound - 1), reason: .stream(from: old)), now)
  }
}
