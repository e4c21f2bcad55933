import Foundation
import OrielCamera
import OrielKit
import OrielModel
import OrielPlatform

extension CommandDescription {
  static let demo = CommandDescription(
    "demo", summary: "the whole job once, without a person",
    details: """
      Starts a platform and a camera on free ports with data of their own, signs in, adds the camera, watches it
      for five seconds through the SDK, and writes live.mp4 and live.jpg. Prints a line a step with its time.

        oriel demo --folder demo
      """,
    options: [.value("folder", "FOLDER", "where live.mp4 and live.jpg go (demo)"), .json],
    run: DemoCommand.run)
}

enum DemoCommand {
  private struct Answer: Encodable {
    let clip: String
    let clipSeconds: Double
    let snapshot: String
    let firstFrameMilliseconds: Double
    let picturesPerSecond: Double
  }

  @Sendable static func run(_ arguments: Arguments) async throws {
    Log.keepQuiet()
    let output = Output(arguments)
    let folder = arguments.value("folder") ?? "demo"
    let data = FileManager.default.temporaryDirectory.path + "/oriel-demo-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch { throw OrielError(.fileNotWritable, folder) }
    defer { try? FileManager.default.removeItem(atPath: data) }
    var configuration = PlatformConfiguration(
      dataFolder: data + "/platform", listeners: [.init(host: "127.0.0.1", port: 0, isTLS: false)])
    configuration.consoleFolder = Folders.console
    let house = House(configuration)
    do {
      let interrupted = try await Interruption.orUntil {
        let answer = try await watch(house, data: data, folder: folder, steps: Steps(output))
        try output.answer(answer, text: "Done.")
      }
      if interrupted { throw CancellationError() }
    } catch {
      await house.stop()
      throw error
    }
    await house.stop()
  }

  private static func watch(_ house: House, data: String, folder: String, steps: Steps) async throws -> Answer
  {
    let addresses = try await house.startPlatform()
    steps.done("platform at \(addresses.addresses.first ?? "")")
    let agent = try await house.startCamera(
      dataFolder: data + "/camera", source: CameraSourceConfiguration(address: "test"), name: "Demo camera")
    steps.done("camera \(agent.label.serial) registered")
    let session = try Session(server: try ServerAddress(addresses.addresses.first ?? ""))
    guard let first = addresses.firstStart else { throw OrielError(.serverError, "no account was made") }
    try await session.signIn(account: first.account, password: first.password)
    steps.done("signed in as \(first.account)")
    try await house.addCamera(agent, to: session)
    steps.done("camera added; the account has \(try await session.devices().count) device")
    let player = session.player(for: agent.label.serial)
    let pace = PictureClock()
    player.onFrame { _ in pace.tick() }
    let events = player.events
    player.start()
    for await event in events {
      if case .failed(let error) = event { throw error }
      if event == .started { break }
    }
    _ = pace.begin()
    let firstFrame = await player.statistics.timeToFirstFrame ?? 0
    steps.done("first picture, \(Int(firstFrame)) ms after asking")
    try await player.startRecording(to: folder + "/live.mp4")
    try await Task.sleep(for: .seconds(5))
    let clip = try await player.stopRecording()
    steps.done("watched: \(clip.pictures) pictures and \(clip.audioPackets) packets of sound in \(clip.path)")
    let jpeg = try player.captureJPEG()
    guard FileManager.default.createFile(atPath: folder + "/live.jpg", contents: Data(jpeg)) else {
      throw OrielError(.fileNotWritable, folder + "/live.jpg")
    }
    steps.done("picture of \(jpeg.count) bytes in \(folder)/live.jpg")
    await player.close()
    await session.close()
    guard clip.pictures > 100, clip.audioPackets > 150 else {
      throw OrielError(
        .nothingRecorded, "\(clip.pictures) pictures and \(clip.audioPackets) packets of sound in 5 s")
    }
    return Answer(
      clip: clip.path, clipSeconds: clip.duration / .seconds(1), snapshot: folder + "/live.jpg",
      firstFrameMilliseconds: firstFrame, picturesPerSecond: pace.summary.picturesPerSecond)
  }
}

/// A line a step, with the seconds since the start.
private final class Steps: Sendable {
  private let began = ContinuousClock.now
  private let output: Output

  init(_ output: Output) { self.output = output }

  func done(_ text: String) {
    let line = String(format: "%6.2f s  ", (ContinuousClock.now - began) / .seconds(1)) + text
    if output.isJSON { output.note(line) } else { Output.line(line) }
  }
}
