import OrielModel
import Synchronization

/// What a subscriber of the link hears.
enum LinkEvent: Sendable {
  /// The link is open. Said at once to who subscribes while it is.
  case up(Welcome)
  /// It is not, for this reason; it is tried again unless that is pointless.
  case down(OrielError)
  case signal(SignalMessage)
  case device(DeviceEvent)
}

/// The one link of a session to its platform, shared by its players.
///
/// Opened when somebody needs it, opened again with jittered backoff as long as somebody does.
final class ViewerLink: Sendable {
  private struct State {
    var subscribers: [Int: AsyncStream<LinkEvent>.Continuation] = [:]
    var watchers: [Int: AsyncStream<DeviceEvent>.Continuation] = [:]
    var lastId = 0
    /// Counts runs, so that one that was replaced says no more.
    var run = 0
    var runner: Task<Void, Never>?
    var pause: Task<Void, Never>?
    var welcome: Welcome?
    var outgoing: AsyncStream<LinkMessage>.Continuation?
    var isClosed = false
    /// Messages heard on this link.
    var heard = 0
    var isChecking = false

    var isWanted: Bool { !subscribers.isEmpty || !watchers.isEmpty }
  }

  private let state = Mutex(State())
  private let connector: any LinkConnector
  private let log = Log("kit.link")

  init(connector: any LinkConnector) { self.connector = connector }

  /// Opens the link in advance, when nothing speaks against it.
  func prepare() { state.withLock { ensureRunning(&$0) } }

  /// Subscribes, and asks for the link.
  func subscribe() -> (id: Int, events: AsyncStream<LinkEvent>) {
    let (events, continuation) = AsyncStream<LinkEvent>.makeStream()
    let id = state.withLock { state in
      state.lastId += 1
      guard !state.isClosed else {
        continuation.yield(.down(OrielError(.cancelled, "the session is closed")))
        continuation.finish()
        return state.lastId
      }
      state.subscribers[state.lastId] = continuation
      if let welcome = state.welcome {
        continuation.yield(.up(welcome))
      } else {
        ensureRunning(&state)
        state.pause?.cancel()
      }
      return state.lastId
    }
    return (id, events)
  }

  func unsubscribe(_ id: Int) {
    state.withLock { $0.subscribers.removeValue(forKey: id) }?.finish()
  }

  /// Queues a message; it goes out in order. Lost when the link is not open, which its users hear of.
  func post(_ message: SignalMessage) {
    _ = state.withLock { $0.outgoing }?.yield(.signal(message))
  }

  /// Finds out whether the link, which looks open, still leads anywhere: `up` follows if so, and after a new link
  /// has been made if not. Nothing but a dead link is replaced, since that would end the sessions of other players.
  func check() {
    let probe = state.withLock { state -> (run: Int, heard: Int)? in
      guard !state.isClosed else { return nil }
      guard state.welcome != nil else {
        ensureRunning(&state)
        state.pause?.cancel()
        return nil
      }
      guard !state.isChecking else { return nil }
      state.isChecking = true
      // The platform answers that it knows no such recipient; that it answers is what matters.
      let message = SignalMessage(.status, session: "check", to: "check")
      state.outgoing?.yield(.signal(message))
      return (state.run, state.heard)
    }
    guard let probe else { return }
    Task { [weak self] in
      try? await Task.sleep(for: Self.checkTimeout)
      self?.checked(run: probe.run, heard: probe.heard)
    }
  }

  /// How long the platform may take to answer a check.
  private static let checkTimeout = Duration.milliseconds(1000)

  private func checked(run: Int, heard: Int) {
    let isDead = state.withLock { state -> Bool in
      state.isChecking = false
      guard state.run == run, let welcome = state.welcome else { return false }
      guard state.heard != heard else { return true }
      for subscriber in state.subscribers.values { subscriber.yield(.up(welcome)) }
      return false
    }
    if isDead { revive() }
  }

  /// Opens a new link now, in place of the one there is.
  func revive() {
    let former = state.withLock { state -> Task<Void, Never>? in
      guard !state.isClosed else { return nil }
      let former = state.runner
      state.runner = nil
      dropLink(&state)
      ensureRunning(&state)
      return former
    }
    former?.cancel()
  }

  /// There is another token: one that was refused is no longer a reason to wait.
  func tokenChanged() {
    let former = state.withLock { state -> Task<Void, Never>? in
      guard !state.isClosed else { return nil }
      if state.isWanted {
        // Views that run keep the link they have; it is signed in with the next one.
        if state.welcome == nil {
          ensureRunning(&state)
          state.pause?.cancel()
        }
        return nil
      }
      let former = state.runner
      state.runner = nil
      dropLink(&state)
      return former
    }
    former?.cancel()
  }

  func deviceEvents() -> AsyncStream<DeviceEvent> {
    let (events, continuation) = AsyncStream<DeviceEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
    let id = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.lastId += 1
      state.watchers[state.lastId] = continuation
      ensureRunning(&state)
      return state.lastId
    }
    guard let id else {
      continuation.finish()
      return events
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: id) }
    }
    return events
  }

  /// Closes the link for good, and waits for it.
  func close() async {
    let runner = shutDown()
    await runner?.value
  }

  /// Closes the link for good.
  @discardableResult
  func shutDown() -> Task<Void, Never>? {
    let (runner, subscribers, watchers) = state.withLock { state in
      state.isClosed = true
      dropLink(&state)
      state.pause?.cancel()
      defer {
        state.runner = nil
        state.subscribers = [:]
        state.watchers = [:]
      }
      return (state.runner, state.subscribers.values, state.watchers.values)
    }
    runner?.cancel()
    for subscriber in subscribers {
      subscriber.yield(.down(OrielError(.cancelled, "the session is closed")))
      subscriber.finish()
    }
    for watcher in watchers { watcher.finish() }
    return runner
  }

  private func ensureRunning(_ state: inout State) {
    guard state.runner == nil, !state.isClosed else { return }
    state.run += 1
    let run = state.run
    state.runner = Task { [weak self] in await self?.run(run) }
  }

  private func dropLink(_ state: inout State) {
    state.run += 1
    state.welcome = nil
    state.outgoing?.finish()
    state.outgoing = nil
  }

  private func run(_ run: Int) async {
    var backoff = Backoff()
    while !Task.isCancelled {
      let error: OrielError
      do {
        let link = try await connector.connect()
        backoff.reset()
        error = await serve(link, in: run)
      } catch let failure {
        error = OrielError(anyError: failure, other: .platformUnreachable)
      }
      let goesOn = state.withLock { state -> Bool in
        guard state.run == run, !state.isClosed else { return false }
        state.welcome = nil
        state.outgoing = nil
        for subscriber in state.subscribers.values { subscriber.yield(.down(error)) }
        let goesOn = state.isWanted && !error.isPointlessToRepeat
        if !goesOn { state.runner = nil }
        return goesOn
      }
      guard goesOn else { return }
      log.debug("closed: \(error); next attempt soon")
      await pause(backoff.next(), in: run)
    }
  }

  /// Passes on what comes, until the link ends.
  private func serve(_ link: OpenLink, in run: Int) async -> OrielError {
    let (outgoing, continuation) = AsyncStream<LinkMessage>.makeStream(
      bufferingPolicy: .bufferingOldest(1024))
    let isCurrent = state.withLock { state -> Bool in
      guard state.run == run, !state.isClosed else { return false }
      state.welcome = link.welcome
      state.outgoing = continuation
      for subscriber in state.subscribers.values { subscriber.yield(.up(link.welcome)) }
      return true
    }
    let sender = Task { for await message in outgoing { try? await link.send(message) } }
    defer {
      continuation.finish()
      sender.cancel()
      // The peer may never say goodbye; nobody waits for that.
      Task { await link.close() }
    }
    guard isCurrent else { return OrielError(.cancelled) }
    do {
      for try await message in link.messages {
        if case .refused(let refusal) = message {
          return OrielError(ErrorCode(rawValue: refusal.errorCode) ?? .accessTokenInvalid)
        }
        // The platform is about to leave: a new link is wanted at once.
        if case .signal(let signal) = message, signal.action == .goAway { break }
        dispatch(message, in: run)
      }
      return OrielError(.platformUnreachable, "the link was closed")
    } catch {
      return OrielError(anyError: error, other: .platformUnreachable)
    }
  }

  private func dispatch(_ message: LinkMessage, in run: Int) {
    state.withLock { state in
      guard state.run == run else { return }
      state.heard += 1
      switch message {
      case .signal(let signal):
        for subscriber in state.subscribers.values { subscriber.yield(.signal(signal)) }
      case .event(let event):
        for subscriber in state.subscribers.values { subscriber.yield(.device(event)) }
        for watcher in state.watchers.values { watcher.yield(event) }
      default: break
      }
    }
  }

  private func pause(_ duration: Duration, in run: Int) async {
    let pause = Task { _ = try? await Task.sleep(for: duration) }
    state.withLock { if $0.run == run { $0.pause = pause } else { pause.cancel() } }
    await withTaskCancellationHandler {
      await pause.value
    } onCancel: {
      pause.cancel()
    }
    state.withLock { if $0.run == run { $0.pause = nil } }
  }
}

/// The waits between attempts: doubling up to 2 s, each with a random part, so that a platform that comes back
/// is not met by all its viewers at once, and still within the five seconds that a view may take to come back.
struct Backoff {
  private var step = 0

  mutating func reset() { step = 0 }

  mutating func next() -> Duration {
    let ceiling = min(2.0, 0.25 * Double(1 << min(step, 3)))
    step += 1
    return .seconds(Double.random(in: ceiling / 2...ceiling))
  }
}

extension OrielError {
  /// Whether the same request cannot succeed unless a person changes something.
  var isPointlessToRepeat: Bool {
    switch code {
    case .accessTokenInvalid, .accessTokenExpired, .userNotFound, .appKeyError, .appKeyNotMatched,
      .noPermission,
      .notSignedIn, .notMyDevice, .deviceNotFound, .cameraNotFound, .noSuchChannel, .illegalDeviceSerial,
      .addedByAnother, .streamCameraNumber, .noCommonCodec, .platformUntrusted, .argumentError,
      .talkUnsupported,
      .verificationCodeNeeded, .verificationCodeMismatch, .mediaLibrary, .cancelled, .commandNotSupported,
      .recordNotFound, .recordDamaged, .playbackRange, .playbackInFuture, .cloudUnsupported:
      true
    default: false
    }
  }
}
