import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

/// A platform of its own: real sockets on a free port, real files in a folder that goes with it.
struct TestPlatform {
  let server: PlatformServer
  let addresses: PlatformAddresses
  let address: ServerAddress
  let loop: EventLoop
  let client: HTTPClient
  let folder: String
  let token: String
  let clock: TestTime

  /// Starts one, signs the administrator in, hands it over, and takes it down again.
  static func run(
    configure: (inout PlatformConfiguration) -> Void = { _ in },
    _ body: (TestPlatform) async throws -> Void
  ) async throws {
    await Turnstile.platforms.enter()
    do {
      try await start(configure: configure, body)
    } catch {
      await Turnstile.platforms.leave()
      throw error
    }
    await Turnstile.platforms.leave()
  }

  private static func start(
    configure: (inout PlatformConfiguration) -> Void, _ body: (TestPlatform) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/oriel-platform-" + UUID().uuidString
    var configuration = PlatformConfiguration(
      dataFolder: folder, listeners: [.init(host: "127.0.0.1", port: 0, isTLS: false)])
    configure(&configuration)
    let clock = TestTime()
    let server = PlatformServer(configuration: configuration, time: clock.time)
    let addresses = try await server.start()
    let loop = try EventLoop.start(name: "test")
    let address = try ServerAddress(addresses.addresses[0])
    let client = HTTPClient(address: address, loop: loop)
    func take() async {
      await client.close()
      await server.drain()
      await loop.stop()
      try? FileManager.default.removeItem(atPath: folder)
    }
    do {
      let first = try #require(addresses.firstStart)
      let platform = TestPlatform(
        server: server, addresses: addresses, address: address, loop: loop, client: client, folder: folder,
        token: try await Self.token(client, first.account, first.password), clock: clock)
      try await body(platform)
    } catch {
      await take()
      throw error
    }
    await take()
  }

  struct Token: Decodable {
    let accessToken: String
    let expireTime: Int64
    let account: String
  }

  private static func token(_ client: HTTPClient, _ account: String, _ password: String) async throws
    -> String
  {
    let body = try JSONEncoder().encode(["account": account, "password": password])
    let answer = try await client.send(method: "POST", path: "/v1/login", body: [UInt8](body))
    try #require(answer.status == 200)
    return try answer.decode(Token.self).accessToken
  }

  /// A second account.
  func makeAccount(_ name: String) async throws -> String {
    struct Made: Decodable { let password: String }
    let made = try await v1("POST", "/v1/accounts", ["account": name]).decode(Made.self)
    return try await Self.token(client, name, made.password)
  }

  // MARK: Calls

  func v1(
    _ method: String, _ path: String, _ body: [String: Any]? = nil, token: String? = nil,
    query: [(name: String, value: String)] = []
  ) async throws -> HTTPClientResponse {
    let token = token ?? self.token
    return try await client.send(
      method: method, path: path, query: query,
      headers: token.isEmpty ? [:] : ["Authorization": "Bearer \(token)"],
      body: try body.map { [UInt8](try JSONSerialization.data(withJSONObject: $0)) })
  }

  struct Failure: Decodable {
    let code: Int
    let name: String
    let message: String
    let remedy: String
  }

  /// The number that a call fails with, and its status.
  func failure(
    _ method: String, _ path: String, _ body: [String: Any]? = nil, token: String? = nil
  ) async throws -> (status: Int, code: Int) {
    let answer = try await v1(method, path, body, token: token)
    return (answer.status, try answer.decode(Failure.self).code)
  }

  /// A lapp call with its parameters in the body.
  func lapp(_ call: String, _ fields: [String: String], token: String? = nil) async throws -> [String: Any] {
    var fields = fields
    fields["accessToken"] = token ?? self.token
    return try await rawLapp(call, body: Self.form(fields))
  }

  func rawLapp(
    _ call: String, query: [(name: String, value: String)] = [],
    type: String = "application/x-www-form-urlencoded",
    body: [UInt8]
  ) async throws -> [String: Any] {
    let answer = try await client.send(
      method: "POST", path: "/api/lapp/" + call, query: query, headers: ["Content-Type": type], body: body)
    #expect(answer.status == 200)
    return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
  }

  static func form(_ fields: [String: String]) -> [UInt8] {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~")
    let text = fields.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
    }.joined(separator: "&")
    return [UInt8](text.utf8)
  }

  // MARK: Peers

  func device(
    serial: String = "O12345678", code: String = "ABCDEF", bootId: String = "boot-1", cameras: Int = 1,
    identity: TestIdentity? = nil
  ) async throws -> TestDevice {
    let identity = try identity ?? TestIdentity(serial: serial)
    let device = TestDevice(
      socket: try await client.openWebSocket(path: "/v1/device"), identity: identity, code: code)
    try await device.greet(bootId: bootId, cameras: cameras)
    return device
  }

  func viewer(token: String? = nil) async throws -> TestPeer {
    let peer = TestPeer(socket: try await client.openWebSocket(path: "/v1/viewer"))
    try await peer.send(.authenticate(Authentication(accessToken: token ?? self.token)))
    return peer
  }

  /// Adds a device that is online.
  func add(_ device: TestDevice, token: String? = nil) async throws {
    let answer = try await v1(
      "POST", "/v1/devices", ["serial": device.identity.serial.value, "verifyCode": device.code], token: token
    )
    try #require(answer.status == 200)
  }
}
