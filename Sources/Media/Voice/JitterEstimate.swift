/// How late packets are against the fastest ones, as a histogram that forgets. All times are microseconds.
struct JitterEstimate: Sendable {
  private static let step = 2_500
  private static let steps = 80
  /// A second each; the fastest packet of the last ten seconds is the measure, so that it follows a drifting clock.
  private static let windows = 10
  /// Of this share of packets none may come too late.
  private static let share = 0.997
  /// The weight of a packet halves in 500 packets, ten seconds.
  private static let growth = 1.0014

  private var counts = [Double](repeating: 0, count: steps)
  private var total = 0.0
  private var weight = 1.0
  private var minima = [Int](repeating: .max, count: windows)
  private var window = 0
  private var windowEnd: Int?
  private var sinceQuantile = 0

  /// Whether a second's packets were seen.
  var isSettled: Bool { total > 50 }

  /// Transit of the fastest packet; nil before the first.
  private(set) var base: Int?
  /// What a buffer must hold back so that nearly all packets come in time.
  private(set) var jitter = 0

  /// - Parameter transit: arrival less media time; only differences count.
  mutating func observe(transit: Int, at now: Int) {
    turnWindow(at: now)
    minima[window] = min(minima[window], transit)
    if transit < base ?? .max { base = transit }
    let late = transit - (base ?? transit)
    weight *= Self.growth
    counts[min(late / Self.step, Self.steps - 1)] += weight
    total += weight
    sinceQuantile += 1
    // At first each packet matters; later the histogram moves slowly.
    guard sinceQuantile >= 10 || total < 60 else { return }
    sinceQuantile = 0
    settle()
  }

  private mutating func turnWindow(at now: Int) {
    guard let end = windowEnd else {
      windowEnd = now + 1_000_000
      return
    }
    guard now >= end else { return }
    windowEnd = max(end + 1_000_000, now)
    window = (window + 1) % Self.windows
    minima[window] = .max
    let least = minima.min() ?? .max
    if least < .max { base = least }
  }

  private mutating func settle() {
    var above = total * (1 - Self.share)
    var index = Self.steps - 1
    while index > 0, counts[index] < above {
      above -= counts[index]
      index -= 1
    }
    // The lowest step is no lateness at all.
    jitter = index * Self.step
    guard weight > 1e100 else { return }
    for index in counts.indices { counts[index] /= weight }
    total /= weight
    weight = 1
  }
}
