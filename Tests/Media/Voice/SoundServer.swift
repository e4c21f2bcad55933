import Foundation

/// A PulseAudio server of a test's own, with null sinks: what is played to one is heard at its monitor.
final class SoundServer {
  struct Dead: Error {}

  let address: String
  private let folder: URL
  private var process: pid_t?

  /// - Parameter sinks: names of null sinks of 48 kHz.
  convenience init(sinks: [String]) throws {
    try self.init(modules: sinks.map { "module-null-sink sink_name=\($0) rate=48000 norewinds=1" })
  }

  /// - Parameter modules: what to load, as `pactl load-module` takes it.
  init(modules: [String]) throws {
    // Short: a socket's path has 107 bytes.
    folder = URL(fileURLWithPath: "/tmp/oriel-pulse-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let socket = folder.appendingPathComponent("native").path
    address = "unix:\(socket)"
    let arguments =
      ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error"]
      + modules.flatMap { ["-L", $0] }
      + ["-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1"]
    // Nothing of the user's is read or written.
    let environment = [
      "HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)", "PATH=/usr/bin:/bin",
      "DBUS_SESSION_BUS_ADDRESS=unix:path=/dev/null",
    ]
    process = try Self.spawn("/usr/bin/pulseaudio", arguments, environment)
    for _ in 0..<500 {
      if (try? control("info")) != nil {
        // On a machine that others load, a server that waits for its turn would be what is measured. Where that is not
        // allowed it is as it is; at its start it takes priority from itself.
        var priority = sched_param(sched_priority: 5)
        if let process { sched_setscheduler(process, SCHED_RR, &priority) }
        return
      }
      usleep(10_000)
    }
    stop()
    throw Dead()
  }

  deinit { stop() }

  /// Runs `pactl`.
  @discardableResult
  func control(_ arguments: String...) throws -> String {
    let client = Process()
    let output = Pipe()
    client.executableURL = URL(fileURLWithPath: "/usr/bin/pactl")
    client.arguments = ["-s", address] + arguments
    client.standardOutput = output
    client.standardError = FileHandle.nullDevice
    try client.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    client.waitUntilExit()
    guard client.terminationStatus == 0 else { throw Dead() }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Not by Foundation's Process: it takes the descriptors that the server closes at its start for the server's end,
  /// and waits for it with the thread that would see other programs end.
  private static func spawn(_ program: String, _ arguments: [String], _ environment: [String]) throws -> pid_t
  {
    var pid: pid_t = 0
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
    }
    let words = (arguments.map { strdup($0) }, environment.map { strdup($0) })
    defer { for word in words.0 + words.1 { free(word) } }
    guard posix_spawn(&pid, program, &files, nil, words.0 + [nil], words.1 + [nil]) == 0 else {
      throw Dead()
    }
    return pid
  }

  /// Ends the server at once, as when it crashes.
  func stop() {
    if let process {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    process = nil
    try? FileManager.default.removeItem(at: folder)
  }
}
