import Foundation
import OrielCamera
import OrielKit
import OrielModel
import OrielPlatform
import Synchronization

extension CommandDescription {
  static let run = CommandDescription(
    "run", summary: "platform and one camera, ready to watch, until Ctrl-C",
    details: """
      Starts the platform on this machine and a camera in its account: a moving test picture with sound, or the
      source that the environment names. This is what `make run` does.

        oriel run
        SOURCE=rtsp://192.168.1.20/stream1 oriel run                              asks for user and password
        SOURCE=rtsp://192.168.1.20/stream1 SOURCE_CREDENTIALS=FILE oriel run      user and password on two lines
      """,
    options: CommandDescription.platform.options,
    run: RunCommand.run)
}

enum RunCommand {
  /// What `--json` prints once the camera is live.
  private struct Answer: Encodable {
    let addresses: [String]
    let serial: DeviceSerial
    let passwordFile: String?
  }

  @Sendable static func run(_ arguments: Arguments) async throws {
    Log.keepQuiet()
    let environment = ProcessInfo.processInfo.environment
    let address = environment["SOURCE"].flatMap { $0.isEmpty ? nil : $0 } ?? "test"
    let source = CameraSourceConfiguration(
      address: address, credentials: try credentials(for: address, file: environment["SOURCE_CREDENTIALS"]))
    try source.check()
    let output = Output(arguments)
    let house = House(try PlatformCommand.configuration(arguments))
    let isReady = Mutex(false)
    do {
      _ = try await Interruption.orUntil {
        let addresses = try await house.startPlatform()
        let passwordFile = PlatformCommand.report(addresses, output)
        let agent = try await Progress.during("Starting the camera") {
          try await house.startCamera(
            dataFolder: Folders.data("camera"), source: source,
            name: address == "test" ? "Demo camera" : "Camera")
        }
        let session = try await house.session()
        try await house.addCamera(agent, to: session)
        await session.close()
        let serial = agent.label.serial
        try output.answer(
          Answer(addresses: addresses.addresses, serial: serial, passwordFile: passwordFile),
          text: Self.hints(serial))
        isReady.withLock { $0 = true }
        while true { try await Task.sleep(for: .seconds(3600)) }
      }
    } catch {
      await house.stop()
      throw error
    }
    output.note("Stopping ...")
    await house.stop()
    guard isReady.withLock({ $0 }) else { throw CancellationError() }
  }

  private static func hints(_ serial: DeviceSerial) -> String {
    let program = CommandLine.arguments.first ?? "oriel"
    return """

      The camera \(serial) is live. Open the console in a browser, or try in another terminal:
        \(program) login
        \(program) devices
        \(program) live \(serial) --window
        \(program) live \(serial) --seconds 5 --record clip.mp4 --snapshot picture.jpg
      Ctrl-C stops everything.
      """
  }

  /// From the file; else asked for, where the source may need them and somebody is there.
  private static func credentials(for address: String, file: String?) throws -> SourceCredentials? {
    if let file, !file.isEmpty { return try SourceCredentials(contentsOfFile: file) }
    guard address.hasPrefix("rtsp"), isatty(STDIN_FILENO) == 1 else { return nil }
    StandardStream.error.write("User of the camera (empty when it has none): ")
    guard let user = readLine(), !user.isEmpty else { return nil }
    let password = try SecretInput.ask("Password of \(user)", orGive: "SOURCE_CREDENTIALS=FILE")
    return SourceCredentials(user: user, password: password)
  }
}
