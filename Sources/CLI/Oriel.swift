import Foundation
import OrielModel

/// The one executable: finds the command, runs it, turns failures into sentences and exit codes.
///
/// Exit codes: 0 done, 1 failed with a number, 2 called wrongly, 130 interrupted before it was done.
@main
enum Oriel {
  static let version = "0.1.0"

  static let commands: [CommandDescription] = [
    .run, .demo, .platform, .camera, .login, .devices, .live, .records, .playback, .talk, .download,
  ]

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    exit(await run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func run(_ words: [String]) async -> Int32 {
    guard let name = words.first, !["--help", "-h", "help"].contains(name) else {
      Output.line(overview)
      return words.isEmpty ? 2 : 0
    }
    if name == "--version" {
      Output.line("oriel \(version)")
      return 0
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      Output.standardError("There is no command '\(name)'. `oriel --help` lists them.")
      return 2
    }
    let wantsJSON = words.contains("--json")
    do {
      let arguments = try Arguments(Array(words.dropFirst()), for: command)
      if arguments.wantsHelp {
        Output.line(command.help)
      } else {
        try await command.run(arguments)
      }
      return 0
    } catch let error as UsageError {
      Output.standardError("\(error.message)\n`oriel \(name) --help` explains.")
      return 2
    } catch is CancellationError {
      return 130
    } catch let error as OrielError {
      return failed(error, json: wantsJSON)
    } catch {
      return failed(OrielError(.streamInnerError, "\(error)"), json: wantsJSON)
    }
  }

  private static func failed(_ error: OrielError, json: Bool) -> Int32 {
    if json, let data = try? JSONEncoder().encode(ErrorRecord(error)) {
      Output.standardError(String(decoding: data, as: UTF8.self))
    } else {
      Output.standardError("\(error)")
    }
    return 1
  }

  private static var overview: String {
    let width = (commands.map(\.name.count).max() ?? 0) + 2
    let list = commands.map {
      "  \($0.name.padding(toLength: width, withPad: " ", startingAt: 0))\($0.summary)"
    }
    return """
      oriel \(version) - an open camera platform

      usage: oriel COMMAND [options]

      \(list.joined(separator: "\n"))

      `oriel COMMAND --help` explains one. Every command that answers takes --json.
      Secrets are asked for or read from files, never taken as arguments.
      """
  }
}
