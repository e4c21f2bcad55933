/// A clip while it is made: tracks, file, and the fragments between them.
struct ClipRecording: ~Copyable {
  private enum Phase { case waiting, writing, failed }

  private let codec: VideoCodec
  private let sound: AudioForm?
  private var file: ClipFile
  private var boxes = ClipBoxes(videoEntries: [], audioEntry: nil)
  private var video = ClipTrack(id: 1, timescale: 90_000, lastDuration: 3000)
  private var audio: ClipTrack?
  private var phase = Phase.waiting
  private var failure: MediaFailure?
  private var start = Duration.zero
  private var sets = ParameterSets()
  private var headPosition = 0
  private var bodyPosition = 0
  private var fragments = 0

  /// A fragment is written at a key frame, or when it holds so many ticks of video.
  private static let fragmentTicks = 90_000

  init(path: String, codec: VideoCodec, sound: AudioForm?) throws {
    self.codec = codec
    file = try ClipFile(path: path)
    self.sound = sound
    audio = sound.map {
      ClipTrack(
        id: 2, timescale: $0.clockRate,
        lastDuration: Int(($0.packetDuration / .seconds(1) * Double($0.clockRate)).rounded()))
    }
    boxes.audioEntry = sound.map { AudioSampleEntry($0) }
  }

  mutating func add(_ unit: AccessUnit) throws {
    if let failure { throw failure }
    let sample = read(unit)
    guard !sample.isEmpty else { return }
    if phase == .waiting {
      guard unit.isKeyFrame, let entry = VideoSampleEntry(codec: codec, sets: sets) else { return }
      boxes.videoEntries = [entry]
      start = unit.timestamp
      try begin()
    } else if unit.isKeyFrame, let entry = VideoSampleEntry(codec: codec, sets: sets),
      entry != boxes.videoEntries.last, boxes.videoEntries.count < 1000
    {
      boxes.videoEntries.append(entry)
    }
    video.add(sample, at: unit.timestamp, isKey: unit.isKeyFrame, entry: boxes.videoEntries.count)
    if (unit.isKeyFrame && !video.pending.isEmpty) || video.pendingTicks >= Self.fragmentTicks {
      try writeFragment()
    }
  }

  mutating func add(_ packet: AudioPacket) throws {
    if let failure { throw failure }
    guard phase == .writing, let audio, packet.form == sound, !packet.bytes.isEmpty, packet.timestamp >= start
    else { return }
    if audio.isEmpty {
      self.audio?.startOffset = Int(
        ((packet.timestamp - start) / .seconds(1) * Double(audio.timescale)).rounded())
      boxes.audioEntry = AudioSampleEntry(packet)
    }
    self.audio?.add(packet.bytes, at: packet.timestamp, isKey: true, entry: 1)
  }

  /// Ends the file and says what it holds.
  mutating func finish() throws -> ClipSummary {
    if let failure { throw failure }
    guard phase == .writing else {
      file.discard()
      throw MediaFailure.nothingRecorded
    }
    video.closeLast()
    audio?.closeLast()
    try writeFragment()
    let end = file.size
    let whole = boxes.movie(tracks: usedTracks, duration: duration, isFragmented: false)
    do {
      // Until the header in front covers the fragments the file is a fragmented one with a second moov at
      // its end, which players pass over.
      try file.append([whole])
      try file.put(ClipBoxes.coveringHeader(size: end - headPosition), at: headPosition)
    } catch {
      // No room for the tables: what is there plays as a fragmented file once its duration is written.
      try? patchDuration()
    }
    return summary
  }

  private var tracks: [ClipTrack] { [video] + (audio.map { [$0] } ?? []) }
  private var usedTracks: [ClipTrack] { tracks.filter { !$0.samples.isEmpty } }
  private var duration: Int { tracks.map { $0.samples.isEmpty ? 0 : $0.endMilliseconds }.max() ?? 0 }

  private var summary: ClipSummary {
    ClipSummary(
      path: file.path, duration: .milliseconds(duration), pictures: video.samples.count,
      audioPackets: audio?.samples.count ?? 0, size: Int64(file.size))
  }

  private mutating func begin() throws {
    do {
      try file.empty()
      let type = ClipBoxes.fileType()
      let place = ClipBoxes.placeholder()
      headPosition = type.count
      bodyPosition = type.count + place.count
      try file.append([type, place, boxes.movie(tracks: tracks, duration: 0, isFragmented: true)])
      phase = .writing
    } catch {
      failure = error is ClipFile.Trouble ? fullOrNot(error, kept: nil) : .notWritable
      throw failure ?? .notWritable
    }
  }

  private mutating func writeFragment() throws {
    guard !video.pending.isEmpty || audio?.pending.isEmpty == false else { return }
    fragments += 1
    let head = ClipBoxes.fragment(number: fragments, runs: tracks.map(\.run))
    let position = file.size + head.count
    do {
      try file.append([head, video.pendingBytes, audio?.pendingBytes ?? []])
    } catch {
      try? patchDuration()
      failure = fullOrNot(error, kept: video.samples.isEmpty ? nil : summary)
      throw failure ?? .notWritable
    }
    let videoSize = video.pendingBytes.count
    video.commit(at: position)
    audio?.commit(at: position + videoSize)
  }

  /// Writes the durations into the first moov, which needs no room.
  private func patchDuration() throws {
    try file.put(boxes.movie(tracks: tracks, duration: duration, isFragmented: true), at: bodyPosition)
  }

  private func fullOrNot(_ error: any Error, kept: ClipSummary?) -> MediaFailure {
    if case ClipFile.Trouble.full = error { return .storageFull(kept: kept) }
    return .notWritable
  }

  /// Parameter sets that the head of the file holds are left out.
  private mutating func read(_ unit: AccessUnit) -> [UInt8] {
    FileSample.bytes(of: unit, codec: codec, keeping: &sets, leavingOut: boxes.videoEntries.first?.sets)
  }
}
