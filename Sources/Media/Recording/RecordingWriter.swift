/// What a finished recording holds.
public struct RecordingSummary: Sendable, Equatable {
  public var duration: Duration
  public var pictures: Int
  /// Bytes.
  public var size: Int64

  public init(duration: Duration, pictures: Int, size: Int64) {
    self.duration = duration
    self.pictures = pictures
    self.size = size
  }
}

/// Writes access units and packets of sound as they are into a recording: a fragmented MP4 (ISO/IEC 14496-12
/// section 8.8) that only ever grows at its end.
///
/// A fragment begins at each key frame and lasts no longer than `fragmentLimit`; it goes to the sink in one
/// append. What is in the sink is a whole recording at every moment. The head goes with the first fragment: it says
/// how the sound is encoded, which is known when the first packet of it came.
public struct RecordingWriter<Sink: RecordingSink> {
  public let head: RecordingHead
  /// The pictures that are surely in the sink end here, UTC milliseconds.
  public private(set) var endTime: Int64

  private var sink: Sink
  private let codec: VideoCodec
  private let fragmentLimit: Duration
  private var video = RecordingTrack(id: 1, timescale: 90_000, lastDuration: 3000)
  private let hasAudio: Bool
  private var audio: RecordingTrack?
  /// How the sound of this file is encoded, once that is settled.
  private var form: AudioForm?
  private var sets = ParameterSets()
  private var entry: VideoSampleEntry?
  private var start = Duration.zero
  private var fragments = 0
  private var pictures = 0
  private var size = 0
  private var keyFrames: [RecordingBoxes.KeyFrame] = []
  private var lastSync = 0
  private var isFinished = false

  /// A power cut takes no more than this of what was recorded, in milliseconds.
  static var syncInterval: Int { 5000 }
  /// What waits for a disk that refuses it, in bytes; more is given up.
  static var backlogLimit: Int { 16 << 20 }

  /// - Parameter fragmentLimit: 100 ms...10 s; a picture that lasts longer is a fragment of its own.
  public init(
    sink: Sink, head: RecordingHead, video codec: VideoCodec, hasAudio: Bool,
    fragmentLimit: Duration = .milliseconds(500)
  ) {
    self.sink = sink
    // What is out of range is written so that it can be read again.
    var head = head
    head.startTime = min(max(head.startTime, 0), RecordingHead.latestTime)
    self.head = head
    self.codec = codec
    self.fragmentLimit = min(max(fragmentLimit, .milliseconds(100)), .seconds(10))
    endTime = head.startTime
    self.hasAudio = hasAudio
  }

  /// Units before the first key frame are passed over; `head.startTime` is the time of that frame.
  /// - Throws: ``MediaFailure/codecChanged``: the codec, the picture's size or another parameter set changed.
  ///   The unit was not taken: finish, and begin a new file with it.
  ///   ``MediaFailure/storageFull(kept:)``, ``MediaFailure/notWritable``: the unit was taken, and the next
  ///   write tries to bring it to the sink again. ``MediaFailure/closed``: more than 16 MB wait: begin a new file.
  public mutating func write(_ unit: AccessUnit) throws {
    guard !isFinished, video.backlog < Self.backlogLimit else { throw MediaFailure.closed }
    guard unit.codec == codec else { throw MediaFailure.codecChanged }
    var newSets = sets
    let sample = FileSample.bytes(of: unit, codec: codec, keeping: &newSets, leavingOut: entry?.sets)
    guard !sample.isEmpty else {
      if entry == nil { sets = newSets }
      return
    }
    if let entry {
      guard newSets == entry.sets else { throw MediaFailure.codecChanged }
    } else {
      sets = newSets
      guard unit.isKeyFrame, var first = VideoSampleEntry(codec: codec, sets: sets) else { return }
      first.isEncrypted = head.isEncrypted
      start = unit.timestamp
      entry = first
    }
    try add(sample, unit)
  }

  /// Sound before the first picture is passed over, and all sound when the recording was begun without.
  /// - Throws: as for pictures. ``MediaFailure/codecChanged``: the sound is encoded in another way than at this
  ///   file's start. It was not taken; a new file would have it.
  public mutating func write(_ packet: AudioPacket) throws {
    guard !isFinished, (audio?.backlog ?? 0) < Self.backlogLimit else { throw MediaFailure.closed }
    guard entry != nil, hasAudio, !packet.bytes.isEmpty, packet.timestamp >= start else { return }
    let track = settle(packet.form)
    guard packet.form == form else { throw MediaFailure.codecChanged }
    let time = track.ticks(packet.timestamp - start)
    audio?.closeOpen(until: time)
    audio?.begin(packet.bytes, isKey: true, at: time)
    // Pictures bring the sound along; when they stop it goes alone.
    if let audio, audio.pendingTicks >= audio.ticks(fragmentLimit) * 3 / 2 { try flush() }
  }

  /// Ends the recording: brings what waits to the sink, appends the table of key frames for players, and
  /// closes the sink.
  /// - Throws: ``MediaFailure/nothingRecorded`` when no picture came and the sink holds nothing;
  ///   ``MediaFailure/storageFull(kept:)``, ``MediaFailure/notWritable``: not all of it came to the sink, which
  ///   is closed all the same; ``summary`` says what did. ``MediaFailure/closed`` the second time.
  public mutating func finish() throws -> RecordingSummary {
    guard !isFinished else { throw MediaFailure.closed }
    isFinished = true
    var failure: (any Error)?
    do {
      guard entry != nil else { throw MediaFailure.nothingRecorded }
      video.closeLast()
      audio?.closeLast()
      try flush()
      // Without this table the recording is whole all the same.
      try? append(RecordingBoxes.randomAccess(keyFrames))
      try sink.sync()
    } catch {
      failure = error
    }
    do { try sink.close() } catch { failure = failure ?? error }
    if let failure { throw failure }
    return summary
  }

  /// What is surely in the sink.
  public var summary: RecordingSummary {
    RecordingSummary(
      duration: .milliseconds(endTime - head.startTime), pictures: pictures, size: Int64(size))
  }

  private mutating func add(_ sample: [UInt8], _ unit: AccessUnit) throws {
    let time = video.ticks(max(unit.timestamp - start, .zero))
    // A picture that lasted longer than the others may not fit any more.
    if video.hasPending, video.pendingTicks + video.openDuration(until: time) > video.ticks(fragmentLimit) {
      try? flush()
    }
    video.closeOpen(until: time)
    video.begin(sample, isKey: unit.isKeyFrame, at: time)
    if unit.isKeyFrame || video.isFull(fragmentLimit) { try flush() }
  }

  /// From now on the sound of this file is encoded so, if that was open.
  private mutating func settle(_ new: AudioForm) -> RecordingTrack {
    if let audio { return audio }
    let ticks = Int((new.packetDuration / .seconds(1) * Double(new.clockRate)).rounded())
    let track = RecordingTrack(id: 2, timescale: new.clockRate, lastDuration: ticks)
    (form, audio) = (new, track)
    return track
  }

  private mutating func appendHead() throws {
    guard let entry else { return }
    if hasAudio { _ = settle(.opus) }
    var boxes = ClipBoxes(
      videoEntries: [entry], audioEntry: form.map { AudioSampleEntry($0) }, extra: head.box())
    boxes.audioEntry?.isEncrypted = head.isEncrypted
    let tracks = [video, audio].compactMap { $0 }.map {
      ClipTrack(id: $0.id, timescale: $0.timescale, lastDuration: 0)
    }
    try append(ClipBoxes.fileType() + boxes.movie(tracks: tracks, duration: 0, isFragmented: true))
  }

  private mutating func flush() throws {
    let runs = [video.run] + (audio.map { [$0.run] } ?? [])
    guard runs.contains(where: { !$0.samples.isEmpty }) else { return }
    if size == 0 { try appendHead() }
    var fragment = ClipBoxes.fragment(number: fragments + 1, runs: runs)
    fragment.append(contentsOf: video.bytes)
    if let audio { fragment.append(contentsOf: audio.bytes) }
    let position = size
    try append(fragment)
    fragments += 1
    pictures += video.pending.count
    if video.pending.first?.isKey == true {
      keyFrames.append(RecordingBoxes.KeyFrame(time: video.baseTime, position: position))
    }
    let audioEnd = (audio?.commit() ?? 0) * 1000 / (audio?.timescale ?? 1000)
    if video.hasPending { endTime = head.startTime + Int64(video.commit() / 90) }
    let end = max(Int(endTime - head.startTime), audioEnd)
    if end - lastSync >= Self.syncInterval {
      try sink.sync()
      lastSync = end
    }
  }

  private mutating func append(_ bytes: [UInt8]) throws {
    try sink.append(bytes)
    size += bytes.count
  }
}

extension RecordingWriter: Sendable where Sink: Sendable {}
