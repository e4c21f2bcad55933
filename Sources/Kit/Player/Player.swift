public import OrielMedia
public import OrielModel
import OrielRTC
import Synchronization

/// Shows one camera, live or what it has recorded: pictures, sound, a clip, a snapshot.
///
/// `start()` and `stop()` return at once; the outcome is an event. A player may be started again after a stop
/// or a failure, as often as one likes; any number of players may show the same camera. When the player is
/// released, everything that it holds is released too.
public final class Player: Sendable {
  public let serial: DeviceSerial
  public let cameraNo: Int
  // Kept, so that the link lives as long as its players.
  private let session: Session
  let outlet: PlayerOutlet
  private let commands: AsyncStream<PlayerCommand>.Continuation
  let driver: PlayerDriver
  let options: PlayerOptions
  private let work: Task<Void, Never>
  /// What is played; nil: what is live.
  let settings: Mutex<PlaybackRange?>

  init(
    session: Session, serial: DeviceSerial, cameraNo: Int, options: PlayerOptions,
    playback: PlaybackRange? = nil
  ) {
    self.session = session
    settings = Mutex(playback)
    self.serial = serial
    self.cameraNo = cameraNo
    self.options = options
    let outlet = PlayerOutlet()
    let driver = PlayerDriver(
      link: session.link, serial: serial, cameraNo: cameraNo, options: options, outlet: outlet,
      cloudArchive: CloudArchive(session: session, serial: serial, cameraNo: cameraNo))
    let (stream, commands) = AsyncStream<PlayerCommand>.makeStream()
    self.outlet = outlet
    self.driver = driver
    self.commands = commands
    // Holds the driver, not the player: it ends when the player's end of the stream does.
    work = Task { @RTCActor in
      for await command in stream { driver.perform(command) }
      await driver.release()
    }
    session.link.prepare()
  }

  deinit {
    outlet.finish()
    commands.finish()
  }

  /// What happens, in order, from the first start on. One reader; the newest 256 are kept. Ends with the player.
  public var events: AsyncStream<PlayerEvent> { outlet.events }

  /// Pictures as they come; one that is slow to be read gives way to the next. One reader. Ends with the player.
  public var frames: AsyncStream<VideoFrame> { outlet.frames }

  /// Calls `sink` with each picture, one call at a time, on a thread of the player's. When `stop()` has returned,
  /// no call runs or follows; so a sink must not wait for the thread that stops the player.
  public func onFrame(_ sink: (@Sendable (VideoFrame) -> Void)?) { outlet.setSink(sink) }

  /// Shows the pictures there; nil: nowhere. The surface stays open when the view stops.
  public func show(on surface: (any FrameSurface)?) { outlet.setSurface(surface) }

  /// Calls `observer` with each event, besides the stream; the promise of ``onFrame(_:)`` holds for it too.
  public func onEvent(_ observer: (@Sendable (PlayerEvent) -> Void)?) { outlet.setObserver(observer) }

  /// Whether a view is under way (connecting counts).
  public var isActive: Bool { outlet.isActive }

  /// Starts the view.
  /// - Returns: false when one is under way already; then nothing changes.
  @discardableResult
  public func start() -> Bool {
    guard let run = outlet.begin() else { return false }
    commands.yield(.start(run: run, range))
    return true
  }

  /// Stops the view. No event, no picture and no call of a sink follows `stopped`.
  /// - Returns: false when none was under way.
  @discardableResult
  public func stop() -> Bool {
    guard outlet.end() else { return false }
    commands.yield(.stop)
    return true
  }

  /// Stops the view, if one is under way, and waits until all that it held is released. The player is of no use
  /// afterwards; its streams end.
  public func close() async {
    stop()
    outlet.finish()
    commands.finish()
    await work.value
  }

  /// Changes the definition. A running view switches at the next key frame, without a restart.
  public func setVideoLevel(_ level: VideoLevel) { commands.yield(.videoLevel(level)) }

  /// Plays the sound; the loudspeaker is opened only now. Without one the view goes on and `soundFailed` comes.
  public func openSound() { commands.yield(.sound(true)) }

  /// Ends the sound and closes the loudspeaker.
  public func closeSound() { commands.yield(.sound(false)) }

  /// Begins to write pictures and sound, as they are, to an MP4 file. It starts at the next key frame, which is
  /// asked for. While the view is starting, this waits for it.
  /// - Throws: `OrielError` 720004 when no view is under way, 720002 when the file cannot be made, 400002 when
  ///   a recording is under way, the view's own number when it fails.
  public func startRecording(to path: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      guard case .enqueued = commands.yield(.startRecording(path, continuation)) else {
        return continuation.resume(throwing: OrielError(.noPicture))
      }
    }
  }

  /// Ends the recording. When the view stops first, the file is finished all the same and this tells of it.
  /// - Throws: `OrielError` 720003 when no picture came, 720001 when the disk became full (what was written
  ///   until then is kept).
  @discardableResult
  public func stopRecording() async throws -> ClipSummary {
    try await withCheckedThrowingContinuation { continuation in
      guard case .enqueued = commands.yield(.stopRecording(continuation)) else {
        return continuation.resume(throwing: OrielError(.nothingRecorded))
      }
    }
  }

  /// The last picture as a JPEG.
  /// - Parameter quality: 1...100.
  /// - Throws: `OrielError` 720004 before the first picture, 400002 for another quality.
  public func captureJPEG(quality: Int = 85) throws -> [UInt8] {
    guard (1...100).contains(quality) else { throw OrielError(.argumentError, "quality is 1...100") }
    guard let frame = outlet.lastFrame else { throw OrielError(.noPicture) }
    return try numbered { try JPEGImage.encode(frame, quality: quality) }
  }

  /// The last picture; nil before the first.
  public var lastFrame: VideoFrame? { outlet.lastFrame }

  func yield(_ command: PlayerCommand) { commands.yield(command) }

  /// The view in figures, now.
  public var statistics: PlayerStatistics { get async { await driver.statistics() } }

  /// Bytes of media received since the start, without waiting for anything.
  public var receivedBytes: UInt64 { driver.receivedBytes.load(ordering: .relaxed) }
}

/// What a player asks of its driver, in order.
enum PlayerCommand: Sendable {
  case start(run: Int, PlaybackRange?)
  case stop
  case videoLevel(VideoLevel)
  case sound(Bool)
  case startRecording(String, CheckedContinuation<Void, any Error>)
  case stopRecording(CheckedContinuation<ClipSummary, any Error>)
  /// A text on the data channel; lost while that is not open.
  case send(String)
  case playback(PlaybackOrder)
  case talk(TalkOrder)
}
