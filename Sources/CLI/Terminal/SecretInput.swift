import Foundation
import OrielModel

/// Takes a secret from a person at the terminal, without showing it, or from a file.
///
/// Secrets are never taken from arguments, where every user of the machine can read them.
enum SecretInput {
  private static let interrupt: UInt8 = 3

  /// Asks on the terminal. Ctrl-C comes as a character, so that the terminal is given back as it was.
  /// - Throws: `UsageError` when there is no terminal to ask on, `CancellationError` on Ctrl-C.
  static func ask(_ prompt: String, orGive alternative: String) throws -> String {
    guard isatty(STDIN_FILENO) == 1 else {
      throw UsageError(message: "There is no terminal to ask for \(prompt). Give \(alternative).")
    }
    StandardStream.error.write("\(prompt): ")
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    let before = settings
    settings.c_lflag &= ~tcflag_t(ECHO | ISIG)
    settings.c_cc.11 = interrupt  // VEOL: ends the line too
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    defer {
      var restored = before
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &restored)
      StandardStream.error.write("\n")
    }
    var line = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &line, line.count)
    guard count > 0 else { throw UsageError(message: "Nothing was entered.") }
    guard line[count - 1] != interrupt else { throw CancellationError() }
    return String(decoding: line[..<count].prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
  }

  /// The lines of a file, without line ends; warns when others may read it.
  static func lines(ofFile path: String) throws -> [String] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw UsageError(message: "The file \(path) cannot be read.")
    }
    let permissions =
      (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? Int ?? 0
    if permissions & 0o077 != 0 {
      Output.standardError("Others may read \(path); run: chmod 600 \(path)")
    }
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }
}
