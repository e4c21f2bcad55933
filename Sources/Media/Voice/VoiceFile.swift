internal import Dispatch
internal import Glibc
internal import Synchronization

/// A sound file as a voice: decoded, brought to 48 kHz and one channel, and given out in real time, once.
public final class VoiceFile: Sendable {
  private static let patience = DispatchTimeInterval.seconds(5)

  private let pipeline: Pipeline
  private let life: DeviceLife
  private let pace: Pace

  /// Opens the file and reads its beginning; it stands still until ``setRunning(_:)``.
  /// - Parameters:
  ///   - onFrame: gets 480 samples, which it may change, on a thread of the file's.
  ///   - onEnd: called once, with nil at the file's end. It must not call ``close()`` itself.
  /// - Throws: ``MediaFailure``: `.notFound`, `.refused`, `.malformed` (nothing in it), `.unsupported` (no sound, or none
  ///   of a known kind).
  public init(
    path: String, onFrame: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void,
    onEnd: @escaping @Sendable (MediaFailure?) -> Void
  ) throws(MediaFailure) {
    // A pipe would be waited for as long as nobody writes.
    var status = stat()
    guard stat(path, &status) == 0 else { throw errno == EACCES ? .refused : .notFound }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unsupported("what is no plain file") }
    let life = DeviceLife(onEnd: onEnd)
    let pace = Pace()
    do {
      pipeline = try Pipeline(
        """
        filesrc name=file ! decodebin caps=audio/x-raw expose-all-streams=false ! \(FrameCutter.conversion) \
        ! appsink name=out sync=false enable-last-sample=false max-buffers=4
        """,
        onMessage: { if case .error(let error) = $0 { life.end(MediaFailure(file: error)) } })
    } catch {
      throw error as? MediaFailure ?? .unsupported("sound files")
    }
    let cutter = FrameCutter { frame in
      life.run()
      guard pace.wait() else { return }
      onFrame(frame)
    }
    pipeline.element("file")?.set("location", text: path)
    pipeline.element("out")?.onSample(
      { cutter.push($0) },
      end: {
        cutter.finish()
        // Not a single frame: a file with a head only.
        life.end(pace.isClosed ? .closed : cutter.isFresh ? .malformed("a file without sound") : nil)
      })
    (self.life, self.pace) = (life, pace)
    // What goes wrong here comes on the bus, with its reason.
    try? pipeline.start()
    do {
      try life.waitUntilRunning(Self.patience, otherwise: .unsupported("a file without sound"))
    } catch {
      pace.close()
      life.close()
      pipeline.stop()
      throw error
    }
  }

  deinit { close() }

  /// Goes on, or stands still where it is.
  public func setRunning(_ on: Bool) { pace.setRunning(on) }

  /// Gives file and thread back; blocks until the thread has ended. Nothing is called afterwards.
  public func close() {
    life.close()
    pace.close()
    pipeline.stop()
  }

  /// Holds a thread back so that frames go out in real time.
  private final class Pace: Sendable {
    private struct State {
      var isRunning = false
      var isClosed = false
      /// When the next frame is due, in nanoseconds; nil after standing still.
      var due: UInt64?
    }

    private static let frame: UInt64 = 10_000_000
    /// A frame that is later than this by a stalled thread moves all that follow.
    private static let slack: UInt64 = 100_000_000

    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func setRunning(_ on: Bool) {
      state.withLock { state in
        state.isRunning = on
        if !on { state.due = nil }
      }
      changed.signal()
    }

    func close() {
      state.withLock { $0.isClosed = true }
      changed.signal()
    }

    /// Returns when the next frame is due; false when it is not wanted any more.
    func wait() -> Bool {
      while true {
        let now = Runtime.now
        let left: UInt64? = state.withLock { state in
          guard !state.isClosed, state.isRunning else { return nil }
          let due = state.due.flatMap { now > $0 + Self.slack ? nil : $0 } ?? now
          guard due <= now else { return due - now }
          state.due = due + Self.frame
          return 0
        }
        if left == 0 { return true }
        if isClosed { return false }
        _ = changed.wait(timeout: left.map { .now() + .nanoseconds(Int($0)) } ?? .distantFuture)
      }
    }
  }
}
