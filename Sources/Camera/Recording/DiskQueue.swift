import Dispatch

/// The executor of what waits for a disk: one queue of its own, so that a disk that stalls holds up nobody else.
final class DiskQueue: SerialExecutor {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: name, qos: .utility) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
