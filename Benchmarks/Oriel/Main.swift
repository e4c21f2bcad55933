import Foundation

/// The program under measurement in `make bench`: each word is one measurement, or one side of it.
@main
enum OrielBench {
  static func main() async throws {
    signal(SIGPIPE, SIG_IGN)
    var options: [String: String] = [:]
    var words = CommandLine.arguments.dropFirst()
    let name = words.popFirst() ?? ""
    while let word = words.popFirst() {
      let isFlag = words.first?.hasPrefix("--") ?? true
      options[String(word.drop { $0 == "-" })] = isFlag ? "" : words.popFirst()
    }
    switch name {
    case "fan-out": try await FanOut(options).run()
    case "first-frame": try await FirstFrame(options).run()
    case "picture-to-picture": try await PictureToPicture(options).run()
    case "idle-links": try await IdleLinks(options).run()
    case "cloud-ranges": try await CloudRanges(options).run()
    case "seek": try await Seek(options).run()
    case "recording": try await Recording(options).run()
    default:
      fail("no measurement '\(name)'")
    }
  }

  static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("oriel-bench: \(reason)\n".utf8))
    exit(1)
  }

  /// Prints a line at once: the other side waits for it.
  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
