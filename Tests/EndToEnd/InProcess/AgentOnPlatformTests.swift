import Foundation
import OrielCamera
import OrielKit
import OrielMedia
import OrielModel
import OrielNet
import OrielPlatform
import Testing

/// Agent, platform and client in one process, over real sockets.
@Suite(.serialized) struct AgentOnPlatformTests {
  private func run(
    sources: [String] = ["test:640x360@15"],
    _ body: (CameraAgent, Session) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "oriel-end-to-end-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let platform = PlatformServer(
      configuration: PlatformConfiguration(
        dataFolder: folder + "/platform",
        listeners: [PlatformConfiguration.Listener(host: "127.0.0.1", port: 0, isTLS: false)]))
    let started = try await platform.start()
    let address = try ServerAddress(try #require(started.addresses.first))
    let first = try #require(started.firstStart)
    let agent = try CameraAgent(
      configuration: AgentConfiguration(
        dataFolder: folder + "/camera",
        sources: sources.map { CameraSourceConfiguration(address: $0) }, platform: address))
    let session = try await Session.connect(to: address)
    func end() async {
      await session.close()
      await agent.stop()
      await platform.drain()
    }
    do {
      try await agent.start()
      for await event in agent.events where event == .online { break }
      try await session.signIn(account: first.account, password: first.password)
      try await body(agent, session)
    } catch {
      await end()
      throw error
    }
    await end()
  }

  @Test func aNewDeviceIsProbedAddedAndSeen() async throws {
    try await run { agent, session in
      let serial = agent.label.serial
      #expect(try await session.probe(serial).serial == serial)
      let wrong = try VerificationCode(agent.label.code.letters == "AAAAAA" ? "BBBBBB" : "AAAAAA")
      let refused = await #expect(throws: OrielError.self) { try await session.add(serial, code: wrong) }
      #expect(refused?.code == .wrongVerificationCode)
      let device = try await session.add(serial, code: agent.label.code)
      let player = device.player()
      player.start()
      var pictures = 0
      for await frame in player.frames {
        #expect(frame.width == 640)
        pictures += 1
        if pictures == 10 { break }
      }
      #expect(pictures == 10)
      #expect(try await device.capture().starts(with: [0xFF, 0xD8]))
      let record = try #require(try await device.refreshed().record.cameras.first)
      #expect(record.mainStream == "H264 640x360 15/s")
      #expect(record.delivery == .encoded)
      await player.close()
    }
  }

  @Test func twoCamerasOfOneDeviceAreWatchedAtOnce() async throws {
    try await run(sources: ["test:640x360@15", "test:320x180@15"]) { agent, session in
      let device = try await session.add(agent.label.serial, code: agent.label.code)
      let players = (1...2).map { device.player(cameraNo: $0) }
      for player in players { player.start() }
      for (player, width) in zip(players, [640, 320]) {
        for await frame in player.frames {
          #expect(frame.width == width)
          break
        }
      }
      #expect(await agent.viewerCount == 2)
      for player in players { await player.close() }
    }
  }
}
