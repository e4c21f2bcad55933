import Foundation
import OrielKit
import OrielModel

extension CommandDescription {
  static let playback = CommandDescription(
    "playback", operands: "SERIAL[:CAMERA]", operandCount: 1...1,
    summary: "watch what a camera has recorded",
    details: """
      Plays from a time on, to --to, to the end of what there is, or until Ctrl-C. Gaps are jumped and told.

        oriel playback O12345678 --from -10m --window                  what was ten minutes ago
        oriel playback O12345678 --from 18:30 --to 18:35 --rate 4      five minutes, four times as fast
        oriel playback O12345678 --from 18:30 --snapshot door.jpg      one picture, then ends
        oriel playback O12345678 --from 18:30 --seconds 20 --record door.mp4 --cloud

      A time is \(PointInTime.forms).
      With --json every line is an event: started, statistics, gap, end, failed, ended.
      """,
    options: [
      .value("from", "TIME", "where to begin; needed"), .value("to", "TIME", "where to end"),
      .flag("cloud", "from the cloud"), .flag("device", "from the camera's own storage (this)"),
      .value("rate", "N", "the speed, 0.0625 to 16; above 4 key frames only (1)"),
      .value("seconds", "N", "end after N seconds (1 to 86400)"),
      .value("record", "FILE.mp4", "write what is shown"),
      .value("snapshot", "FILE.jpg", "write the last picture; without --seconds and --to, the first"),
      .flag("window", "show it in a window, with sound"), .flag("stats", "tell figures once a second"),
      .value("server", "ADDRESS", "another platform than that of `oriel login`"), .json,
    ],
    run: PlaybackCommand.run)
}

enum PlaybackCommand {
  @Sendable static func run(_ arguments: Arguments) async throws {
    let (serial, cameraNo) = try CameraName.parse(arguments.operands[0])
    let range = try range(arguments)
    let rate = try rate(arguments)
    let seconds = try arguments.integer("seconds", in: 1...86_400)
    let isOnePicture = arguments.has("snapshot") && range.to == nil
    let options = PlayerOptions()
    let session = try SignedIn.session(arguments)
    let player = session.playback(of: serial, cameraNo: cameraNo, range: range, options: options)
    let view = LiveView(
      player: player, seconds: seconds ?? (isOnePicture ? 0 : nil), clip: arguments.value("record"),
      snapshot: arguments.value("snapshot"), tellsFigures: arguments.has("stats"), output: Output(arguments),
      rate: rate)
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

  /// `--from`, `--to` and the store.
  static func range(_ arguments: Arguments) throws -> PlaybackRange {
    guard let from = try arguments.time("from") else {
      throw UsageError(message: "`oriel playback` needs --from TIME, such as \(PointInTime.forms).")
    }
    let to = try arguments.time("to")
    guard to.map({ $0 > from }) ?? true else { throw OrielError(.playbackRange) }
    return PlaybackRange(store: try arguments.store(), from: from, to: to)
  }

  private static func rate(_ arguments: Arguments) throws -> Double? {
    guard let text = arguments.value("rate") else { return nil }
    guard let rate = Double(text), Player.rates.contains(rate) else {
      throw UsageError(message: "--rate is a number from 0.0625 to 16, not '\(text)'.")
    }
    return rate
  }
}
