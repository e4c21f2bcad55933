import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

@Suite struct WholeLifeTests {
  @Test func aDeviceIsAddedWatchedAndRemoved() async throws {
    try await TestPlatform.run { platform in
      let first = try #require(platform.addresses.firstStart)
      #expect(first.account == "admin")
      let attributes = try FileManager.default.attributesOfItem(atPath: first.applicationFile)
      #expect(attributes[.posixPermissions] as? Int == 0o600)

      let viewer = try await platform.viewer()
      let welcome = try await viewer.welcome()
      let device = try await platform.device()

      let probe = try await platform.v1("GET", "/v1/devices/O12345678/probe")
      #expect(probe.status == 200)
      #expect(
        try await platform.failure("POST", "/v1/devices", ["serial": "O12345678", "verifyCode": "AAAAAA"])
          == (400, 120_010))
      let added = try await platform.v1(
        "POST", "/v1/devices", ["serial": "O12345678", "verifyCode": "ABCDEF", "name": "Front"])
      #expect(added.status == 200)
      let record = try added.decode(DeviceRecord.self)
      #expect(record.name == "Front")
      #expect(record.status == .online)
      #expect(record.cameras.map(\.cameraNo) == [1])
      #expect(try await viewer.event().kind == .added)

      struct Devices: Decodable { let devices: [DeviceRecord] }
      let listed = try await platform.v1("GET", "/v1/devices").decode(Devices.self).devices
      #expect(listed == [record])

      // Signalling both ways, with the sender stamped by the platform.
      var offer = SignalMessage(.offer, session: "s-1", from: "somebody", to: "O12345678", payload: "e30=")
      offer.cameraNo = 1
      try await viewer.send(.signal(offer))
      let offered = try await device.signal()
      #expect(offered.action == .offer)
      #expect(offered.senderClientId == welcome.clientId)
      #expect(offered.cameraNo == 1)
      try await device.peer.send(
        .signal(
          SignalMessage(.answer, session: "s-1", from: "O99999999", to: welcome.clientId, payload: "e30=")))
      let answer = try await viewer.signal(.answer)
      #expect(answer.senderClientId == "O12345678")
      #expect(answer.messagePayload == "e30=")

      let removed = try await platform.v1("DELETE", "/v1/devices/O12345678")
      #expect(removed.status == 200)
      let ended = try await viewer.signal(.sessionEnd)
      #expect(ended.sessionId == "s-1")
      #expect(ended.errorCode == 120_018)
      #expect(try await device.signal().action == .sessionEnd)
      #expect(try await platform.failure("GET", "/v1/devices/O12345678") == (404, 120_018))
    }
  }

  @Test func stateSurvivesARestart() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/oriel-platform-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let configuration = PlatformConfiguration(
      dataFolder: folder, listeners: [.init(host: "127.0.0.1", port: 0, isTLS: false)])
    let first = PlatformServer(configuration: configuration)
    let made = try await first.start()
    let again = PlatformServer(configuration: configuration)
    await #expect(throws: OrielError(.dataFolderInUse)) { try await again.start() }
    let account = try #require(made.firstStart)
    let file = account.passwordFile
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "admin\n\(account.password)\n")
    #expect("\(account)".contains(account.password) == false)
    account.removePasswordFile()
    #expect(!FileManager.default.fileExists(atPath: file))
    await first.drain()

    let started = try await again.start()
    #expect(started.firstStart == nil)
    let loop = try EventLoop.start(name: "test")
    let client = HTTPClient(address: try ServerAddress(started.addresses[0]), loop: loop)
    let body = try JSONEncoder().encode(["account": "admin", "password": account.password])
    let answer = try await client.send(method: "POST", path: "/v1/login", body: [UInt8](body))
    #expect(answer.status == 200)
    // Neither password nor token stands anywhere in the database.
    let token = try answer.decode(TestPlatform.Token.self).accessToken
    await client.close()
    await again.drain()
    await loop.stop()
    let database = try Data(contentsOf: URL(fileURLWithPath: folder + "/platform.sqlite"))
    #expect(database.range(of: Data(token.utf8)) == nil)
    #expect(database.range(of: Data(account.password.utf8)) == nil)
  }

  @Test func aStartThatFailsLosesNoPassword() async throws {
    try await TestPlatform.run { platform in
      let folder = platform.folder + "-second"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var configuration = PlatformConfiguration(
        dataFolder: folder, listeners: [.init(host: "127.0.0.1", port: platform.address.port, isTLS: false)])
      let taken = PlatformServer(configuration: configuration)
      await #expect {
        try await taken.start()
      } throws: { ($0 as? OrielError)?.code == .addressInUse }
      configuration.listeners = [.init(host: "127.0.0.1", port: 0, isTLS: false)]
      // Nor one that is cut off between the account and its password: the password is kept first.
      let file = folder + "/first-account.txt"
      let early = file + ".early"
      try FileManager.default.createDirectory(atPath: early, withIntermediateDirectories: true)
      let unable = PlatformServer(configuration: configuration)
      await #expect(throws: OrielError.self) { try await unable.start() }
      try FileManager.default.removeItem(atPath: early)
      let free = PlatformServer(configuration: configuration)
      let started = try await free.start()
      let account = try #require(started.firstStart)
      #expect(try String(contentsOfFile: file, encoding: .utf8).contains(account.password))
      await free.drain()
    }
  }

  @Test func aTLSListenerShowsTheKeyThatItsAddressPins() async throws {
    try await TestPlatform.run { configuration in
      configuration.listeners.append(.init(host: "127.0.0.1", port: 0, isTLS: true))
    } _: { platform in
      let address = platform.addresses.addresses[1]
      let fingerprint = try #require(platform.addresses.fingerprint)
      #expect(address.hasSuffix("#" + fingerprint))
      let client = HTTPClient(address: try ServerAddress(address), loop: platform.loop)
      let answer = try await client.send(path: "/livez")
      #expect(answer.status == 200)
      let viewer = TestPeer(socket: try await client.openWebSocket(path: "/v1/viewer"))
      try await viewer.send(.authenticate(Authentication(accessToken: platform.token)))
      _ = try await viewer.welcome()
      let wrong = String(address.prefix { $0 != "#" }) + "#sha256//" + String(repeating: "A", count: 43) + "="
      let misled = HTTPClient(address: try ServerAddress(wrong), loop: platform.loop)
      await #expect { try await misled.send(path: "/livez") } throws: {
        ($0 as? OrielError)?.code == .platformUntrusted
      }
      await client.close()
      await misled.close()
    }
  }

  @Test func aViewerThatGoesEndsItsSessions() async throws {
    try await TestPlatform.run { platform in
      let device = try await platform.device()
      try await platform.add(device)
      let viewer = try await platform.viewer()
      let welcome = try await viewer.welcome()
      try await viewer.send(.signal(SignalMessage(.offer, session: "s-9", to: "O12345678", payload: "e30=")))
      #expect(try await device.signal().action == .offer)
      await viewer.socket.close()
      let end = try await device.signal()
      #expect(end.action == .sessionEnd)
      #expect(end.sessionId == "s-9")
      #expect(end.senderClientId == welcome.clientId)
    }
  }

  @Test func viewersHearOfComingAndGoing() async throws {
    try await TestPlatform.run { platform in
      let identity = try TestIdentity(serial: "O12345678")
      let device = try await platform.device(identity: identity)
      try await platform.add(device)
      let viewer = try await platform.viewer()
      _ = try await viewer.welcome()
      await device.close()
      #expect(try await viewer.event().kind == .offline)
      try await viewer.send(.signal(SignalMessage(.offer, session: "s", to: "O12345678", payload: "e30=")))
      #expect(try await viewer.signal(.status).errorCode == 120_007)
      let back = try await platform.device(bootId: "boot-2", identity: identity)
      #expect(try await viewer.event().kind == .online)
      var report = try back.identity.hello(nonce: "").report
      report.name = "Another"
      try await back.peer.send(.report(report))
      #expect(try await viewer.event().kind == .changed)
      let record = try await platform.v1("GET", "/v1/devices/O12345678").decode(DeviceRecord.self)
      #expect(record.name == "Another")
    }
  }

  @Test func turnCredentialsAreShortLivedAndNamed() async throws {
    try await TestPlatform.run { configuration in
      configuration.stunURLs = ["stun:relay.example:3478"]
      configuration.turn = .init(urls: ["turn:relay.example:3478"], secret: "north", lifetime: .seconds(600))
    } _: { platform in
      let device = try await platform.device()
      try await platform.add(device)
      let viewer = try await platform.viewer()
      let welcome = try await viewer.welcome()
      #expect(welcome.iceServers.count == 2)
      #expect(welcome.iceServers[1].username == "1700000600:\(welcome.clientId)")
      var offer = SignalMessage(.offer, session: "s", to: "O12345678", payload: "e30=")
      offer.iceServers = [ICEServerRecord(urls: ["turn:evil.example"])]
      try await viewer.send(.signal(offer))
      let servers = try #require(try await device.signal().iceServers)
      #expect(servers.map(\.urls) == [["stun:relay.example:3478"], ["turn:relay.example:3478"]])
      #expect(servers[1].username == "1700000600:O12345678")
      // As `printf 1700000600:O12345678 | openssl dgst -sha1 -hmac north -binary | base64` says.
      #expect(servers[1].credential == "E05s1Z/oRmoz/VLoa6zIABX0SVE=")
    }
  }
}
