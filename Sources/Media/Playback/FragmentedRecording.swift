/// A recording file, on a disk or behind an address, as a playback reads it.
public struct FragmentedRecording<Source: RangeSource>: ReadableRecording {
  public let id: String
  public let source: Source
  public private(set) var map: FragmentMap
  public private(set) var stretch: PlaybackStretch

  /// - Parameter isGrowing: more is being written to it.
  /// - Throws: ``PlaybackFailure/unreadable`` when there is no picture in it.
  public init(id: String, source: Source, map: FragmentMap, isGrowing: Bool) throws {
    self.id = id
    self.source = source
    self.map = map
    stretch = try Self.stretch(of: map, id: id, isGrowing: isGrowing)
  }

  private static func stretch(of map: FragmentMap, id: String, isGrowing: Bool) throws -> PlaybackStretch {
    guard let codec = map.tracks.lazy.compactMap(\.video).first, !map.fragments.isEmpty else {
      throw PlaybackFailure.unreadable
    }
    let start = map.head.startTime
    return PlaybackStretch(
      id: id, stream: map.head.stream, codec: codec,
      fragments: map.fragments.map {
        PlaybackStretch.Fragment(
          time: start + $0.time, endTime: start + $0.time + $0.duration,
          startsWithKeyFrame: $0.startsWithKeyFrame, size: Int64($0.range.count))
      }, isGrowing: isGrowing && !map.isFinished)
  }

  public func samples(of indices: [Int], keyFramesOnly: Bool) async throws
    -> [(index: Int, samples: [PlaybackSample])]
  {
    let reader = RecordingReader(source: source, map: map)
    var all: [(index: Int, samples: [PlaybackSample])] = []
    for index in indices {
      guard map.fragments.indices.contains(index) else { throw PlaybackFailure.unreadable }
      do {
        let samples = try await reader.samples(of: map.fragments[index], keyFramesOnly: keyFramesOnly)
        all.append((index, samples.map { sample($0) }))
      } catch let failure as PlaybackFailure { throw failure } catch { throw PlaybackFailure.unreadable }
    }
    return all
  }

  private func sample(_ sample: RecordedSample) -> PlaybackSample {
    let time = map.head.startTime + Int64(sample.timestamp / .milliseconds(1))
    return switch sample {
    case .video(let unit): .video(unit, time: time)
    case .audio(let packet): .audio(packet, time: time)
    }
  }

  public var headSize: Int64 { Int64(map.headRange.count) }

  public func head() async throws -> [UInt8] { try await whole(map.headRange) }

  public func bytes(of index: Int) async throws -> [UInt8] {
    guard map.fragments.indices.contains(index) else { throw PlaybackFailure.unreadable }
    return try await whole(map.fragments[index].range)
  }

  private func whole(_ range: Range<Int64>) async throws -> [UInt8] {
    do {
      let bytes = try await source.read(range)
      if bytes.count == range.count { return bytes }
    } catch let failure as PlaybackFailure { throw failure } catch {}
    throw PlaybackFailure.unreadable
  }

  public func extended() async throws -> (any ReadableRecording)? {
    var new = self
    let before = map.fragments.count
    do { try await new.map.extend(from: source) } catch { return nil }
    new.stretch = try Self.stretch(of: new.map, id: id, isGrowing: true)
    // A writer that was cut leaves no mark: the archive knows whether one still writes.
    if new.map.fragments.count == before { new.stretch.isGrowing = stretch.isGrowing && !new.map.isFinished }
    return new
  }
}
