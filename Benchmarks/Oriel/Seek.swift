import Foundation
import OrielKit
import OrielModel
import Synchronization

/// How long a viewer of a recording waits for the first decoded picture of the moment it sought, at random moments.
struct Seek {
  let serial: String
  let store: RecordStore
  let count: Int

  init(_ options: [String: String]) {
    serial = options["serial"] ?? ""
    store = options["store"] == "cloud" ? .cloud : .device
    count = Int(options["count"] ?? "") ?? 100
  }

  /// Prints the milliseconds of every seek as one JSON array.
  func run() async throws {
    let session = try await Session.connect()
    let serial = try DeviceSerial(serial)
    guard
      let file = try await session.recordings(of: serial, from: 0, store: store)
        .max(by: { $0.endTime - $0.startTime < $1.endTime - $1.startTime })
    else { OrielBench.fail("nothing is recorded") }
    var range = PlaybackRange(file)
    range.store = store
    let player = session.playback(of: serial, range: range)
    let (frames, feed) = AsyncStream<(time: Int64, at: ContinuousClock.Instant)>.makeStream()
    player.onFrame { feed.yield(($0.captureTime, .now)) }
    player.onEvent { if case .failed(let error) = $0 { OrielBench.fail("\(error)") } }
    player.start()
    var arrivals = frames.makeAsyncIterator()
    _ = await arrivals.next()
    var milliseconds: [Double] = []
    for _ in 0..<count {
      let time = Int64.random(in: file.startTime..<file.endTime - 2_000)
      let asked = ContinuousClock.now
      try player.seek(to: time)
      while let frame = await arrivals.next() {
        // The picture shown at that moment, or the one after it.
        guard frame.at > asked, (time - 50..<time + 100).contains(frame.time) else { continue }
        milliseconds.append((frame.at - asked) / .milliseconds(1))
        break
      }
    }
    await player.close()
    OrielBench.say(String(decoding: try JSONEncoder().encode(milliseconds), as: UTF8.self))
  }
}
