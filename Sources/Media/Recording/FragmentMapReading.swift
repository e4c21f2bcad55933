/// Limits of a recording file; over them it is refused.
enum RecordingLimits {
  /// Bytes of ftyp and other boxes in front of moov, and of moov.
  static let headSize: Int64 = 1 << 20
  static let fragmentHeadSize: Int64 = 1 << 20
  static let fragmentSize: Int64 = 256 << 20
  /// 27 hours of 500 ms.
  static let fragments = 200_000
  /// Bytes that are read at a time to find the next boxes.
  static let stride: Int64 = 4096
}

extension FragmentMap {
  /// Reads the boxes of a recording and none of its media.
  ///
  /// What is behind the last whole fragment is no failure: ``isTorn`` says so.
  /// - Throws: ``MediaFailure/unsupported(_:)`` for an MP4 that is no recording of ours;
  ///   ``MediaFailure/malformed(_:)`` when the head is broken or a limit is passed; whatever the source throws.
  public static func read(from source: some RangeSource) async throws -> FragmentMap {
    let size = try await source.size
    var position: Int64 = 0
    while true {
      let front = try await source.read(position..<min(position + 16, size))
      var reader = BoxReader(front[...])
      guard let box = reader.header(), box.size >= box.headerSize else {
        throw MediaFailure.malformed(position == 0 ? "not an MP4 file" : "the head of the file is cut")
      }
      guard position > 0 || box.type == boxType("ftyp") else {
        throw MediaFailure.malformed("not an MP4 file")
      }
      if box.type == boxType("moof") || box.type == boxType("mdat") {
        throw MediaFailure.unsupported("an MP4 that is no recording of Oriel")
      }
      guard box.size <= RecordingLimits.headSize, position <= RecordingLimits.headSize else {
        throw MediaFailure.malformed("a head of more than 1 MB")
      }
      let end = position + box.size
      guard end <= size else { throw MediaFailure.malformed("the head of the file is cut") }
      if box.type == boxType("moov") {
        let body = try await source.read(position + Int64(box.headerSize)..<end)
        let movie = try MovieHead(BoxReader(body[...]))
        var map = FragmentMap(head: movie.head, tracks: movie.tracks, headRange: 0..<end, validSize: end)
        try await map.extend(from: source)
        return map
      }
      position = end
    }
  }

  /// The map of a finished file whose fragments are known already.
  /// - Parameter head: the file's first bytes, ftyp and moov.
  /// - Throws: ``MediaFailure/malformed(_:)``, ``MediaFailure/unsupported(_:)``.
  public init(head bytes: [UInt8], fragments: [Fragment]) throws {
    var position = 0
    while true {
      var reader = BoxReader(bytes[min(position, bytes.count)...])
      guard let box = reader.header(), box.size >= box.headerSize, box.size <= bytes.count - position else {
        throw MediaFailure.malformed("the head of the file is cut")
      }
      let end = position + Int(box.size)
      guard box.type == boxType("moov") else {
        position = end
        continue
      }
      let movie = try MovieHead(BoxReader(bytes[(position + box.headerSize)..<end]))
      self.init(head: movie.head, tracks: movie.tracks, headRange: 0..<Int64(end), validSize: Int64(end))
      break
    }
    guard fragments.count <= RecordingLimits.fragments else {
      throw MediaFailure.malformed("too many fragments")
    }
    self.fragments = fragments
    validSize = fragments.last?.range.upperBound ?? validSize
    isFinished = true
  }

  /// Looks at what was added to a growing file since.
  public mutating func extend(from source: some RangeSource) async throws {
    let size = try await source.size
    guard size >= validSize else { throw MediaFailure.malformed("the file is shorter than it was") }
    isTorn = false
    while validSize < size, !isFinished {
      let window = try await source.read(validSize..<min(validSize + RecordingLimits.stride, size))
      guard try await step(window, source, size) else {
        isTorn = true
        return
      }
    }
    isTorn = validSize < size
  }

  /// Lets go of the last fragments as long as their pictures are not whole: after a loss of power a file may
  /// have its size and not yet its bytes. Reads `limit` fragments at most, and only where the recording was
  /// not ended.
  public mutating func checkEnd(in source: some RangeSource, limit: Int = 40) async throws {
    for _ in 0..<limit {
      guard !isFinished, let last = fragments.last else { return }
      do {
        _ = try await RecordingReader(source: source, map: self).samples(of: last)
        return
      } catch MediaFailure.malformed {
        fragments.removeLast()
        validSize = last.range.lowerBound
        isTorn = true
      }
    }
  }

  /// Takes the next fragment or the table of key frames; false when neither is there whole.
  private mutating func step(_ window: [UInt8], _ source: some RangeSource, _ size: Int64) async throws
    -> Bool
  {
    var reader = BoxReader(window[...])
    guard let box = reader.header(), box.size <= size - validSize else { return false }
    if box.type == boxType("mfra") {
      let end = validSize + box.size
      let tail = try await source.read(end - min(16, box.size)..<end)
      var last = BoxReader(tail[...])
      guard box.size >= 24, last.header()?.type == boxType("mfro"), (try? last.u64()) == UInt64(box.size)
      else { return false }
      validSize = end
      isFinished = true
      return true
    }
    guard box.type == boxType("moof"), box.size <= RecordingLimits.fragmentHeadSize,
      box.size + 16 <= size - validSize
    else { return false }
    var bytes = window
    if Int64(bytes.count) < box.size + 16 {
      bytes = try await source.read(validSize..<validSize + box.size + 16)
    }
    guard Int64(bytes.count) >= box.size + 16 else { return false }
    var media = BoxReader(bytes[Int(box.size)..<Int(box.size) + 16])
    guard let data = media.header(), data.type == boxType("mdat"), data.size <= RecordingLimits.fragmentSize,
      data.size <= size - validSize - box.size
    else { return false }
    guard fragments.count < RecordingLimits.fragments else {
      throw MediaFailure.malformed("more than 200,000 fragments")
    }
    let whole = box.size + data.size
    let body = BoxReader(bytes[box.headerSize..<Int(box.size)])
    guard let head = try? FragmentHead(body, size: whole),
      let fragment = describe(head, headSize: Int(box.size) + data.headerSize, size: whole)
    else { return false }
    fragments.append(fragment)
    validSize += whole
    return true
  }

  private func describe(_ head: FragmentHead, headSize: Int, size: Int64) -> Fragment? {
    guard head.runs.allSatisfy({ run in tracks.contains { $0.id == run.track } }),
      head.runs.allSatisfy({ $0.samples.allSatisfy { $0.offset >= headSize } })
    else { return nil }
    guard let track = tracks.first(where: { $0.video != nil }) else { return nil }
    var fragment = Fragment(
      time: duration, duration: 0, range: validSize..<validSize + size, headSize: headSize,
      startsWithKeyFrame: false)
    // Sound alone takes no time: the picture before it stands still, and may yet be written behind it.
    if let samples = head.runs.first(where: { $0.track == track.id })?.samples, let first = samples.first,
      let last = samples.last
    {
      fragment.time = Int64(first.time) * 1000 / Int64(track.timescale)
      fragment.duration = Int64(last.time + last.duration) * 1000 / Int64(track.timescale) - fragment.time
      fragment.startsWithKeyFrame = first.isKey
    }
    guard fragment.time >= fragments.last?.time ?? 0 else { return nil }
    return fragment
  }
}
