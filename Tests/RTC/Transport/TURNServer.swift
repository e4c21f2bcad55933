import Foundation

@testable import OrielRTC

#if canImport(Glibc)
  import Glibc
#endif

/// Debian's coturn on a free loopback port, ended with its last reference.
final class TURNServer: Sendable {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/turnserver")

  let port: UInt16
  private let process: Process
  private let folder: URL

  /// Resumes when it takes connections.
  static func start() async throws -> TURNServer {
    let server = try TURNServer()
    for _ in 0..<250 where !server.isListening { try await Task.sleep(for: .milliseconds(20)) }
    return server
  }

  private init() throws {
    port = Self.freePort()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("turn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/turnserver")
    process.currentDirectoryURL = folder
    process.arguments = [
      "-n", "--no-cli", "--log-file", "stdout", "--listening-ip", "127.0.0.1", "--listening-port", "\(port)",
      "--relay-ip", "127.0.0.1", "--user", "viewer:secret", "--realm", "oriel", "--lt-cred-mech", "--no-tls",
      "--no-dtls", "--allow-loopback-peers", "--pidfile", folder.appendingPathComponent("pid").path,
      "--userdb", folder.appendingPathComponent("db").path,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    // SIGTERM is blocked on the threads of Swift's tasks, and what they start inherits that.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  func server(transport: String) -> ICEServer {
    ICEServer(
      urls: ["turn:127.0.0.1:\(port)?transport=\(transport)"], username: "viewer", credential: "secret")
  }

  private var isListening: Bool {
    Self.withSocket(port: port) { descriptor, address, length in
      connect(descriptor, address, length.pointee) == 0
    }
  }

  private static func freePort() -> UInt16 {
    withSocket(port: 0) { descriptor, address, length in
      guard bind(descriptor, address, length.pointee) == 0, getsockname(descriptor, address, length) == 0
      else {
        return 0
      }
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt16(bigEndian: $0.pointee.sin_port)
      }
    }
  }

  private static func withSocket<Result>(
    port: UInt16, _ body: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> Result {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(descriptor, $0, &length) }
    }
  }
}
