import Foundation
import OrielMedia
import Testing

/// A sequence of numbers that is the same in each run.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(1))) struct RecordingHostileTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Corpus/Recording")

    /// A few small pictures, as files of every form.
    private func small(
      isEncrypted: Bool = false, hasAudio: Bool = false, isFinished: Bool = true
    ) async throws -> [UInt8] {
      let stream = try await SmallStream.h264()
      var head = recordingHead
      head.isEncrypted = isEncrypted
      let sink = MemorySink()
      var writer = RecordingWriter(sink: sink, head: head, video: .h264, hasAudio: hasAudio)
      for number in 0..<12 {
        try writer.write(stream.unit(number, at: .milliseconds(number * 100), isKey: number % 6 == 0))
        if hasAudio {
          try writer.write(AudioPacket(timestamp: .milliseconds(number * 100), bytes: [8, UInt8(number)]))
        }
      }
      if isFinished { _ = try writer.finish() }
      return sink.bytes
    }

    /// Writes the corpus anew: `ORIEL_WRITE_CORPUS=1 swift test --filter corpusIsWritten`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["ORIEL_WRITE_CORPUS"] != nil))
    func corpusIsWritten() async throws {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      let whole = try await small(hasAudio: true)
      let files: [(String, [UInt8])] = [
        ("whole", whole), ("picture-only", try await small()),
        ("sealed", try await small(isEncrypted: true, hasAudio: true)),
        ("unfinished", try await small(isFinished: false)), ("cut", Array(whole.dropLast(150))),
        ("zero-filled", Array(whole.dropLast(150)) + [UInt8](repeating: 0, count: 300)),
      ]
      for (name, bytes) in files { try Data(bytes).write(to: Self.folder.appendingPathComponent(name)) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).count >= files.count)
    }

    /// Every file of the corpus, mutated a few thousand times: no crash, and no map that cannot be.
    @Test func hostileFilesDoNoHarm() async throws {
      let seeds = try FileManager.default
        .contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil).sorted { $0.path < $1.path }
        .map { Array(try Data(contentsOf: $0)) }
      #expect(seeds.count >= 6)
      var numbers = Numbers(state: 3)
      var mapped = 0
      var read = 0
      for _ in 0..<3000 {
        guard var bytes = seeds.randomElement(using: &numbers) else { break }
        for _ in 0..<Int.random(in: 1...4, using: &numbers) where bytes.count > 8 {
          let index = Int.random(in: 0..<bytes.count - 4, using: &numbers)
          switch Int.random(in: 0...5, using: &numbers) {
          case 0: bytes[index] = UInt8.random(in: 0...255, using: &numbers)
          case 1: bytes.removeSubrange(index...)
          case 2: bytes.removeSubrange(index..<index + 4)
          case 3: bytes.replaceSubrange(index..<index + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
          case 4: bytes.insert(contentsOf: bytes[index..<min(index + 40, bytes.count)], at: index)
          default: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
          }
        }
        let source = MemorySource(bytes: bytes)
        guard var map = try? await FragmentMap.read(from: source) else { continue }
        mapped += 1
        #expect(map.validSize <= source.size && map.isTorn == (map.validSize < source.size))
        #expect(map.fragments.allSatisfy { $0.duration >= 0 && $0.range.upperBound <= map.validSize })
        #expect(zip(map.fragments, map.fragments.dropFirst()).allSatisfy { $0.time <= $1.time })
        let reader = RecordingReader(source: source, map: map)
        for fragment in map.fragments {
          read += (try? await reader.samples(of: fragment))?.count ?? 0
          read += (try? await reader.samples(of: fragment, keyFramesOnly: true))?.count ?? 0
        }
        try await map.checkEnd(in: source)
        try await map.extend(from: source)
        #expect(map.validSize <= source.size)
      }
      // The mutations are not so strong that nothing is left to be read.
      #expect(mapped > 1000 && read > 10_000)
    }

    /// A map that came over a network may be anything.
    @Test func absurdMapIsRefused() async throws {
      let source = MemorySource(bytes: try await small())
      let good = try await FragmentMap.read(from: source)
      let text = String(decoding: try JSONEncoder().encode(good), as: UTF8.self)
      let headSize = try #require(good.fragments.first?.headSize)
      for (old, new) in [
        ("\"headSize\":\(headSize)", "\"headSize\":-5"),
        ("\"headSize\":\(headSize)", "\"headSize\":99999999"),
        ("\"timescale\":90000", "\"timescale\":0"),
        ("\"range\":[\(good.headRange.upperBound),", "\"range\":[-1000,"),
      ] {
        let changed = text.replacingOccurrences(of: old, with: new)
        #expect(changed != text)
        let map = try JSONDecoder().decode(FragmentMap.self, from: Data(changed.utf8))
        let reader = RecordingReader(source: source, map: map)
        await #expect(throws: MediaFailure.malformed("a fragment that cannot be")) {
          try await reader.samples(of: map.fragments[0])
        }
      }
    }
  }
}
