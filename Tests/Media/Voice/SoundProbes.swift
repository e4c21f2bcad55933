import Foundation
import Synchronization

/// Says when clicks are heard, in nanoseconds of the monotonic clock.
final class ClickListener: Sendable {
  private struct State {
    var peak: Int32 = 0
    var clicks: [UInt64] = []
  }

  private let state = Mutex(State())
  private let threshold: Int32

  /// How many there are, at each new one.
  let counts: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation

  init(threshold: Int32) {
    self.threshold = threshold
    (counts, continuation) = AsyncStream.makeStream()
  }

  var clicks: [UInt64] { state.withLock { $0.clicks } }
  /// The loudest sample so far.
  var peak: Int32 { state.withLock { $0.peak } }

  func hear(_ frame: UnsafeMutableBufferPointer<Int16>) {
    let end = DispatchTime.now().uptimeNanoseconds
    let samples = [Int16](frame)
    state.withLock { state in
      for (index, sample) in samples.enumerated() {
        let size = abs(Int32(sample))
        state.peak = max(state.peak, size)
        let time = end - UInt64(samples.count - index) * 1_000_000 / 48
        // One click rings for a while.
        guard size > threshold, time > (state.clicks.last ?? 0) + 100_000_000 else { continue }
        state.clicks.append(time)
        continuation.yield(state.clicks.count)
      }
    }
  }
}

/// Clicks of 4 ms, 150 to 163 ms apart, so that no two meet the frames of the path in the same place; silence else.
final class Clicker: Sendable {
  private let next = Mutex((count: 0, wait: 48_000 / 5))
  private let isOn = Atomic(true)
  let amplitude: Int16

  init(amplitude: Int16 = 16_000) { self.amplitude = amplitude }

  func stop() { isOn.store(false, ordering: .relaxed) }

  func fill(_ frame: UnsafeMutableBufferPointer<Int16>) {
    let amplitude = isOn.load(ordering: .relaxed) ? amplitude : 0
    next.withLock { next in
      for index in frame.indices {
        next.wait -= 1
        if next.wait <= 0, next.wait > -192 {
          frame[index] = next.wait % 24 < -12 ? amplitude : -amplitude
        } else {
          frame[index] = 0
        }
        if next.wait == -192 {
          next.count += 1
          next.wait = 7_200 + next.count % 14 * 48
        }
      }
    }
  }
}

/// A tone, and how long it is not heard.
final class ToneListener: Sendable {
  private struct State {
    var quiet = 0
    var longest = 0
    var total = 0
  }

  private let state = Mutex(State())

  static func fill(_ frame: UnsafeMutableBufferPointer<Int16>, _ place: inout Int) {
    for index in frame.indices {
      frame[index] = Int16(8_000 * sin(2 * .pi * 400 * Double(place) / 48_000))
      place = (place + 1) % 48_000
    }
  }

  /// The longest gap and all gaps together since the last question, in ms; less than 3 ms is none.
  func gaps() -> (longest: Int, total: Int) {
    state.withLock { state in
      defer { (state.longest, state.total) = (0, 0) }
      return (state.longest / 48, state.total / 48)
    }
  }

  func hear(_ frame: UnsafeMutableBufferPointer<Int16>) {
    let samples = [Int16](frame)
    state.withLock { state in
      for sample in samples {
        // A tone of 400 Hz is above this within a millisecond.
        if abs(Int32(sample)) < 1_000 {
          state.quiet += 1
          continue
        }
        if state.quiet >= 144 {
          state.longest = max(state.longest, state.quiet)
          state.total += state.quiet
        }
        state.quiet = 0
      }
    }
  }
}
