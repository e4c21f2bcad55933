import Foundation

/// Where things are when nobody says otherwise.
enum Folders {
  /// `$XDG_DATA_HOME/oriel/NAME`, or `~/.local/share/oriel/NAME`.
  static func data(_ name: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    let base = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.local/share"
    return base + "/oriel/" + name
  }

  /// The web console's files: `ORIEL_CONSOLE`, beside the program or in a folder above it, or installed.
  static var console: String? {
    var candidates: [String] = []
    if let named = ProcessInfo.processInfo.environment["ORIEL_CONSOLE"], !named.isEmpty {
      candidates.append(named)
    }
    if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      var folder = URL(fileURLWithPath: program).deletingLastPathComponent()
      while folder.path != "/" {
        candidates.append(folder.appendingPathComponent("Console").path)
        folder.deleteLastPathComponent()
      }
    }
    candidates.append("/usr/share/oriel/console")
    return candidates.first { FileManager.default.fileExists(atPath: $0 + "/index.html") }
  }
}
