import Foundation
import OrielCrypto
import OrielModel
import OrielNet

/// Reads at random places of a recording in the cloud, as a seek does: milliseconds of each, as JSON.
struct CloudRanges {
  /// Bytes of the recording, a minute of 2 Mbit/s, and of one read.
  static let size = 15_000_000
  static let piece = 256 * 1024

  let server: String
  let token: String
  let count: Int

  init(_ options: [String: String]) {
    server = options["server"] ?? ""
    token = options["token"] ?? ""
    count = Int(options["count"] ?? "") ?? 300
  }

  func run() async throws {
    let loop = try EventLoop.start(name: "cloud")
    let client = HTTPClient(address: try ServerAddress(server), loop: loop)
    let device = try await BenchDevice.register(client)
    let authorised: HTTPHeaders = ["Authorization": "Bearer \(token)"]
    let wish = try JSONEncoder().encode(["serial": device.serial.value, "verifyCode": "ABCDEF"])
    async let added = client.send(
      method: "POST", path: "/v1/devices", headers: authorised, body: [UInt8](wish))
    try await device.proveCode()
    guard try await added.status == 200 else { throw OrielError(.addFailed) }

    let bytes = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, filled in
      for index in 0..<Self.size { buffer[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 13) }
      filled = Self.size
    }
    try await device.upload(bytes, over: client)

    let path = "/v1/devices/\(device.serial)/cameras/1/recordings"
    let page = try await client.send(path: path, query: [("store", "cloud")], headers: authorised)
      .decode(RecordPage.self)
    guard let file = page.files.first?.downloadPath, let parts = URLComponents(string: file) else {
      throw OrielError(.recordNotFound)
    }
    let query = (parts.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
    var random = SystemRandomNumberGenerator()
    var times: [Double] = []
    for _ in 0..<count {
      let start = Int.random(in: 0..<Self.size - Self.piece, using: &random)
      let began = ContinuousClock.now
      let answer = try await client.send(
        path: parts.path, query: query, headers: ["Range": "bytes=\(start)-\(start + Self.piece - 1)"])
      times.append((ContinuousClock.now - began) / .milliseconds(1))
      guard answer.status == 206, answer.body.elementsEqual(bytes[start..<start + Self.piece]) else {
        throw OrielError(.recordDamaged)
      }
    }
    OrielBench.say(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
  }
}

/// A device with one camera and nothing behind it.
struct BenchDevice {
  let serial: DeviceSerial
  let link: WebSocket

  static func register(_ client: HTTPClient) async throws -> BenchDevice {
    var random = SystemRandomNumberGenerator()
    let serial = DeviceSerial.random(using: &random)
    let device = BenchDevice(serial: serial, link: try await client.openWebSocket(path: "/v1/device"))
    let (key, agreement) = (try SigningKey(), try AgreementKey())
    let nonce = try await device.first { if case .challenge(let value) = $0 { value.nonce } else { nil } }
    var hello = Hello(
      serial: serial, signingKey: Data(key.publicKey).base64EncodedString(),
      agreementKey: Data(agreement.publicKey).base64EncodedString(), bootId: UUID().uuidString,
      signature: "",
      report: DeviceReport(
        name: "Bench", model: "oriel-bench", version: "1",
        cameras: [CameraRecord(cameraNo: 1, name: "Bench")]))
    hello.signature = Data(try key.sign(hello.signedBytes(nonce: nonce))).base64EncodedString()
    try await device.link.send(LinkMessage.hello(hello).text())
    _ = try await device.first { if case .welcome(let value) = $0 { value } else { nil } }
    return device
  }

  /// Says yes to the code that it is asked about.
  func proveCode() async throws {
    let id = try await first { if case .command(let value) = $0 { value.id } else { nil } }
    try await link.send(LinkMessage.commandResult(CommandResult(id: id)).text())
  }

  func upload(_ bytes: [UInt8], over client: HTTPClient) async throws {
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let digest = Digest.sha256(bytes).map { String(format: "%02x", $0) }.joined()
    try await link.send(
      LinkMessage.uploadRequest(
        UploadRequest(
          id: "bench", cameraNo: 1, kind: .continuous, startTime: now - 60_000, endTime: now,
          size: Int64(bytes.count), digest: digest)
      ).text())
    let grant = try await first { if case .uploadGrant(let value) = $0 { value } else { nil } }
    guard let path = grant.path, let parts = URLComponents(string: path) else {
      throw OrielError(ErrorCode(rawValue: grant.errorCode) ?? .platformAnswer)
    }
    let answer = try await client.send(
      method: "PUT", path: parts.path,
      query: (parts.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }, body: bytes,
      timeout: .seconds(60))
    guard answer.status == 200 else { throw OrielError(.platformAnswer, "status \(answer.status)") }
  }

  private func first<Value>(_ pick: (LinkMessage) -> Value?) async throws -> Value {
    while let message = try await link.receive() {
      if case .text(let text) = message, let value = pick(try LinkMessage(text: text)) { return value }
    }
    throw OrielError(.platformUnreachable)
  }
}
