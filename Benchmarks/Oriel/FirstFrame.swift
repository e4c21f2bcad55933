import Foundation
import OrielKit
import OrielModel

/// How long a viewer waits for the first decoded picture after asking, again and again with a new player.
struct FirstFrame {
  let serial: String
  let tries: Int

  init(_ options: [String: String]) {
    serial = options["serial"] ?? ""
    tries = Int(options["tries"] ?? "") ?? 50
  }

  /// Prints the milliseconds of every try as one JSON array.
  func run() async throws {
    let session = try await Session.connect()
    var milliseconds: [Double] = []
    // The first try opens the viewer link too, as a program does once; it is not counted.
    for number in 0...tries {
      let player = session.player(for: try DeviceSerial(serial))
      let (frames, feed) = AsyncStream<ContinuousClock.Instant>.makeStream()
      player.onFrame { _ in feed.yield(.now) }
      player.onEvent { if case .failed(let error) = $0 { OrielBench.fail("\(error)") } }
      let began = ContinuousClock.now
      player.start()
      for await moment in frames {
        if number > 0 { milliseconds.append((moment - began) / .milliseconds(1)) }
        break
      }
      player.stop()
      await player.close()
    }
    OrielBench.say(String(decoding: try JSONEncoder().encode(milliseconds), as: UTF8.self))
  }
}
