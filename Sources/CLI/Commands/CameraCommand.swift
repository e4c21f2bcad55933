import Foundation
import OrielCamera
import OrielKit
import OrielModel

extension CommandDescription {
  static let camera = CommandDescription(
    "camera", operands: "[check]", operandCount: 0...1,
    summary: "make this machine a camera: test picture, RTSP, V4L2 or file",
    details: """
      Runs a camera agent until Ctrl-C. Its identity (serial, verification code, keys) is made at the first start and
      kept in its data folder; its label is shown on a terminal, and written to label.json in that folder.
      The serial and the code add it to an account: oriel devices add SERIAL

        oriel camera                                              a moving test picture with sound
        oriel camera --source rtsp://192.168.1.20/stream1 --credentials FILE
        oriel camera --source /dev/video0 --source film.mp4       two cameras in one device

        oriel camera --record continuous --record-limit 100GB --upload events

      FILE holds the user on the first line and the password on the second.
      Recordings are MP4 files in a folder a day; the oldest go first, locked ones never.

        oriel camera --talk full --microphone default             a door station: people may talk with it

        oriel camera check                                        is everything in the recordings folder as it should be?
        oriel camera check --mend                                 mend it; no agent may be recording there
      """,
    options: [
      .value("source", "WHERE", "test, rtsp://host/path, /dev/videoN or a file; once for each camera"),
      .value("credentials", "FILE", "user and password of the RTSP sources"),
      .value("name", "NAME", "what to call the device"),
      .value("data", "FOLDER", "where its identity is kept; one agent a folder"),
      .value("server", "ADDRESS", "the platform; as for the other commands when not given"),
      .value("viewers", "N", "how many viewers it serves at once (64)"),
      .flag("encode", "encode even what could be passed on as it is"),
      .flag("h265", "pass H.265 on as it comes, instead of encoding it to H.264"),
      .value("sub", "WHERE", "the small stream of an RTSP source, once for each --source and in their order"),
      .value("record", "WHEN", "continuous, events or off (off)"),
      .value("recordings", "FOLDER", "where recordings lie (recordings in the data folder)"),
      .value("record-limit", "SIZE", "the room that recordings may take, such as 500MB or 2TB (20GB)"),
      .value("record-days", "N", "how long a recording is kept (30)"),
      .value("upload", "WHAT", "what goes to the platform's cloud: all, events or none (none)"),
      .value(
        "talk", "full|half|off",
        "people may talk through this machine's loudspeaker: both ways at once, or by turns"),
      .value("speaker", "NAME", "which loudspeaker, as the sound system calls it"),
      .value(
        "microphone", "NAME", "the camera's sound is a microphone of this machine; default: the chosen one"),
      .flag("mend", "check: mend what can be mended"),
      .flag("relay-only", "use relays only, for tests of TURN"), .json,
    ],
    run: CameraCommand.run)
}

enum CameraCommand {
  /// What `--json` prints once at the start.
  private struct Answer: Encodable {
    let serial: DeviceSerial
    let labelFile: String
    let server: String
  }

  @Sendable static func run(_ arguments: Arguments) async throws {
    if let verb = arguments.operands.first {
      guard verb == "check" else { throw UsageError(message: "`oriel camera` does not know '\(verb)'.") }
      return try await CheckCommand.run(arguments)
    }
    guard !arguments.has("mend") else { throw UsageError(message: "--mend belongs to `oriel camera check`.") }
    let output = Output(arguments)
    let folder = arguments.value("data") ?? Folders.data("camera")
    let agent = try CameraAgent(configuration: configuration(arguments, folder: folder))
    let file = try agent.writeLabel()
    if output.isJSON {
      let server = agent.configuration.platform.description
      try output.answer(Answer(serial: agent.label.serial, labelFile: file, server: server), text: "")
    } else if isatty(STDOUT_FILENO) == 1 {
      Output.line(try agent.label.terminalText())
    } else {
      Output.line("Serial \(agent.label.serial). The label with its code is in \(file)")
    }
    let log = Log("camera")
    let reporting = Task { for await event in agent.events { log.info("\(event)") } }
    try await agent.start()
    await Interruption.wait()
    await agent.stop()
    await reporting.value
  }

  private static func configuration(_ arguments: Arguments, folder: String) throws -> AgentConfiguration {
    let credentials = try arguments.value("credentials").map { try SourceCredentials(contentsOfFile: $0) }
    let addresses = arguments.all("source").isEmpty ? ["test"] : arguments.all("source")
    let subs = arguments.all("sub")
    guard subs.count <= addresses.count else {
      throw UsageError(message: "there are more --sub than --source")
    }
    var sources = addresses.enumerated().map { place, address in
      CameraSourceConfiguration(
        address: address, credentials: address.hasPrefix("rtsp") ? credentials : nil,
        forceEncode: arguments.has("encode"), allowsH265: arguments.has("h265"),
        subAddress: place < subs.count ? subs[place] : nil)
    }
    // This machine's loudspeaker and microphone belong to its first camera.
    sources[0].talk = try talk(arguments)
    sources[0].microphone = arguments.value("microphone").map { $0 == "default" ? nil : $0 }
    let server = try ServerChoice.resolve(given: arguments.value("server").map { try ServerAddress($0) })
      .server
    var configuration = AgentConfiguration(dataFolder: folder, sources: sources, platform: server)
    if let name = arguments.value("name") { configuration.name = name }
    if let viewers = try arguments.integer("viewers", in: 1...1000) { configuration.viewerLimit = viewers }
    configuration.relayOnly = arguments.has("relay-only")
    configuration.recording = try RecordingOptions.recording(arguments)
    configuration.upload = try RecordingOptions.upload(arguments)
    guard configuration.upload == .none || configuration.recording != nil else {
      throw UsageError(message: "--upload needs --record continuous or --record events")
    }
    return configuration
  }

  private static func talk(_ arguments: Arguments) throws -> TalkConfiguration? {
    let speaker = arguments.value("speaker")
    switch arguments.value("talk") {
    case "full": return TalkConfiguration(loudspeaker: speaker)
    case "half": return TalkConfiguration(loudspeaker: speaker, isHalfDuplex: true)
    case nil, "off":
      guard speaker == nil else { throw UsageError(message: "--speaker needs --talk full or --talk half.") }
      return nil
    case let other?: throw UsageError(message: "--talk is full, half or off, not '\(other)'.")
    }
  }
}
