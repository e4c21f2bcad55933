/// The samples of one track of a clip: those already in the file as tables, those not yet written as bytes.
struct ClipTrack {
  struct Sample: Equatable {
    var size: Int
    var duration: Int
    var isKey: Bool
    /// Counts from 1.
    var entry: Int
  }

  /// Samples that stand together in the file.
  struct Chunk: Equatable {
    var offset: Int
    var count: Int
    var entry: Int
  }

  let id: Int
  /// Ticks a second.
  let timescale: Int
  /// The duration of a sample that nothing follows, in ticks.
  var lastDuration: Int
  /// Where the track begins after the clip's start, in ticks.
  var startOffset = 0

  private(set) var samples: [Sample] = []
  private(set) var chunks: [Chunk] = []
  /// Ticks of all that is in the file.
  private(set) var writtenTicks = 0
  private(set) var pending: [Sample] = []
  private(set) var pendingBytes: [UInt8] = []
  /// The newest sample; its duration is known when the next one comes.
  private var open: (sample: Sample, bytes: [UInt8], time: Duration)?

  init(id: Int, timescale: Int, lastDuration: Int) {
    self.id = id
    self.timescale = timescale
    self.lastDuration = lastDuration
  }

  var isEmpty: Bool { samples.isEmpty && pending.isEmpty && open == nil }
  var pendingTicks: Int { pending.reduce(0) { $0 + $1.duration } }

  mutating func add(_ bytes: [UInt8], at time: Duration, isKey: Bool, entry: Int) {
    if let previous = open {
      // A source that was away for hours must not overflow a 32-bit duration.
      let ticks = Int(((time - previous.time) / .seconds(1) * Double(timescale)).rounded())
      close(duration: min(max(ticks, 1), timescale * 3600))
    }
    open = (Sample(size: bytes.count, duration: 0, isKey: isKey, entry: entry), bytes, time)
  }

  private mutating func close(duration: Int) {
    guard var sample = open?.sample, let bytes = open?.bytes else { return }
    sample.duration = duration
    lastDuration = duration
    pending.append(sample)
    pendingBytes.append(contentsOf: bytes)
    open = nil
  }

  /// Nothing follows any more.
  mutating func closeLast() { close(duration: min(lastDuration, timescale)) }

  /// What is pending, as a fragment holds it.
  var run: ClipBoxes.Run {
    ClipBoxes.Run(
      trackID: id, baseTime: startOffset + writtenTicks, samples: pending, size: pendingBytes.count)
  }

  /// The pending samples are in the file at `offset`.
  mutating func commit(at offset: Int) {
    var position = offset
    for sample in pending {
      if let last = chunks.indices.last, chunks[last].entry == sample.entry, position != offset {
        chunks[last].count += 1
      } else {
        chunks.append(Chunk(offset: position, count: 1, entry: sample.entry))
      }
      position += sample.size
      writtenTicks += sample.duration
    }
    samples.append(contentsOf: pending)
    pending = []
    pendingBytes = []
  }

  /// Ticks in milliseconds, from the clip's start to this track's end.
  var endMilliseconds: Int { (startOffset + writtenTicks) * 1000 / timescale }
}
