import Foundation
import OrielKit
import OrielModel

extension CommandDescription {
  static let live = CommandDescription(
    "live", operands: "SERIAL[:CAMERA]", operandCount: 1...1,
    summary: "watch a camera live, record it, take a picture",
    details: """
      Watches until Ctrl-C, or for the seconds given. Cameras of a device count from 1.

        oriel live O12345678 --window                          in a window, with sound
        oriel live O12345678:2 --quality smooth --stats        figures once a second
        oriel live O12345678 --seconds 10 --record door.mp4    a clip, as it was sent
        oriel live O12345678 --snapshot door.jpg               one picture, then ends

      With --json every line is an event: started, statistics, reconnecting, reconnected, failed, ended.
      """,
    options: [
      .value("quality", "hd|smooth", "main or sub stream; the camera's setting when not given"),
      .value("seconds", "N", "end after N seconds of pictures (1 to 86400)"),
      .value("record", "FILE.mp4", "write pictures and sound as they come"),
      .value("snapshot", "FILE.jpg", "write the last picture; without --seconds, the first"),
      .flag("window", "show it in a window, with sound"),
      .flag("stats", "tell figures once a second"),
      .flag("relay-only", "use relays only, for tests of TURN"),
      .value("server", "ADDRESS", "another platform than that of `oriel login`"), .json,
    ],
    run: LiveCommand.run)
}

enum LiveCommand {
  @Sendable static func run(_ arguments: Arguments) async throws {
    let (serial, cameraNo) = try CameraName.parse(arguments.operands[0])
    var options = PlayerOptions(videoLevel: try level(arguments))
    options.relayOnly = arguments.has("relay-only")
    let seconds = try arguments.integer("seconds", in: 1...86_400)
    let session = try SignedIn.session(arguments)
    let player = session.player(for: serial, cameraNo: cameraNo, options: options)
    let view = LiveView(
      player: player, seconds: seconds ?? (arguments.has("snapshot") ? 0 : nil),
      clip: arguments.value("record"),
      snapshot: arguments.value("snapshot"), tellsFigures: arguments.has("stats"), output: Output(arguments))
    if arguments.has("window") {
      player.show(on: try options.outputs.window("\(serial) - Oriel"))
      player.openSound()
    }
    do {
      try await view.run()
    } catch {
      await player.close()
      await session.close()
      throw error
    }
    await player.close()
    await session.close()
  }

  private static func level(_ arguments: Arguments) throws -> VideoLevel? {
    switch arguments.value("quality") {
    case nil: nil
    case "hd": .high
    case "smooth": .low
    case let other?: throw UsageError(message: "--quality is hd or smooth, not '\(other)'.")
    }
  }
}
