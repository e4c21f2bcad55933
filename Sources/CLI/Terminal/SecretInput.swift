import Foundation
import OrielModel

/// Takes a secret from a person at the terminal, without showing it, or from a file.
///
/// Secrets are never taken from arguments, where every user of the machine can read them.
enum SecretInput {
  /// Asks on the terminal.
  /// - Throws: `UsageError` when there is no terminal to ask on.
  static func ask(_ prompt: String, orGive alternative: String) throws -> String {
    guard isatty(STDIN_FILENO) == 1 else {
      throw UsageError(message: "There is no terminal to ask for \(prompt). Give \(alternative).")
    }
    FileHandle.standardError.write(Data("\(prompt): ".utf8))
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    let before = settings
    settings.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    defer {
      var restored = before
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &restored)
      FileHandle.standardError.write(Data("\n".utf8))
    }
    guard let line = readLine() else { throw UsageError(message: "Nothing was entered.") }
    return line
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
