import OrielMedia
import OrielModel
import OrielRTC
import Synchronization

/// What a view makes of pictures and sound, wherever they come from: decodes, sounds, writes clips.
@RTCActor
final class ViewMedia {
  private(set) var pictures: PictureFlow?
  private let options: PlayerOptions
  private let outlet: PlayerOutlet
  private let sound: SoundFlow
  private var isSoundWanted = false
  private var recording: ClipRecording?
  /// What a clip is made of, once it is known.
  private var form: (codec: VideoCodec, hasSound: Bool)?
  private var videoLine = MediaTimeline()
  private var soundLine = MediaTimeline()
  private var soundStamps = TimestampUnwrapper(clockRate: 48_000)
  private var startedAt: Int64 = 0
  private var isRunning = false
  /// What is being let go of; waited for at the end.
  private var leftovers: [Task<Void, Never>] = []

  /// A clip or the sound ended by itself.
  var emit: ((PlayerEvent) -> Void)?
  /// A clip begins with a key frame.
  var needsKeyFrame: (() -> Void)?

  nonisolated init(options: PlayerOptions, outlet: PlayerOutlet) {
    self.options = options
    self.outlet = outlet
    sound = SoundFlow(outputs: options.outputs)
  }

  // MARK: Run

  func start(_ run: Int, isPlayback: Bool) -> PictureFlow {
    startedAt = RTCActor.monotonicMicroseconds
    isRunning = true
    form = nil
    videoLine = MediaTimeline()
    soundLine = MediaTimeline()
    let pictures = PictureFlow(outputs: options.outputs, outlet: outlet, run: run, isPlayback: isPlayback)
    // The form that cameras have as a rule: its decoder is ready when the first picture comes.
    pictures.prepare(.h264)
    self.pictures = pictures
    if isSoundWanted { openSound() }
    return pictures
  }

  /// The time stamps begin anew.
  func startSession() {
    videoLine.startSession()
    soundLine.startSession()
    soundStamps = TimestampUnwrapper(clockRate: 48_000)
  }

  /// What comes is of this form: decoder and clip are made for it.
  func expect(_ codec: VideoCodec, hasSound: Bool) {
    form = (codec, hasSound)
    pictures?.prepare(codec)
    openRecordingIfWaiting()
  }

  func stop() {
    isRunning = false
    recording?.end()
    sound.stop()
    isSoundWanted = false
    if let pictures {
      pictures.close()
      leftovers.append(Task { await pictures.finished() })
    }
    pictures = nil
    prune()
  }

  /// The view has failed: a clip that waits for it hears why.
  func failed(_ error: OrielError) {
    recording?.end(because: recording?.isWaiting == true ? error : nil)
  }

  /// Waits until everything is released.
  func finished() async {
    for task in leftovers { await task.value }
    await sound.finished()
  }

  /// Is waited for at the end.
  func keep(_ task: Task<Void, Never>) {
    leftovers.append(task)
    prune()
  }

  /// Tasks that have ended need not be kept for a player that is started a thousand times.
  private func prune() {
    guard leftovers.count > 8 else { return }
    let former = leftovers
    leftovers = [Task { for task in former { await task.value } }]
  }

  // MARK: Media

  /// Puts a picture on the line of the view's time.
  /// - Parameter arrival: on the loop's clock, microseconds.
  func place(_ unit: inout AccessUnit, arrival: Int64) {
    unit.timestamp = videoLine.place(unit.timestamp, arrival: .microseconds(arrival - startedAt))
  }

  /// Identity for now: here an encrypted unit is opened.
  func take(_ unit: AccessUnit) {
    pictures?.decode(unit)
    if let error = recording?.write(unit) { emit?(.recordingFailed(error)) }
  }

  /// As ``takeSound(_:_:arrival:)`` of sound that somebody else plays.
  func noteSound(_ bytes: [UInt8], _ timestamp: UInt32, arrival: Int64) {
    let time = soundLine.place(soundStamps.time(of: timestamp), arrival: .microseconds(arrival - startedAt))
    if let error = recording?.write(AudioPacket(timestamp: time, bytes: bytes)) {
      emit?(.recordingFailed(error))
    }
  }

  func takeSound(_ bytes: [UInt8], _ timestamp: UInt32, arrival: Int64) {
    takeSound(bytes, soundStamps.time(of: timestamp), arrival: arrival)
  }

  func takeSound(_ bytes: [UInt8], _ stamp: Duration, arrival: Int64) {
    let time = soundLine.place(stamp, arrival: .microseconds(arrival - startedAt))
    let packet = AudioPacket(timestamp: time, bytes: bytes)
    sound.play(packet)
    if let error = recording?.write(packet) { emit?(.recordingFailed(error)) }
  }

  // MARK: Sound and clips

  func setSound(_ isWanted: Bool) {
    isSoundWanted = isWanted
    if !isWanted { return sound.stop() }
    if isRunning { openSound() }
  }

  private func openSound() {
    sound.start { [weak self] error in
      self?.isSoundWanted = false
      self?.emit?(.soundFailed(error))
    }
  }

  func startRecording(_ path: String, _ starter: CheckedContinuation<Void, any Error>) {
    guard isRunning else { return starter.resume(throwing: OrielError(.noPicture)) }
    guard recording == nil || recording?.hasFailedToOpen == true else {
      return starter.resume(throwing: OrielError(.argumentError, "a recording is under way; stop it first"))
    }
    recording = ClipRecording(path: path, starter: starter)
    openRecordingIfWaiting()
  }

  private func openRecordingIfWaiting() {
    guard let recording, recording.isWaiting, let form else { return }
    recording.open(codec: form.codec, hasAudio: form.hasSound) { [weak self] in self?.needsKeyFrame?() }
  }

  func stopRecording(_ continuation: CheckedContinuation<ClipSummary, any Error>) {
    guard let recording else { return continuation.resume(throwing: OrielError(.nothingRecorded)) }
    self.recording = nil
    recording.end()
    keep(
      Task {
        do { continuation.resume(returning: try await recording.result()) } catch {
          continuation.resume(throwing: error)
        }
      })
  }
}
