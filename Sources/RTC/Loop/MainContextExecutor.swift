import CNice
import CRTCShims
import Synchronization

/// A serial executor whose jobs run on the thread of a GLib main context. There is one, for ever.
///
/// `@unchecked Sendable`: the pointers are set once in `init`, GLib lets any thread call what is called
/// on them here, and the jobs are in a mutex.
final class MainContextExecutor: SerialExecutor, @unchecked Sendable {
  /// Agents up to which each datagram is taken at once: a viewer's share, some sessions of a camera.
  private static let crowd: UInt32 = 12
  /// Microseconds between two rounds when there are more: far below a path's delay. What other threads send
  /// here and what is timed is never held back.
  private static let quantum = 8000

  let context: OpaquePointer
  /// Where agents have contexts of their own; nil: the system gives no more descriptors.
  let nest: OpaquePointer?
  private let thread: UnsafeMutablePointer<GThread>
  private let wakeUp: UnsafeMutablePointer<GSource>
  private let jobs = Mutex<[UnownedJob]>([])
  /// Swapped with `jobs` on the loop's thread, so that a batch costs no allocation.
  private var batch: [UnownedJob] = []

  init(name: String) {
    context = g_main_context_new()
    wakeUp = oriel_timed_source_new(context, Self.runJobsOfSharedLoop, nil, nil)
    g_source_set_ready_time(wakeUp, -1)
    nest = oriel_nest_new(context, Self.crowd, Self.quantum)
    thread = g_thread_new(name, Self.runContext, UnsafeMutableRawPointer(context))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wasEmpty = jobs.withLock {
      $0.append(job)
      return $0.count == 1
    }
    if wasEmpty { g_source_set_ready_time(wakeUp, 0) }
  }

  var isOnThread: Bool { g_thread_self() == thread }

  func checkIsolated() {
    precondition(isOnThread, "Not on the RTC loop's thread")
  }

  func isIsolatingCurrentContext() -> Bool? { isOnThread }

  private func runJobs() {
    jobs.withLock { swap(&$0, &batch) }
    let executor = asUnownedSerialExecutor()
    for job in batch { job.runSynchronously(on: executor) }
    batch.removeAll(keepingCapacity: true)
  }

  // C calls these on the loop's thread: static and nonisolated, so that they inherit no isolation.
  private static let runJobsOfSharedLoop: @convention(c) (UnsafeMutableRawPointer?) -> Void = { _ in
    RTCActor.shared.loop.runJobs()
  }

  private static let runContext: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let data = $0 else { return nil }
    let context = OpaquePointer(data)
    g_main_context_push_thread_default(context)
    let loop = g_main_loop_new(context, 0)
    g_main_loop_run(loop)
    return nil
  }
}
