/// What a recording gives back.
public enum RecordedSample: Sendable {
  /// `timestamp` counts from the recording's start, `captureTime` is the head's start time and that.
  case video(AccessUnit)
  /// `timestamp` counts from the recording's start.
  case audio(AudioPacket)

  /// From the recording's start.
  public var timestamp: Duration {
    switch self {
    case .video(let unit): unit.timestamp
    case .audio(let packet): packet.timestamp
    }
  }
}

/// Reads pictures and sound out of a recording.
public struct RecordingReader<Source: RangeSource>: Sendable {
  public let source: Source
  /// May be replaced by one that was extended.
  public var map: FragmentMap

  public init(source: Source, map: FragmentMap) {
    self.source = source
    self.map = map
  }

  /// The samples of a fragment in the order of time. Key frames have their parameter sets in front.
  ///
  /// From one fragment to the next sound and pictures may overlap by some packets; each by itself is in order.
  /// - Parameter keyFramesOnly: only the pictures that decoding may start at, and no sound.
  /// - Throws: ``MediaFailure/malformed(_:)`` when the bytes are not what the map says; whatever the source
  ///   throws.
  public func samples(
    of fragment: FragmentMap.Fragment, keyFramesOnly: Bool = false
  ) async throws -> [RecordedSample] {
    // A map may have come over a network.
    guard fragment.range.lowerBound >= 0,
      (16...RecordingLimits.fragmentSize).contains(Int64(fragment.range.count)),
      (16...fragment.range.count).contains(fragment.headSize), map.tracks.allSatisfy({ $0.timescale > 0 })
    else { throw MediaFailure.malformed("a fragment that cannot be") }
    if keyFramesOnly {
      guard fragment.startsWithKeyFrame else { return [] }
      let front = try await source.read(
        fragment.range.lowerBound..<fragment.range.lowerBound + Int64(fragment.headSize))
      let head = try read(front, fragment)
      guard let track = map.tracks.first(where: { $0.video != nil }),
        let last = head.runs.first(where: { $0.track == track.id })?.samples.last(where: \.isKey)
      else { return [] }
      let end = fragment.range.lowerBound + Int64(last.offset + last.size)
      let bytes = try await source.read(fragment.range.lowerBound..<end)
      return try samples(bytes, head) { $0.video != nil && $1.isKey }
    }
    let bytes = try await source.read(fragment.range)
    return try samples(bytes, try read(bytes, fragment)) { _, _ in true }
  }

  private func read(_ bytes: [UInt8], _ fragment: FragmentMap.Fragment) throws -> FragmentHead {
    var reader = BoxReader(bytes[...])
    guard let box = reader.header(), box.type == boxType("moof"), box.size <= bytes.count else {
      throw MediaFailure.malformed("a fragment is not where it was")
    }
    return try FragmentHead(
      BoxReader(bytes[box.headerSize..<Int(box.size)]), size: Int64(fragment.range.count))
  }

  private func samples(
    _ bytes: [UInt8], _ head: FragmentHead, where isWanted: (RecordedTrack, FragmentHead.Sample) -> Bool
  ) throws -> [RecordedSample] {
    var samples: [RecordedSample] = []
    for run in head.runs {
      guard let track = map.tracks.first(where: { $0.id == run.track }) else { continue }
      for sample in run.samples where isWanted(track, sample) {
        guard sample.offset >= 0, sample.offset + sample.size <= bytes.count else {
          throw MediaFailure.malformed("a fragment is shorter than it was")
        }
        let body = bytes[sample.offset..<sample.offset + sample.size]
        samples.append(
          try track.video.map { .video(try unit(body, sample, track, $0)) }
            ?? .audio(packet(body, sample, track)))
      }
    }
    // Stable: pictures stay before the sound of the same instant.
    return samples.sorted { $0.timestamp < $1.timestamp }
  }

  private func unit(
    _ body: ArraySlice<UInt8>, _ sample: FragmentHead.Sample, _ track: RecordedTrack, _ codec: VideoCodec
  ) throws -> AccessUnit {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      body.count + (sample.isKey ? track.parameterSets.reduce(0) { $0 + $1.count + 4 } : 0))
    if sample.isKey {
      for set in track.parameterSets { set.withUnsafeBytes { AnnexB.append($0, to: &bytes) } }
    }
    var reader = BoxReader(body)
    while reader.rest > 0 {
      let count = Int(try reader.u32())
      guard count > 0 else { throw MediaFailure.malformed("a picture of zeros") }
      bytes.append(contentsOf: AnnexB.startCode)
      bytes.append(contentsOf: try reader.bytes(count))
    }
    let time = Int64(sample.time) * 1000 / Int64(track.timescale)
    return AccessUnit(
      codec: codec, isKeyFrame: sample.isKey, timestamp: duration(sample.time, track),
      captureTime: map.head.startTime + time, bytes: bytes)
  }

  /// A gap in the sound makes the packet before it long in the file, longer than any packet of Opus is (RFC 6716
  /// section 2.1.4).
  private func packet(
    _ body: ArraySlice<UInt8>, _ sample: FragmentHead.Sample, _ track: RecordedTrack
  ) -> AudioPacket {
    let long = duration(sample.duration, track)
    let form = track.sound ?? .opus
    return AudioPacket(
      form: form, timestamp: duration(sample.time, track),
      duration: long <= .milliseconds(120) ? long : form.packetDuration, bytes: Array(body))
  }

  private func duration(_ ticks: Int, _ track: RecordedTrack) -> Duration {
    .seconds(ticks / track.timescale)
      + .nanoseconds(Int64(ticks % track.timescale) * 1_000_000_000 / Int64(track.timescale))
  }
}
