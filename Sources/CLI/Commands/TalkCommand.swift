import Foundation
import OrielKit
import OrielModel

extension CommandDescription {
  static let talk = CommandDescription(
    "talk", operands: "SERIAL[:CAMERA]", operandCount: 1...1,
    summary: "talk with who stands before a camera, or play a sound there",
    details: """
      Talks until Ctrl-C, with this machine's microphone and loudspeaker; the echo of the one is taken out of the other.

        oriel talk O12345678                          speak and listen
        oriel talk O12345678 --push                   by turns: Enter turns the direction round
        oriel talk O12345678 --file message.wav       play an announcement there, then end

      A device that can do one direction at a time speaks first; --push lets you speak from the start.
      With --json every line is an event: talkStarted, talkTurned, talkFailed, talkEnded.
      """,
    options: [
      .value("file", "FILE", "play this audio file instead of the microphone"),
      .value("microphone", "NAME", "which microphone, as the sound system calls it"),
      .value("seconds", "N", "end after N seconds (1 to 86400)"),
      .flag("push", "Enter turns the direction round; you speak first"),
      .value("server", "ADDRESS", "another platform than that of `oriel login`"), .json,
    ],
    run: TalkCommand.run)
}

enum TalkCommand {
  @Sendable static func run(_ arguments: Arguments) async throws {
    let (serial, cameraNo) = try CameraName.parse(arguments.operands[0])
    let seconds = try arguments.integer("seconds", in: 1...86_400)
    let file = arguments.value("file")
    guard file == nil || arguments.value("microphone") == nil else {
      throw UsageError(message: "Either --file or --microphone.")
    }
    let session = try SignedIn.session(arguments)
    let player = session.talk(with: serial, cameraNo: cameraNo)
    let output = Output(arguments)
    let input: VoiceInput = file.map { .file(path: $0) } ?? .microphone(device: arguments.value("microphone"))
    player.startTalk(from: input)
    let ending = Task {
      let limit: Duration? = seconds.map { .seconds($0) }
      if let limit { try? await Task.sleep(for: limit) } else { await Interruption.wait() }
      player.stopTalk()
    }
    let failure = await follow(player, isPushed: arguments.has("push") || file != nil, output)
    ending.cancel()
    await player.close()
    await session.close()
    if let failure { throw failure }
  }

  /// Tells what happens until the end.
  private static func follow(_ player: Player, isPushed: Bool, _ output: Output) async -> OrielError? {
    var turning: Task<Void, Never>?
    defer { turning?.cancel() }
    for await event in player.events {
      let line = LiveLine.other(event)
      // What failed is told once, at the end.
      let isFailure = if case .talkFailed = event { true } else { false }
      if let text = output.isJSON ? line.json : isFailure ? nil : line.text { Output.line(text) }
      switch event {
      case .talkStarted(.halfDuplex) where isPushed:
        player.speak(true)
        if !output.isJSON, isatty(STDIN_FILENO) == 1 { turning = turn(player) }
      case .failed(let error): return error
      case .stopped: return nil
      default: break
      }
    }
    return nil
  }

  /// Each line from the keyboard turns the direction round.
  private static func turn(_ player: Player) -> Task<Void, Never> {
    Task.detached {
      var isSpeaking = true
      while !Task.isCancelled, readLine() != nil {
        isSpeaking.toggle()
        player.speak(isSpeaking)
      }
    }
  }
}
