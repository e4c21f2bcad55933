import Foundation
import OrielCrypto
import OrielModel
import OrielNet

/// Thousands of devices that only keep their link, over TLS, each registered with keys of its own.
struct IdleLinks {
  let server: String
  let count: Int

  init(_ options: [String: String]) {
    server = options["server"] ?? ""
    count = Int(options["count"] ?? "") ?? 5000
  }

  /// Prints `connected` when all are registered, and holds them until it is ended.
  func run() async throws {
    let address = try ServerAddress(server)
    let loop = try EventLoop.start(name: "devices")
    let client = HTTPClient(address: address, loop: loop)
    var links: [WebSocket] = []
    for begin in stride(from: 0, to: count, by: 50) {
      links += try await withThrowingTaskGroup(of: WebSocket.self) { group in
        for number in begin..<min(begin + 50, count) {
          group.addTask { try await Self.register(number, client) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    OrielBench.say("connected \(links.count)")
    try await Task.sleep(for: .seconds(3600))
  }

  private static func register(_ number: Int, _ client: HTTPClient) async throws -> WebSocket {
    let link = try await client.openWebSocket(path: "/v1/device")
    let serial = try DeviceSerial("B" + String(String(100_000_000 + number).dropFirst()))
    for try await message in link.messages {
      guard case .text(let text) = message else { continue }
      switch try LinkMessage(text: text) {
      case .challenge(let challenge):
        let key = try SigningKey()
        let agreement = try AgreementKey()
        var hello = Hello(
          serial: serial, signingKey: Data(key.publicKey).base64EncodedString(),
          agreementKey: Data(agreement.publicKey).base64EncodedString(), bootId: UUID().uuidString,
          signature: "",
          report: DeviceReport(name: "Bench", model: "oriel-bench", version: "1", cameras: []))
        hello.signature = Data(try key.sign(hello.signedBytes(nonce: challenge.nonce))).base64EncodedString()
        try await link.send(LinkMessage.hello(hello).text())
      case .welcome: return link
      default: throw OrielError(.messageMalformed, text)
      }
    }
    throw OrielError(.platformUnreachable)
  }
}
