import Foundation
import OrielKit
import OrielModel
import Synchronization

/// From painting a picture at the source to having it decoded at the viewer: the test picture carries its time.
struct PictureToPicture {
  let serial: String
  let seconds: Int

  init(_ options: [String: String]) {
    serial = options["serial"] ?? ""
    seconds = Int(options["seconds"] ?? "") ?? 15
  }

  /// Prints the milliseconds of every picture after the first two seconds as one JSON array.
  func run() async throws {
    let session = try await Session.connect()
    let player = session.player(for: try DeviceSerial(serial))
    let delays = Mutex<[Int]>([])
    let (starts, started) = AsyncStream<Void>.makeStream()
    player.onEvent { event in
      if event == .started { started.yield() }
      if case .failed(let error) = event { OrielBench.fail("\(error)") }
    }
    player.onFrame { frame in
      guard let stamp = FrameStamp.read(from: frame) else { return }
      delays.withLock { $0.append(stamp.age(at: Int64(Date().timeIntervalSince1970 * 1000))) }
    }
    player.start()
    for await _ in starts { break }
    try await Task.sleep(for: .seconds(2))
    delays.withLock { $0.removeAll() }
    try await Task.sleep(for: .seconds(seconds))
    let result = delays.withLock { $0 }
    await player.close()
    OrielBench.say(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
  }
}
