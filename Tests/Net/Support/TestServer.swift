import Foundation
import OrielModel
import OrielNet

/// A server on a free loopback port, its loop, and a client of it.
struct TestServer: Sendable {
  let loop: EventLoop
  let server: HTTPServer
  let address: ServerAddress
  let client: HTTPClient
  var port: UInt16 { address.port }

  /// One identity for all tests, made once.
  static let identity = Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "oriel-net-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try TLSIdentity.generate(in: folder.path, names: ["localhost", "127.0.0.1"])
  }

  /// Serves while `body` runs, then drains and stops.
  static func serve(
    tls: Bool = false, limits: HTTPLimits = HTTPLimits(), handler: @escaping HTTPHandler,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let loop = try EventLoop.start(name: "test.net")
    let identity = tls ? try identity.get() : nil
    let server = HTTPServer(
      configuration: HTTPServerConfiguration(
        listeners: [HTTPListener(host: "127.0.0.1", port: 0, tls: identity)], limits: limits),
      loop: loop, handler: handler)
    let port = try await server.start()[0].port
    let address = try ServerAddress(
      identity.map { "https://127.0.0.1:\(port)#\($0.fingerprint)" } ?? "http://127.0.0.1:\(port)")
    let client = HTTPClient(address: address, loop: loop)
    let test = TestServer(loop: loop, server: server, address: address, client: client)
    var failure: (any Error)?
    do { try await body(test) } catch { failure = error }
    await client.close()
    await server.drain(within: .seconds(1))
    await loop.stop()
    if let failure { throw failure }
  }

  /// Answers everything with a text.
  static func says(_ text: String) -> HTTPHandler { { _ in .text(text) } }
}
