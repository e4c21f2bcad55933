import CEvent
import CNetShims
import Dispatch
import Foundation
import OrielModel
import Synchronization

/// One thread that waits for sockets and timers (libevent) and runs what is bound to it.
///
/// It is the executor of actors whose `unownedExecutor` it is, and of tasks that prefer it, so that a handler
/// and the connection it serves share a thread and take no lock. The thread lives until `stop()`.
public final class EventLoop: SerialExecutor, TaskExecutor, Sendable {
  /// Only the loop's thread uses it, and `deinit` when that thread has ended.
  nonisolated(unsafe) let base: OpaquePointer
  /// As `base`.
  nonisolated(unsafe) private let wakeEvent: OpaquePointer
  private let wakeDescriptor: Int32
  private let queue = Mutex(Queue())
  private let thread = Atomic<UInt>(0)
  /// Runs what is still enqueued after the loop has stopped, so that no task waits for ever.
  private let afterwards: DispatchQueue

  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct Queue {
    var work: [Work] = []
    var isWoken = false
    var isStopping = false
    var hasEnded = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Starts a loop on a thread of its own.
  /// - Throws: `OrielError` 150000 when the system has no descriptors left.
  public static func start(name: String = "oriel.net") throws -> EventLoop {
    signal(SIGPIPE, SIG_IGN)
    guard let base = event_base_new() else { throw OrielError(.serverError, "no event loop") }
    let descriptor = oriel_eventfd()
    guard descriptor >= 0,
      let event = event_new(base, descriptor, Int16(EV_READ | EV_PERSIST), EventLoop.drainCallback, nil)
    else {
      event_base_free(base)
      throw OrielError(.serverError, "no descriptors left")
    }
    let loop = EventLoop(base: base, wakeEvent: event, wakeDescriptor: descriptor, name: name)
    let thread = Thread { loop.run() }
    thread.name = name
    thread.start()
    return loop
  }

  private init(base: OpaquePointer, wakeEvent: OpaquePointer, wakeDescriptor: Int32, name: String) {
    self.base = base
    self.wakeEvent = wakeEvent
    self.wakeDescriptor = wakeDescriptor
    afterwards = DispatchQueue(label: name)
    // Not retained: the event lives as long as the loop.
    let context = Unmanaged.passUnretained(self).toOpaque()
    event_assign(
      wakeEvent, base, wakeDescriptor, Int16(EV_READ | EV_PERSIST), EventLoop.drainCallback, context)
  }

  deinit {
    event_free(wakeEvent)
    event_base_free(base)
    close(wakeDescriptor)
  }

  /// Ends the thread after what is enqueued has run. Close servers and clients of the loop before.
  public func stop() async {
    await withCheckedContinuation { continuation in
      let hasEnded = queue.withLock {
        $0.isStopping = true
        if !$0.hasEnded { $0.waiting.append(continuation) }
        return $0.hasEnded
      }
      if hasEnded { continuation.resume() } else { perform {} }
    }
  }

  // MARK: Executor

  public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  public func checkIsolated() {
    precondition(isCurrent, "not on the event loop")
  }

  /// Whether the caller runs on the loop's thread.
  public var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  // MARK: Inside the room

  /// Runs `body` on the loop, later.
  func perform(_ body: @escaping @Sendable () -> Void) { add(.closure(body)) }

  /// Runs `body` on the loop: at once when the caller is there.
  func run(_ body: @escaping @Sendable () -> Void) {
    if isCurrent { body() } else { perform(body) }
  }

  /// Runs `body` on the loop and hands over what it gives: without suspension when the caller is there.
  func call<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    if isCurrent { return try body() }
    return try await withCheckedThrowingContinuation { continuation in
      perform { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// As `call`, for what cannot fail.
  func callOut(_ body: @escaping @Sendable () -> Void) async {
    if isCurrent { return body() }
    await withCheckedContinuation { continuation in
      perform {
        body()
        continuation.resume()
      }
    }
  }

  // MARK: Queue

  private func add(_ work: Work) {
    let (wake, ended) = queue.withLock { queue in
      if queue.hasEnded { return (false, true) }
      queue.work.append(work)
      defer { queue.isWoken = true }
      return (!queue.isWoken, false)
    }
    if ended {
      // What is handed on may not touch the loop's libraries: their objects have been closed before.
      afterwards.async { self.execute(work) }
    } else if wake {
      if isCurrent { event_active(wakeEvent, EV_TIMEOUT, 0) } else { signalThread() }
    }
  }

  private func signalThread() {
    var one: UInt64 = 1
    _ = write(wakeDescriptor, &one, 8)
  }

  private static let drainCallback: event_callback_fn = { _, reason, context in
    guard let context else { return }
    let loop = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
    loop.drain(readsDescriptor: Int32(reason) & EV_READ != 0)
  }

  /// Runs one batch; what it adds waits for the next pass, so that sockets get their turn.
  private func drain(readsDescriptor: Bool) {
    if readsDescriptor {
      var count: UInt64 = 0
      _ = read(wakeDescriptor, &count, 8)
    }
    let batch = queue.withLock { queue in
      queue.isWoken = false
      return exchange(&queue.work, with: [])
    }
    for work in batch { execute(work) }
    let isOver = queue.withLock { queue in
      queue.hasEnded = queue.isStopping && queue.work.isEmpty
      return queue.hasEnded
    }
    if isOver { event_base_loopbreak(base) }
  }

  private func execute(_ work: Work) {
    switch work {
    case .job(let job):
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    case .closure(let body): body()
    }
  }

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    event_add(wakeEvent, nil)
    event_base_dispatch(base)
    thread.store(0, ordering: .relaxed)
    let waiting = queue.withLock { exchange(&$0.waiting, with: []) }
    for continuation in waiting { continuation.resume() }
  }
}
