import Foundation
import OrielMedia
import Testing

/// Small pictures that no decoder needs to understand, behind parameter sets of a real stream.
struct SmallStream {
  var sets: [[UInt8]]
  var codec = VideoCodec.h264

  static func h264() async throws -> SmallStream {
    let record = await recordingSource.value
    let key = try #require(record.main.first)
    return SmallStream(
      sets: nalUnits(key.bytes).filter { [7, 8].contains($0[$0.startIndex] & 31) }.map(Array.init))
  }

  func unit(_ number: Int, at time: Duration, isKey: Bool) -> AccessUnit {
    var bytes: [UInt8] = []
    if isKey { for set in sets { bytes += [0, 0, 0, 1] + set } }
    let header: [UInt8] = codec == .h264 ? [isKey ? 0x65 : 0x41] : [isKey ? 0x26 : 0x02, 1]
    bytes += [0, 0, 0, 1] + header + [0x80 | UInt8(number & 0x7F), UInt8(number >> 7 & 0x7F) | 0x80]
    return AccessUnit(codec: codec, isKeyFrame: isKey, timestamp: time, bytes: bytes)
  }
}

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(1))) struct RecordingFormTests {
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("oriel-recording-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// A recording of the test source in memory.
    private func recording(
      isEncrypted: Bool = false, hasAudio: Bool = true, isFinished: Bool = true
    ) async throws -> [UInt8] {
      var head = recordingHead
      head.isEncrypted = isEncrypted
      let sink = MemorySink()
      var writer = RecordingWriter(sink: sink, head: head, video: .h264, hasAudio: hasAudio)
      try feed(await recordingSource.value, to: &writer)
      if isFinished { _ = try writer.finish() }
      return sink.bytes
    }

    @Test func fragmentsBeginAtKeyFramesAndAreShort() async throws {
      let stream = try await SmallStream.h264()
      let sink = MemorySink()
      var writer = RecordingWriter(sink: sink, head: recordingHead, video: .h264, hasAudio: false)
      // Uneven pictures: 33 ms, now and then 400 ms, and one of two seconds.
      var time = Duration.zero
      var keys: [Duration] = []
      for number in 0..<300 {
        let isKey = number % 37 == 0
        if isKey { keys.append(time) }
        try writer.write(stream.unit(number, at: time, isKey: isKey))
        time += .milliseconds(number == 200 ? 2000 : number % 25 == 24 ? 400 : 33)
      }
      _ = try writer.finish()
      let map = try await FragmentMap.read(from: MemorySource(bytes: sink.bytes))
      #expect(map.fragments.filter { $0.duration > 500 }.map(\.duration) == [2000])
      #expect(
        map.fragments.filter(\.startsWithKeyFrame).map(\.time) == keys.map { Int64($0 / .milliseconds(1)) })
      for (one, next) in zip(map.fragments, map.fragments.dropFirst()) {
        #expect(one.time + one.duration == next.time)
        #expect(one.range.upperBound == next.range.lowerBound)
      }
      #expect(map.fragments.first?.range.lowerBound == map.headRange.upperBound)
      let samples = try await allSamples(sink.bytes)
      #expect(samples.count == 300)
      // A key frame is nowhere but at the beginning of a fragment.
      let reader = RecordingReader(source: MemorySource(bytes: sink.bytes), map: map)
      for fragment in map.fragments {
        for case (let index, .video(let unit)) in try await reader.samples(of: fragment).enumerated() {
          #expect(unit.isKeyFrame == (index == 0 && fragment.startsWithKeyFrame))
        }
      }
    }

    @Test func keyFramesAreReadAlone() async throws {
      let bytes = try await recording()
      let source = MemorySource(bytes: bytes)
      let map = try await FragmentMap.read(from: source)
      let reader = RecordingReader(source: source, map: map)
      var times: [Duration] = []
      for fragment in map.fragments {
        for sample in try await reader.samples(of: fragment, keyFramesOnly: true) {
          guard case .video(let unit) = sample else { throw MediaFailure.noVideo }
          #expect(unit.isKeyFrame)
          times.append(unit.timestamp)
        }
      }
      #expect(times == [.zero, .seconds(2), .seconds(4)])
      #expect(map.keyFragment(at: -1) == nil)
      for (time, key) in [(0, 0), (1999, 0), (2000, 2000), (3100, 2000), (99_999, 4000)] as [(Int64, Int64)] {
        #expect(map.keyFragment(at: time).map { map.fragments[$0].time } == key)
      }
    }

    @Test func newParameterSetsWantANewFile() async throws {
      let stream = try await SmallStream.h264()
      let other = await collect(MediaSource(.test(TestPattern(width: 160, height: 90, frameRate: 30)))) {
        !$0.main.isEmpty
      }
      let sink = MemorySink()
      var writer = RecordingWriter(sink: sink, head: recordingHead, video: .h264, hasAudio: false)
      for number in 0..<10 {
        try writer.write(stream.unit(number, at: .milliseconds(number * 33), isKey: number == 0))
      }
      var changed = try #require(other.main.first)
      changed.timestamp = .milliseconds(330)
      #expect(throws: MediaFailure.codecChanged) { try writer.write(changed) }
      changed.codec = .h265
      #expect(throws: MediaFailure.codecChanged) { try writer.write(changed) }
      #expect(try writer.finish().pictures == 10)
      #expect(throws: MediaFailure.closed) { try writer.finish() }
      #expect(throws: MediaFailure.closed) { try writer.write(changed) }
      // The file that the refused unit begins has its size.
      changed.codec = .h264
      let next = MemorySink()
      writer = RecordingWriter(sink: next, head: recordingHead, video: .h264, hasAudio: false)
      try writer.write(changed)
      _ = try writer.finish()
      let map = try await FragmentMap.read(from: MemorySource(bytes: next.bytes))
      #expect(map.tracks.map(\.width) == [160] && map.tracks.map(\.height) == [90])
    }

    @Test func headOutOfRangeCanStillBeRead() async throws {
      let stream = try await SmallStream.h264()
      let sink = MemorySink()
      let head = RecordingHead(
        startTime: .max, cameraNo: 0, stream: .sub, kind: String(repeating: "ü", count: 40) + "x",
        deviceSerial: "")
      var writer = RecordingWriter(sink: sink, head: head, video: .h264, hasAudio: false)
      try writer.write(stream.unit(0, at: .zero, isKey: true))
      #expect(try writer.finish().pictures == 1)
      let read = try await FragmentMap.read(from: MemorySource(bytes: sink.bytes)).head
      #expect(read.startTime == 253_402_300_799_999 && read.cameraNo == 1 && read.stream == .sub)
      #expect(read.kind == String(repeating: "ü", count: 32) && read.deviceSerial == nil)
    }

    @Test func nothingOfARecordingOutlivesIt() async throws {
      let record = await recordingSource.value
      func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      func recordAndRead(_ number: Int) async throws {
        var writer = RecordingWriter(
          sink: try RecordingFileSink(path: path("\(number).mp4")), head: recordingHead, video: .h264,
          hasAudio: false)
        for unit in record.main.prefix(20) { try writer.write(unit) }
        // Some are not ended.
        if number % 2 == 0 { _ = try writer.finish() }
        let map = try await FragmentMap.read(from: try RecordingFile(path: path("\(number).mp4")))
        #expect(map.isFinished == (number % 2 == 0))
      }
      try await recordAndRead(0)
      let descriptors = try count()
      for number in 1...20 { try await recordAndRead(number) }
      #expect(try count() <= descriptors + 2)
    }

    @Test func recordingWithoutAPictureIsNone() async throws {
      let record = await recordingSource.value
      let sink = MemorySink()
      var writer = RecordingWriter(sink: sink, head: recordingHead, video: .h264, hasAudio: true)
      for unit in record.main where !unit.isKeyFrame { try writer.write(unit) }
      for packet in record.audio { try writer.write(packet) }
      #expect(throws: MediaFailure.nothingRecorded) { try writer.finish() }
      #expect(sink.bytes.isEmpty && sink.isClosed)
    }

    @Test func soundGoesOnWhenThePictureStops() async throws {
      let stream = try await SmallStream.h264()
      let sink = MemorySink()
      var writer = RecordingWriter(sink: sink, head: recordingHead, video: .h264, hasAudio: true)
      try writer.write(stream.unit(0, at: .zero, isKey: true))
      for number in 0..<200 {
        try writer.write(AudioPacket(timestamp: .milliseconds(number * 20), bytes: [8, UInt8(number)]))
      }
      // The picture stands still; its sound is in the file.
      #expect(try await allSamples(sink.bytes).count > 150)
      for number in 1..<20 {
        let time = Duration.milliseconds(3900 + number * 33)
        try writer.write(stream.unit(number, at: time, isKey: number == 10))
        try writer.write(AudioPacket(timestamp: time, bytes: [8, 7]))
      }
      _ = try writer.finish()
      let map = try await FragmentMap.read(from: MemorySource(bytes: sink.bytes))
      #expect(!map.isTorn && map.isFinished && map.endTime == writer.endTime)
      #expect(zip(map.fragments, map.fragments.dropFirst()).allSatisfy { $0.time <= $1.time })
      #expect(map.fragments.filter(\.startsWithKeyFrame).map(\.time) == [0, 4230])
      let samples = try await allSamples(sink.bytes)
      let units = samples.compactMap { if case .video(let unit) = $0 { unit } else { nil } }
      #expect(units.count == 20 && units.first?.timestamp == .zero)
      #expect(samples.count == 20 + 200 + 19)
    }

    @Test func fileThatGrowsIsFollowed() async throws {
      let record = await recordingSource.value
      let file = path("growing.mp4")
      var writer = RecordingWriter(
        sink: try RecordingFileSink(path: file), head: recordingHead, video: .h264, hasAudio: false)
      let source = try RecordingFile(path: file)
      // The head comes with the first fragment.
      var units = record.main[...]
      while try source.size == 0, let unit = units.popFirst() { try writer.write(unit) }
      var map = try await FragmentMap.read(from: source)
      #expect(map.fragments.count == 1 && !map.isTorn && !map.isFinished)
      var lengths: Set<Int64> = []
      for unit in units {
        try writer.write(unit)
        try await map.extend(from: source)
        #expect(map.endTime == writer.endTime && !map.isTorn && !map.isFinished)
        lengths.insert(map.duration)
      }
      #expect(lengths.count >= 9)
      let summary = try writer.finish()
      try await map.extend(from: source)
      #expect(map.isFinished && !map.isTorn && map.validSize == summary.size)
      #expect(map == (try await FragmentMap.read(from: source)))
      let decoded = try JSONDecoder().decode(FragmentMap.self, from: JSONEncoder().encode(map))
      #expect(decoded == map)
      #expect(throws: MediaFailure.notWritable) { try RecordingFileSink(path: file) }
    }

    @Test func fileThatIsCutAnywhereKeepsItsWholeFragments() async throws {
      let stream = try await SmallStream.h264()
      let sink = MemorySink()
      var writer = RecordingWriter(sink: sink, head: recordingHead, video: .h264, hasAudio: true)
      for number in 0..<60 {
        try writer.write(stream.unit(number, at: .milliseconds(number * 33), isKey: number % 30 == 0))
        try writer.write(AudioPacket(timestamp: .milliseconds(number * 33), bytes: [8, 1, 2]))
      }
      _ = try writer.finish()
      let whole = try await FragmentMap.read(from: MemorySource(bytes: sink.bytes))
      let first = Int(whole.fragments[whole.fragments.count - 2].range.lowerBound)
      for length in first..<sink.bytes.count {
        let cut = Array(sink.bytes[..<length])
        let kept = whole.fragments.filter { $0.range.upperBound <= Int64(length) }
        let map = try await FragmentMap.read(from: MemorySource(bytes: cut))
        #expect(map.fragments == kept)
        #expect(map.validSize == kept.last?.range.upperBound)
        #expect(map.isTorn == (map.validSize != Int64(length)))
        #expect(!map.isFinished)
        // Filled up with zeros: at most the media of the fragment that was cut pass for whole.
        let filled = cut + [UInt8](repeating: 0, count: 5000)
        let long = try await FragmentMap.read(from: MemorySource(bytes: filled))
        #expect(long.fragments.starts(with: kept) && long.fragments.count <= kept.count + 1)
        #expect(long.isTorn && !long.isFinished)
      }
    }

    @Test func fragmentsOfZerosAreLetGo() async throws {
      var bytes = try await recording(isFinished: false)
      let whole = try await FragmentMap.read(from: MemorySource(bytes: bytes))
      for fragment in whole.fragments.suffix(2) {
        let media = Int(fragment.range.lowerBound) + fragment.headSize..<Int(fragment.range.upperBound)
        bytes.replaceSubrange(media, with: repeatElement(0, count: media.count))
      }
      let source = MemorySource(bytes: bytes)
      var map = try await FragmentMap.read(from: source)
      #expect(map.fragments.count == whole.fragments.count)
      try await map.checkEnd(in: source)
      #expect(map.fragments == whole.fragments.dropLast(2))
      #expect(map.isTorn && map.validSize == map.fragments.last?.range.upperBound)
    }

    @Test func otherFilesAreRefused() async throws {
      func failure(_ bytes: [UInt8]) async -> MediaFailure? {
        do {
          _ = try await FragmentMap.read(from: MemorySource(bytes: bytes))
          return nil
        } catch { return error as? MediaFailure }
      }
      #expect(await failure([]) == .malformed("not an MP4 file"))
      #expect(await failure([UInt8](repeating: 0, count: 10_000)) == .malformed("not an MP4 file"))
      #expect(
        await failure(Array("This is a text, and no film at all.".utf8)) == .malformed("not an MP4 file"))
      for (name, flags) in [("plain", []), ("fragmented", ["-movflags", "frag_keyframe+empty_moov"])] {
        _ = try run(
          "/usr/bin/ffmpeg",
          ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=64x64", "-c:v", "libx264"] + flags
            + [path("\(name).mp4")])
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path("\(name).mp4"))))
        #expect(await failure(bytes) == .unsupported("an MP4 that is no recording of Oriel"))
      }
      let good = try await recording()
      #expect(await failure(Array(good.prefix(300))) == .malformed("the head of the file is cut"))
      // Absurd sizes in the head: of a box, and of the box inside it.
      var absurd = good
      absurd.replaceSubrange(0..<4, with: [0x7F, 0xFF, 0xFF, 0xFF])
      #expect(await failure(absurd) == .malformed("a head of more than 1 MB"))
      absurd = good
      absurd.replaceSubrange(40..<44, with: [0x7F, 0xFF, 0xFF, 0xFF])
      #expect(await failure(absurd) != nil)
      #expect(throws: MediaFailure.notFound) { try RecordingFile(path: path("none")) }
      #expect(throws: MediaFailure.malformed("not a file")) { try RecordingFile(path: folder.path) }
    }

    @Test func tenThousandFragmentsAreReadQuickly() async throws {
      let stream = try await SmallStream.h264()
      let sink = MemorySink()
      var writer = RecordingWriter(sink: sink, head: recordingHead, video: .h264, hasAudio: false)
      for number in 0..<10_000 {
        try writer.write(stream.unit(number, at: .milliseconds(number * 500), isKey: number % 4 == 0))
      }
      _ = try writer.finish()
      let began = ContinuousClock.now
      let map = try await FragmentMap.read(from: MemorySource(bytes: sink.bytes))
      #expect(ContinuousClock.now - began < .seconds(2))
      #expect(map.fragments.count == 10_000 && map.isFinished)
      #expect(map.keyFragment(at: 4_000_900) == 8000)
    }
  }
}
