/// The samples of one track of a recording that are not in the file yet.
struct RecordingTrack {
  let id: Int
  /// Ticks a second.
  let timescale: Int
  /// Decode time of the first pending sample, in ticks from the file's start.
  private(set) var baseTime = 0
  private(set) var pending: [ClipTrack.Sample] = []
  private(set) var pendingTicks = 0
  private(set) var bytes: [UInt8] = []
  /// The newest sample: how long it lasts is known when the next one comes.
  private var open: (bytes: [UInt8], isKey: Bool, time: Int)?
  private var lastDuration: Int

  init(id: Int, timescale: Int, lastDuration: Int) {
    self.id = id
    self.timescale = timescale
    self.lastDuration = lastDuration
  }

  var hasPending: Bool { !pending.isEmpty }
  var hasOpen: Bool { open != nil }
  /// Bytes that wait, the newest sample included.
  var backlog: Int { bytes.count + (open?.bytes.count ?? 0) }

  func ticks(_ offset: Duration) -> Int { Int((offset / .seconds(1) * Double(timescale)).rounded()) }

  /// How long the newest sample lasts when another one comes at `time`; 0 when there is none.
  ///
  /// A source that was away for hours must not overflow 32 bits.
  func openDuration(until time: Int) -> Int {
    guard let open else { return 0 }
    return min(max(time - open.time, 1), timescale * 3600)
  }

  /// The newest sample ends at `time`.
  mutating func closeOpen(until time: Int) {
    guard let sample = open else { return }
    let duration = openDuration(until: time)
    if pending.isEmpty { baseTime = sample.time }
    pending.append(
      ClipTrack.Sample(size: sample.bytes.count, duration: duration, isKey: sample.isKey, entry: 1))
    bytes.append(contentsOf: sample.bytes)
    pendingTicks += duration
    lastDuration = duration
    open = nil
  }

  /// Nothing follows any more.
  mutating func closeLast() {
    guard let open else { return }
    closeOpen(until: open.time + min(lastDuration, timescale))
  }

  mutating func begin(_ sample: [UInt8], isKey: Bool, at time: Int) { open = (sample, isKey, time) }

  /// Whether the next sample would make a fragment longer than `limit`, if it lasts as long as the one before.
  func isFull(_ limit: Duration) -> Bool { hasPending && pendingTicks + lastDuration > ticks(limit) }

  var run: ClipBoxes.Run {
    ClipBoxes.Run(trackID: id, baseTime: baseTime, samples: pending, size: bytes.count)
  }

  /// What was pending is in the file. Gives where it ends, in ticks.
  mutating func commit() -> Int {
    let end = baseTime + pendingTicks
    baseTime = end
    pending.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    pendingTicks = 0
    return end
  }
}
