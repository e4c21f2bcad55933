import Foundation
import Testing

/// An RTSP camera that is not ours, in a process of its own.
final class CameraServer {
  let port: Int
  private let process = Process()

  convenience init(_ arguments: String..., port: Int = 0) throws {
    try self.init(script: "rtsp_server.py", arguments + ["--port", String(port)])
  }

  init(script name: String, _ arguments: [String]) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Peers/\(name)")
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [script.path] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      line += String(decoding: piece, as: UTF8.self)
    }
    self.port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "no port: \(line)")
  }

  var address: String { "rtsp://127.0.0.1:\(port)/live" }

  func stop() { kill() }

  /// As if the camera lost its power.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
