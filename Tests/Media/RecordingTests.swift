import Foundation
import OrielMedia
import Testing

/// Pictures and sound of the test source, taken once for all tests of recordings.
let recordingSource = Task { () -> SourceRecord in
  await collect(MediaSource(.test(TestPattern(width: 320, height: 180, frameRate: 30)))) {
    $0.main.count >= 150 && $0.audio.count >= 240
  }
}

/// Collects what a writer appends.
final class MemorySink: RecordingSink {
  var bytes: [UInt8] = []
  var syncs = 0
  var isClosed = false
  func append(_ more: [UInt8]) throws { bytes += more }
  func sync() throws { syncs += 1 }
  func close() throws { isClosed = true }
}

/// Bytes in memory, as a file.
struct MemorySource: RangeSource {
  var bytes: [UInt8]
  var size: Int64 { Int64(bytes.count) }
  func read(_ range: Range<Int64>) -> [UInt8] {
    let range = range.clamped(to: 0..<Int64(bytes.count))
    return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
  }
}

let recordingStart: Int64 = 1_796_000_000_000
let recordingHead = RecordingHead(
  startTime: recordingStart, cameraNo: 1, stream: .main, kind: "continuous", deviceSerial: "OR1234567")

/// All samples of a recording, fragment by fragment.
func allSamples(_ bytes: [UInt8]) async throws -> [RecordedSample] {
  let source = MemorySource(bytes: bytes)
  let reader = RecordingReader(source: source, map: try await FragmentMap.read(from: source))
  var samples: [RecordedSample] = []
  for fragment in reader.map.fragments { samples += try await reader.samples(of: fragment) }
  return samples
}

/// NAL units without start codes, which may have three bytes or four, and without delimiters.
func nalUnits(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
  var units: [ArraySlice<UInt8>] = []
  var begin: Int?
  var position = 0
  while position + 2 < bytes.count {
    guard bytes[position] == 0, bytes[position + 1] == 0, bytes[position + 2] == 1 else {
      position += 1
      continue
    }
    if let begin { units.append(bytes[begin..<position]) }
    begin = position + 3
    position += 3
  }
  if let begin { units.append(bytes[begin...]) }
  return units.map { $0.dropLast($0.reversed().prefix { $0 == 0 }.count) }.filter {
    ($0.first ?? 9) & 31 != 9
  }
}

/// Everything of a source by time, as a recorder gets it.
func feed(_ record: SourceRecord, to writer: inout RecordingWriter<MemorySink>) throws {
  var audio = record.audio[...]
  for unit in record.main {
    while let packet = audio.first, packet.timestamp < unit.timestamp {
      try writer.write(packet)
      audio.removeFirst()
    }
    try writer.write(unit)
  }
}

extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(1))) struct RecordingTests {
    @Test func whatIsWrittenIsReadBack() async throws {
      let record = await recordingSource.value
      let sink = MemorySink()
      var writer = RecordingWriter(sink: sink, head: recordingHead, video: .h264, hasAudio: true)
      try feed(record, to: &writer)
      let summary = try writer.finish()
      #expect(summary.pictures == record.main.count)
      #expect(summary.size == sink.bytes.count)
      #expect(sink.isClosed && sink.syncs > 0)
      let source = MemorySource(bytes: sink.bytes)
      let map = try await FragmentMap.read(from: source)
      #expect(map.head == recordingHead)
      #expect(!map.isTorn && map.isFinished && map.validSize == source.size)
      #expect(map.endTime == writer.endTime)
      #expect(map.duration == Int64(summary.duration / .milliseconds(1)))
      #expect(map.fragments.allSatisfy { $0.duration <= 500 })
      let samples = try await allSamples(sink.bytes)
      let units = samples.compactMap { if case .video(let unit) = $0 { unit } else { nil } }
      let start = try #require(record.main.first).timestamp
      #expect(units.count == record.main.count)
      for (unit, original) in zip(units, record.main) {
        #expect(nalUnits(unit.bytes).elementsEqual(nalUnits(original.bytes)))
        #expect(unit.isKeyFrame == original.isKeyFrame)
        let offset = original.timestamp - start
        #expect(abs((unit.timestamp - offset) / .microseconds(1)) < 12)
        let expected = Double(recordingStart) + offset / .milliseconds(1)
        #expect(abs(Double(unit.captureTime) - expected) < 1.1)
      }
      let packets = samples.compactMap { if case .audio(let packet) = $0 { packet } else { nil } }
      let sound = record.audio.filter {
        $0.timestamp >= start && $0.timestamp < record.main[record.main.count - 1].timestamp
      }
      #expect(packets.count == sound.count)
      #expect(zip(packets, sound).allSatisfy { $0.bytes == $1.bytes })
    }
  }
}
