import Foundation

/// What a microphone hears of a loudspeaker in a small room: the direct way, twelve reflections of walls, and a dense
/// tail of four combs and two all-passes (Schroeder's reverberator).
struct SimulatedRoom: Sendable {
  /// From the signal to its echo by the direct way, in milliseconds.
  var delay = 40
  /// Of the echo against the signal, in dB.
  var gain = -8.0
  /// Seconds until the tail fell by 60 dB.
  var reverberation = 0.3
  /// A loudspeaker that is driven too hard: tanh of the signal times this; 0 is a straight one.
  var distortion: Float = 0
  var seed: UInt64 = 1

  func echo(of played: [Float]) -> [Float] {
    let source = distortion > 0 ? played.map { tanh($0 * distortion) / distortion } : played
    var heard = [Float](repeating: 0, count: source.count)
    var dice = Dice(seed)
    add(source, at: 0, by: 1, to: &heard)
    for _ in 0..<12 {
      let time = 0.001 + 0.02 * Double(abs(dice.next()))
      let fall = Float(exp(-6.9 * time / reverberation))
      add(source, at: Int(time * 48_000), by: 0.5 * fall * (dice.next() > 0 ? 1 : -1), to: &heard)
    }
    add(tail(of: source), at: 480, by: 0.25, to: &heard)
    let factor = Float(pow(10, (decibels(source) + gain - decibels(heard)) / 20))
    let late = delay * 48
    return (0..<heard.count).map { $0 < late ? 0 : heard[$0 - late] * factor }
  }

  private func tail(of source: [Float]) -> [Float] {
    var sum = [Float](repeating: 0, count: source.count)
    for length in [1_427, 1_783, 1_973, 2_099] {
      let back = Float(pow(10, -3 * Double(length) / 48_000 / reverberation))
      var line = [Float](repeating: 0, count: source.count)
      line.withUnsafeMutableBufferPointer { line in
        for index in line.indices {
          line[index] = source[index] + (index < length ? 0 : line[index - length] * back)
        }
      }
      add(line, at: 0, by: 0.25, to: &sum)
    }
    for length in [241, 83] {
      var line = [Float](repeating: 0, count: source.count)
      line.withUnsafeMutableBufferPointer { line in
        for index in line.indices {
          let before: Float = index < length ? 0 : sum[index - length]
          line[index] = before - 0.7 * sum[index] + (index < length ? 0 : 0.7 * line[index - length])
        }
      }
      sum = line
    }
    return sum
  }

  private func add(_ source: [Float], at offset: Int, by factor: Float, to target: inout [Float]) {
    target.withUnsafeMutableBufferPointer { target in
      source.withUnsafeBufferPointer { source in
        var index = offset
        while index < target.count {
          target[index] += source[index - offset] * factor
          index += 1
        }
      }
    }
  }
}
