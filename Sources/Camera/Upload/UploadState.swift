import OrielModel

/// The upload of recordings as a pure state machine: events in, actions out, no I/O, no clock of its own. One at a
/// time, oldest first; what was interrupted is asked for again and goes on where the platform says.
struct UploadState: Sendable {
  enum Phase: Sendable, Equatable {
    /// The platform cannot be reached, or nothing has been asked for yet.
    case offline
    case finding
    /// Nothing waits to be uploaded.
    case idle
    /// Its digest is being made.
    case preparing(UploadItem)
    case asking(UploadItem, UploadRequest)
    case sending(UploadItem, UploadRequest, path: String, offset: Int64)
    /// Until the timer lets it try again.
    case waiting
    case stopped
  }

  enum Event: Sendable, Equatable {
    case online
    case offline
    /// A recording has been finished.
    case wake
    case found(UploadItem?)
    case prepared(UploadRequest)
    case granted(UploadGrant)
    case sent(UploadProgress)
    /// What was asked for did not work; the platform may say how far it is.
    case failed(ErrorCode, offset: Int64?)
    case timer(Int)
    case stop
  }

  enum Action: Sendable, Equatable {
    case find
    case prepare(UploadItem)
    case ask(UploadRequest)
    /// Sends `count` bytes of the file from `offset` on; none completes what is all there.
    case send(UploadItem, path: String, offset: Int64, count: Int)
    case markUploaded(UploadItem)
    case giveUp(UploadItem, ErrorCode)
    /// Replaces the timer that was running.
    case startTimer(Int, Duration)
    /// What is under way is of no interest any more.
    case cancel
  }

  /// Bytes of a piece: a slow line brings one within a request's time, and little is sent twice.
  static let piece: Int64 = 256 * 1024
  /// How long the platform may take to answer a request.
  static let answerLimit = Duration.seconds(20)
  /// How often it looks again, should nobody tell.
  static let poll = Duration.seconds(30)
  static let firstWait = Duration.seconds(1)
  static let longestWait = Duration.seconds(60)
  /// How often in a row a recording may fail in the same way before it is let be.
  static let patience = 3

  private(set) var phase = Phase.offline
  private var timer = 0
  private var failures = 0
  /// Attempts at the same item that brought nothing.
  private var repeats = (id: "", count: 0)

  mutating func handle(_ event: Event, random: Double) -> [Action] {
    guard phase != .stopped else { return [] }
    switch (event, phase) {
    case (.stop, _):
      phase = .stopped
      return [.cancel]
    case (.offline, .offline): return []
    case (.offline, _):
      phase = .offline
      return [.cancel]
    case (.online, .offline):
      failures = 0
      return find()
    case (.wake, .idle): return find()
    case (.timer(let number), _):
      return number == timer ? timeout(random) : []
    case (.found(let item), .finding):
      guard let item else {
        phase = .idle
        return [startTimer(Self.poll)]
      }
      phase = .preparing(item)
      return [.prepare(item)]
    case (.prepared(let request), .preparing(let item)):
      phase = .asking(item, request)
      return [.ask(request), startTimer(Self.answerLimit)]
    case (.granted(let grant), .asking(let item, let request)):
      return grant.id == request.id ? take(grant, item, request, random) : []
    case (.sent(let progress), .sending(let item, let request, let path, let offset)):
      guard !progress.isStored else { return finish(item) }
      guard progress.offset > offset, progress.offset <= request.size else {
        return retry(item, .platformAnswer, random)
      }
      progressed()
      return send(item, request, path, progress.offset)
    case (.failed(let code, let offset), _): return fail(code, offset, random)
    default: return []
    }
  }

  // MARK: Steps

  private mutating func find() -> [Action] {
    phase = .finding
    return [.find]
  }

  private mutating func finish(_ item: UploadItem) -> [Action] {
    progressed()
    return [.markUploaded(item)] + find()
  }

  private mutating func take(
    _ grant: UploadGrant, _ item: UploadItem, _ request: UploadRequest, _ random: Double
  ) -> [Action] {
    if grant.errorCode != 0 {
      return fail(ErrorCode(rawValue: grant.errorCode) ?? .platformAnswer, nil, random)
    }
    if grant.isStored == true { return finish(item) }
    guard let path = grant.path, let offset = grant.offset, (0...request.size).contains(offset) else {
      return retry(item, .platformAnswer, random)
    }
    return send(item, request, path, offset)
  }

  private mutating func send(
    _ item: UploadItem, _ request: UploadRequest, _ path: String, _ offset: Int64
  ) -> [Action] {
    phase = .sending(item, request, path: path, offset: offset)
    // Nobody waits for an answer over the link any more; the request has a time limit of its own.
    timer += 1
    return [
      .send(item, path: path, offset: offset, count: Int(min(Self.piece, request.size - offset)))
    ]
  }

  // MARK: Failures

  private mutating func fail(_ code: ErrorCode, _ offset: Int64?, _ random: Double) -> [Action] {
    switch (phase, code) {
    case (.sending(let item, let request, let path, let before), .uploadOffset):
      // Another sender, or an answer that was lost: the platform knows how far it is.
      guard let offset, offset != before, (0...request.size).contains(offset), mayRepeat(item) else {
        return wait(random)
      }
      return send(item, request, path, offset)
    case (.sending(let item, let request, _, _), .uploadExpired),
      (.sending(let item, let request, _, _), .uploadUnknown),
      (.sending(let item, let request, _, _), .noPermission):
      guard mayRepeat(item) else { return wait(random) }
      phase = .asking(item, request)
      return [.ask(request), startTimer(Self.answerLimit)]
    case (.sending(let item, _, _, _), .uploadDigest), (.sending(let item, _, _, _), .uploadTooLong),
      (.sending(let item, _, _, _), .uploadTooShort), (.preparing(let item), .recordDamaged):
      return retry(item, code, random)
    case (.asking(let item, _), .cloudTooOld), (.asking(let item, _), .cloudStretch),
      (.asking(let item, _), .cloudOverlap), (.asking(let item, _), .cloudFull),
      (.asking(let item, _), .cameraNotFound), (.preparing(let item), .recordNotFound),
      (.sending(let item, _, _, _), .recordNotFound):
      return [.giveUp(item, code)] + find()
    // Nobody has added the device yet (120018): soon somebody may. Nor does a platform without a cloud stay so.
    case (.offline, _), (.idle, _), (.waiting, _), (.stopped, _): return []
    default: return wait(random)
    }
  }

  /// Once more from the start, after a pause; what fails again and again is let be, so that others get their turn.
  private mutating func retry(_ item: UploadItem, _ code: ErrorCode, _ random: Double) -> [Action] {
    mayRepeat(item) ? wait(random) : [.giveUp(item, code)] + find()
  }

  private mutating func mayRepeat(_ item: UploadItem) -> Bool {
    repeats = repeats.id == item.id ? (item.id, repeats.count + 1) : (item.id, 1)
    return repeats.count <= Self.patience
  }

  private mutating func progressed() {
    failures = 0
    repeats = ("", 0)
  }

  private mutating func wait(_ random: Double) -> [Action] {
    phase = .waiting
    let top = min(Self.firstWait * (1 << min(failures, 6)), Self.longestWait)
    failures += 1
    return [startTimer(top * (0.5 + 0.5 * min(max(random, 0), 1)))]
  }

  private mutating func timeout(_ random: Double) -> [Action] {
    switch phase {
    case .idle, .waiting: return find()
    case .asking: return wait(random)
    default: return []
    }
  }

  private mutating func startTimer(_ duration: Duration) -> Action {
    timer += 1
    return .startTimer(timer, duration)
  }
}
