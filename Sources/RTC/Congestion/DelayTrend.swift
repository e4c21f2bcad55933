/// Whether the queues on the path are growing: the slope of the one-way delay over the latest bursts, by
/// linear regression with an adapting threshold (draft-ietf-rmcat-gcc-02, section 5, in the trend-line
/// form of libwebrtc).
struct DelayTrend {
  enum Signal { case underuse, normal, overuse }

  private static let window = 20
  private static let gain = 4.0
  private static let burst: Int64 = 5_000
  /// Samples in a row that must show the same.
  private static let overuseSamples = 3
  /// A queue shorter than this, milliseconds, is jitter.
  private static let noQueue = 15.0

  private(set) var signal = Signal.normal
  private var points = [(time: Double, delay: Double)](repeating: (0, 0), count: window)
  private var pointCount = 0
  /// The burst being gathered and the one before: times of sending and arrival, microseconds.
  private var burstSent: (first: Int64, last: Int64)?
  private var burstArrival: Int64 = 0
  private var previous: (sent: Int64, arrival: Int64)?
  private var firstArrival: Int64?
  private var accumulated = 0.0
  private var smoothed = 0.0
  private var threshold = 12.5
  private var overuseCount = 0
  /// The least delay seen, milliseconds; it creeps up, since clocks drift and routes change.
  private var least = 0.0
  private var lastTrend = 0.0
  private var lastUpdate: Int64 = 0

  /// A packet that arrived; both times in microseconds, each on its own clock.
  mutating func packet(sent: Int64, arrival: Int64) {
    guard let burst = burstSent else {
      burstSent = (sent, sent)
      burstArrival = arrival
      return
    }
    if sent < burst.first { return }
    if sent - burst.first <= Self.burst {
      burstSent = (burst.first, max(burst.last, sent))
      burstArrival = max(burstArrival, arrival)
      return
    }
    if let previous {
      let sentDelta = burst.last - previous.sent
      let arrivalDelta = burstArrival - previous.arrival
      // A pause of the feedback clock or a peer that slept says nothing.
      if abs(arrivalDelta - sentDelta) < 3_000_000 {
        update(delta: Double(arrivalDelta - sentDelta) / 1_000, arrival: burstArrival)
      }
    }
    previous = (burst.last, burstArrival)
    burstSent = (sent, sent)
    burstArrival = arrival
  }

  private mutating func update(delta: Double, arrival: Int64) {
    let first = firstArrival ?? arrival
    firstArrival = first
    accumulated += delta
    smoothed = 0.9 * smoothed + 0.1 * accumulated
    least = min(least + 0.02, smoothed)
    points[pointCount % Self.window] = (Double(arrival - first) / 1_000, smoothed)
    pointCount += 1
    guard pointCount >= Self.window else { return }
    detect(slope() * Double(min(pointCount, 60)) * Self.gain, arrival: arrival)
  }

  private func slope() -> Double {
    var sumTime = 0.0
    var sumDelay = 0.0
    for point in points {
      sumTime += point.time
      sumDelay += point.delay
    }
    let meanTime = sumTime / Double(Self.window)
    let meanDelay = sumDelay / Double(Self.window)
    var numerator = 0.0
    var denominator = 0.0
    for point in points {
      numerator += (point.time - meanTime) * (point.delay - meanDelay)
      denominator += (point.time - meanTime) * (point.time - meanTime)
    }
    return denominator > 0 ? numerator / denominator : 0
  }

  private mutating func detect(_ trend: Double, arrival: Int64) {
    if trend > threshold {
      overuseCount += 1
      if overuseCount >= Self.overuseSamples, trend >= lastTrend, smoothed - least > Self.noQueue {
        signal = .overuse
      }
    } else {
      overuseCount = 0
      signal = trend < -threshold ? .underuse : .normal
    }
    lastTrend = trend
    adapt(trend, arrival: arrival)
  }

  private mutating func adapt(_ trend: Double, arrival: Int64) {
    let distance = abs(trend) - threshold
    defer { lastUpdate = arrival }
    guard distance < 15 else { return }
    let rate = distance < 0 ? 0.039 : 0.0087
    let elapsed = Double(min(max(arrival - lastUpdate, 0), 100_000)) / 1_000
    threshold = min(max(threshold + rate * distance * elapsed, 6), 600)
  }
}
