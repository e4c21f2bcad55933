import Foundation
import OrielMedia
import OrielModel

/// Records one stream of one camera into a store: files of a minute, each cut at a key frame.
///
/// It runs on a queue of its own and may wait for the disk there. What the disk refuses is kept for a while and tried
/// again; a disk that comes back is recorded on without anybody's doing.
actor Recorder {
  /// A file ends with the first key frame after this.
  static let fileLength = Duration.seconds(60)
  /// What a place for a new file must have room for, milliseconds.
  static let room: Int64 = 120_000
  static let preRoll = Duration.seconds(5)
  static let postRoll = Duration.seconds(10)
  /// Between two tries to begin a file.
  static let retryInterval = Duration.seconds(2)

  nonisolated let inlet = RecorderInlet()
  private let store: RecordingStore
  private let mode: RecordingMode
  nonisolated let cameraNo: Int
  private let stream: MediaStream
  private let hasAudio: Bool
  private let serial: String?
  private let onState: @Sendable (OrielError?) -> Void
  private let queue = DiskQueue("oriel.recorder")
  private var timeline = RecordingTimeline()
  private var running: Running?
  private var preRoll = PreRoll(length: Recorder.preRoll)
  /// Media time at which an event's recording ends.
  private var eventEnd: Duration?
  private var latest = Duration.zero
  private var retryAt: Duration?
  /// The sound is encoded in another way than the running file can hold.
  private var hasNewSound = false
  private var failure: OrielError?
  private var work: Task<Void, Never>?

  private struct Running {
    var writer: RecordingWriter<RecordingFileSink>
    let key: RecordingKey
    let begin: Duration
    /// UTC milliseconds: where the next recording lies.
    let limit: Int64
    var reported: Int64
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// - Parameter onState: told the number when recording fails, and nil when it goes on.
  init(
    store: RecordingStore, mode: RecordingMode, cameraNo: Int, stream: MediaStream = .main,
    hasAudio: Bool = true,
    serial: String? = nil, onState: @escaping @Sendable (OrielError?) -> Void = { _ in }
  ) {
    self.store = store
    self.mode = mode
    self.cameraNo = cameraNo
    self.stream = stream
    self.hasAudio = hasAudio
    self.serial = serial
    self.onState = onState
  }

  deinit { inlet.finish() }

  func start() {
    guard work == nil else { return }
    work = Task { [inlet, weak self] in
      for await input in inlet.inputs {
        inlet.taken(input)
        await self?.take(input)
      }
      await self?.endFile()
    }
  }

  /// Returns when the last file is whole.
  func stop() async {
    inlet.finish()
    await work?.value
  }

  private func take(_ input: RecordedInput) async {
    if inlet.takeLeftOut() > 0 { report(OrielError(.recordingStalled)) }
    switch input {
    case .picture(let unit):
      latest = unit.timestamp
      await take(unit)
    case .sound(let packet): await take(packet)
    case .event(let name): await take(event: name)
    }
  }

  private func take(_ unit: AccessUnit) async {
    let clock = unit.captureTime != 0 ? unit.captureTime : store.clock.now()
    if let eventEnd, unit.timestamp >= eventEnd {
      self.eventEnd = nil
      await endFile()
    }
    guard mode == .continuous || eventEnd != nil else { return preRoll.append(.picture(unit)) }
    if let running, mustEnd(running, unit, clock: clock) { await endFile() }
    if running == nil {
      guard unit.isKeyFrame, retryAt.map({ unit.timestamp >= $0 }) ?? true else { return }
      await beginFile(with: unit, clock: clock)
    }
    await write(unit, clock: clock)
  }

  private func take(_ packet: AudioPacket) async {
    guard mode == .continuous || eventEnd != nil else { return preRoll.append(.sound(packet)) }
    guard running != nil else { return }
    // What the disk refused is tried again with the next picture.
    do { try running?.writer.write(packet) } catch MediaFailure.codecChanged { hasNewSound = true } catch {}
  }

  private func take(event name: String) async {
    if stream == .main { await note(name) }
    guard mode == .events else { return }
    let isRunning = eventEnd != nil
    eventEnd = latest + Self.postRoll
    guard !isRunning else { return }
    for input in preRoll.take() {
      switch input {
      case .picture(let unit): await take(unit)
      case .sound(let packet): await take(packet)
      case .event: break
      }
    }
  }

  // MARK: Files

  private func mustEnd(_ running: Running, _ unit: AccessUnit, clock: Int64) -> Bool {
    let length = unit.timestamp - running.begin
    return unit.isKeyFrame && (length >= Self.fileLength || hasNewSound)
      || timeline.hasJumped(clock: clock, media: unit.timestamp)
      || unit.timestamp < running.begin || running.key.startTime + length.milliseconds >= running.limit
  }

  private func beginFile(with unit: AccessUnit, clock: Int64) async {
    retryAt = unit.timestamp + Self.retryInterval
    do {
      let place = try await store.place(cameraNo, stream, clock: clock, room: Self.room)
      let sink = try await makeSink(place.path)
      let kind: RecordKind = mode == .continuous ? .continuous : .event
      let head = RecordingHead(
        startTime: place.key.startTime, cameraNo: cameraNo, stream: stream, kind: kind.rawValue,
        deviceSerial: serial)
      let writer = RecordingWriter(sink: sink, head: head, video: unit.codec, hasAudio: hasAudio)
      try await store.began(
        StoredRecording(
          path: place.path, cameraNo: cameraNo, stream: stream, kind: kind, startTime: place.key.startTime,
          endTime: place.key.startTime, size: 0, isGrowing: true, isLocked: false, isUploaded: false,
          isEncrypted: false))
      running = Running(
        writer: writer, key: place.key, begin: unit.timestamp, limit: place.limit,
        reported: place.key.startTime)
      timeline.begin(clock: clock, media: unit.timestamp)
      report(nil)
    } catch { report(Self.number(error)) }
  }

  /// A full disk is given room once before that is a failure.
  private func makeSink(_ path: String) async throws -> RecordingFileSink {
    do { return try RecordingFileSink(path: path) } catch MediaFailure.storageFull {
      guard await store.makeRoom() else { throw OrielError(.diskFull) }
      return try RecordingFileSink(path: path)
    }
  }

  private func write(_ unit: AccessUnit, clock: Int64) async {
    guard running != nil else { return }
    do {
      try running?.writer.write(unit)
      if failure != nil { report(nil) }
    } catch MediaFailure.codecChanged {
      await endFile()
      guard unit.isKeyFrame else { return }
      await beginFile(with: unit, clock: clock)
      try? running?.writer.write(unit)
    } catch MediaFailure.storageFull {
      if await !store.makeRoom() { report(OrielError(.diskFull)) }
    } catch MediaFailure.closed {
      await endFile()
    } catch { report(Self.number(error)) }
    await tellGrowth()
  }

  private func tellGrowth() async {
    guard let running, running.writer.endTime > running.reported else { return }
    self.running?.reported = running.writer.endTime
    do {
      try await store.grew(running.key, endTime: running.writer.endTime, size: running.writer.summary.size)
    } catch {
      // The next key frame begins a new file, as soon as there is a place for it.
      await endFile()
      report(Self.number(error))
    }
  }

  private func endFile() async {
    guard var ending = running else { return }
    running = nil
    hasNewSound = false
    _ = try? ending.writer.finish()
    do {
      try await store.ended(ending.key, endTime: ending.writer.endTime, size: ending.writer.summary.size)
    } catch { report(Self.number(error)) }
    retryAt = nil
  }

  // MARK: Events

  /// Notes it at the time that the pictures of now have in the recordings.
  private func note(_ name: String) async {
    var now = store.clock.now()
    if let running { now = running.key.startTime + (latest - running.begin).milliseconds }
    let event = RecordedEvent(
      cameraNo: cameraNo, startTime: max(0, now - Self.preRoll.milliseconds),
      endTime: now + Self.postRoll.milliseconds, name: name)
    do { try await store.note(event) } catch { report(Self.number(error)) }
  }

  // MARK: State

  private func report(_ error: OrielError?) {
    guard error?.code != failure?.code else { return }
    failure = error
    onState(error)
  }

  private static func number(_ error: any Error) -> OrielError {
    switch error {
    case let error as OrielError: error
    case MediaFailure.storageFull: OrielError(.diskFull)
    case MediaFailure.notWritable: OrielError(.recordingsFolder)
    case let error as MediaFailure: error.orielError
    default: OrielError(.recordingsFolder)
    }
  }
}
