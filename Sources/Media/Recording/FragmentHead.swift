/// What a moof box says of its samples (ISO/IEC 14496-12 section 8.8), in the one form that recordings have.
struct FragmentHead {
  struct Sample: Equatable {
    /// From the beginning of the fragment.
    var offset: Int
    var size: Int
    /// In ticks from the file's start.
    var time: Int
    var duration: Int
    var isKey: Bool
  }

  struct Run {
    var track: Int
    var samples: [Sample]
  }

  var runs: [Run] = []

  static let sampleLimit = 20_000
  /// Ticks: a thousand years of 90 kHz.
  static let timeLimit: UInt64 = 90_000 * 86_400 * 366 * 1000

  /// - Parameter body: what is in the moof box.
  /// - Parameter size: bytes of the fragment; all samples lie in it.
  init(_ body: BoxReader, size: Int64) throws {
    var body = body
    var count = 0
    while let (type, next) = try body.box() {
      var box = next
      guard type == boxType("traf") else { continue }
      guard runs.count < MovieHead.trackLimit else { throw MediaFailure.malformed("too many runs") }
      let run = try Self.run(&box, size: size)
      count += run.samples.count
      guard count <= Self.sampleLimit else { throw MediaFailure.malformed("more than 20,000 samples") }
      runs.append(run)
    }
    guard count > 0 else { throw MediaFailure.malformed("a fragment without samples") }
  }

  private static func run(_ traf: inout BoxReader, size: Int64) throws -> Run {
    var run = Run(track: 0, samples: [])
    var time: UInt64?
    while let (type, next) = try traf.box() {
      var box = next
      switch type {
      case boxType("tfhd"):
        guard try box.u32() == 0x02_0000 else {
          throw MediaFailure.unsupported("a fragment of another maker")
        }
        run.track = Int(try box.u32())
      case boxType("tfdt"):
        guard try box.u32() == 0x0100_0000 else {
          throw MediaFailure.unsupported("a fragment of another maker")
        }
        time = try box.u64()
      case boxType("trun"):
        guard try box.u32() == 0x701, run.samples.isEmpty else {
          throw MediaFailure.unsupported("a fragment of another maker")
        }
        guard let time, time <= timeLimit else { throw MediaFailure.malformed("the time of a fragment") }
        run.samples = try samples(&box, from: Int(time), size: size)
      default: break
      }
    }
    guard run.track > 0 else { throw MediaFailure.malformed("a run without a track") }
    return run
  }

  private static func samples(_ trun: inout BoxReader, from start: Int, size: Int64) throws -> [Sample] {
    let count = Int(try trun.u32())
    guard count <= sampleLimit, trun.rest == 4 + count * 12 else {
      throw MediaFailure.malformed("the number of samples")
    }
    var offset = Int(try trun.u32())
    var time = start
    var samples: [Sample] = []
    samples.reserveCapacity(count)
    for _ in 0..<count {
      let duration = Int(try trun.u32())
      let bytes = Int(try trun.u32())
      let isKey = try trun.u32() & 0x1_0000 == 0
      guard Int64(offset) + Int64(bytes) <= size else { throw MediaFailure.malformed("a sample outside") }
      samples.append(Sample(offset: offset, size: bytes, time: time, duration: duration, isKey: isKey))
      offset += bytes
      time += duration
    }
    return samples
  }
}
