import Foundation

/// Speech by espeak-ng, at 48 kHz as -1...1.
enum Speech {
  static let guest = """
    Good morning, I have a delivery for you, but I cannot find the bell anywhere. Shall I put the box behind the \
    bicycle shed, or would you rather collect it from the shop?
    """
  static let host = """
    The quick brown fox jumps over the lazy dog while seven silver swans swim silently seaward. Please leave the \
    parcel with my neighbour, the one with the green door on the left side, and ring twice. I shall be home at about \
    half past six this evening, unless the train is late again.
    """

  /// - Parameter level: RMS over all, in dBFS.
  static func say(_ text: String, voice: String, level: Double) throws -> [Float] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/espeak-ng")
    process.arguments = ["-v", voice, "-s", "165", "--stdout", text]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    let file = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    // A WAV file of 16 bits at 22,050 Hz behind a head of 44 bytes.
    let samples = file.dropFirst(44).withUnsafeBytes { raw in
      (0..<raw.count / 2).map {
        Float(Int16(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))) / 32_768
      }
    }
    return scaled(raised(samples), to: level)
  }

  private static func raised(_ samples: [Float]) -> [Float] {
    guard samples.count > 1 else { return [] }
    let count = Int(Double(samples.count - 1) * 48_000 / 22_050)
    return (0..<count).map { index in
      let place = Double(index) * 22_050 / 48_000
      let left = Int(place)
      let share = Float(place - Double(left))
      return samples[left] * (1 - share) + samples[left + 1] * share
    }
  }

  static func scaled(_ samples: [Float], to level: Double) -> [Float] {
    let factor = Float(pow(10, (level - decibels(samples)) / 20))
    return samples.map { $0 * factor }
  }
}

/// RMS in dBFS.
func decibels(_ samples: ArraySlice<Float>) -> Double {
  let sum = samples.withUnsafeBufferPointer { samples in
    var sum = 0.0
    var index = 0
    while index < samples.count {
      sum += Double(samples[index] * samples[index])
      index += 1
    }
    return sum
  }
  return 10 * log10(sum / Double(max(samples.count, 1)) + 1e-12)
}

func decibels(_ samples: [Float]) -> Double { decibels(samples[...]) }

/// The sum of two sounds; the second may be shorter and begin later.
func mixed(_ first: [Float], _ second: [Float], from start: Int = 0) -> [Float] {
  var sum = first
  second.withUnsafeBufferPointer { second in
    sum.withUnsafeMutableBufferPointer { sum in
      var index = start
      while index < min(sum.count, start + second.count) {
        sum[index] += second[index - start]
        index += 1
      }
    }
  }
  return sum
}

/// The same numbers on each machine.
struct Dice {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

  /// -1...1, even.
  mutating func next() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
  }
}

/// White noise of a level in dBFS.
func noise(_ count: Int, level: Double, seed: UInt64) -> [Float] {
  var dice = Dice(seed)
  let factor = Float(pow(10, level / 20)) * 3.0.squareRoot().float
  return (0..<count).map { _ in dice.next() * factor }
}

extension Double { fileprivate var float: Float { Float(self) } }
