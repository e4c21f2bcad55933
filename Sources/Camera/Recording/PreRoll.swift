import OrielMedia

/// The latest pictures and their sound, from a key frame on: what came before an event. Pure.
struct PreRoll: Sendable {
  /// Bytes that are kept at most.
  static let limit = 24 << 20

  private let length: Duration
  private var inputs: [RecordedInput] = []
  private var bytes = 0

  /// - Parameter length: how far back it reaches at least, once it is full.
  init(length: Duration) { self.length = length }

  mutating func append(_ input: RecordedInput) {
    if case .picture(let unit) = input {
      if inputs.isEmpty, !unit.isKeyFrame { return }
      bytes += unit.bytes.count
    } else if inputs.isEmpty {
      return
    }
    inputs.append(input)
    if case .picture(let unit) = input, unit.isKeyFrame { drop(now: unit.timestamp) }
    if bytes > Self.limit { self = PreRoll(length: length) }
  }

  /// Gives everything and is empty then.
  mutating func take() -> [RecordedInput] {
    defer { self = PreRoll(length: length) }
    return inputs
  }

  /// The oldest pictures go as soon as another key frame is old enough to begin with.
  private mutating func drop(now: Duration) {
    var first = 0
    for (place, input) in inputs.enumerated() {
      if case .picture(let unit) = input, unit.isKeyFrame, now - unit.timestamp >= length { first = place }
    }
    guard first > 0 else { return }
    for case .picture(let unit) in inputs[..<first] { bytes -= unit.bytes.count }
    inputs.removeFirst(first)
  }
}
