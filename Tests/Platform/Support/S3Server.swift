import Foundation
import OrielCrypto
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

/// A server of Debian's that speaks S3 and checks signatures, one for all tests; it ends with the process, whose end
/// closes its standard input.
actor S3Server {
  static let shared = S3Server()
  static let credentials = S3Credentials(accessKey: "test:tester", secret: "s3cret-of-the-tests")

  private var starting: Task<UInt16, any Error>?
  /// What holds the server's standard input open.
  private let input = Pipe()

  struct Failure: Error {}

  /// A bucket of its own.
  /// - Parameter host: as it is written into the address.
  func bucket(_ loop: EventLoop, prefix: String = "") async throws -> S3Location {
    let task = starting ?? Task { try await self.start() }
    starting = task
    let port = try await task.value
    let name = "b" + UUID().uuidString.lowercased()
    let address = try ServerAddress("http://127.0.0.1:\(port)")
    let client = HTTPClient(address: address, loop: loop)
    let signature = S3Signature(credentials: Self.credentials, region: "us-east-1")
    let request = S3Signature.Request(
      method: "PUT", host: "127.0.0.1:\(port)", path: "/\(name)", bodyDigest: Digest.sha256([]))
    let answer = try await client.send(
      method: "PUT", path: "/\(name)",
      headers: signature.headers(for: request, at: Int64(Date().timeIntervalSince1970)), body: [])
    try #require(answer.status == 200)
    await client.close()
    return try S3Location("s3+http://\(name)@127.0.0.1:\(port)/\(prefix)")
  }

  private func start() async throws -> UInt16 {
    let folder = FileManager.default.temporaryDirectory.path + "/oriel-s3-" + UUID().uuidString
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Peers/s3_server.py").path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [script, folder, Self.credentials.accessKey, Self.credentials.secret]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    struct Line: Decodable { let port: UInt16 }
    let line = await withCheckedContinuation { (continuation: CheckedContinuation<Data, Never>) in
      Thread { continuation.resume(returning: output.fileHandleForReading.availableData) }.start()
    }
    guard let port = try? JSONDecoder().decode(Line.self, from: line).port else { throw Failure() }
    return port
  }
}
