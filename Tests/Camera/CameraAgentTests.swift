import Foundation
import OrielCrypto
import OrielMedia
import OrielModel
import OrielNet
import OrielRTC
import Testing

@testable import OrielCamera

/// A whole agent with test pictures, a platform's end of its link, and viewers with real peer connections.
@Suite(.serialized) struct CameraAgentTests {
  private static let small = "test:320x180@15"

  private func run(
    sources: [String] = [small], viewerLimit: Int = 8,
    _ body: (CameraAgent, TestPlatform) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let platform = try TestPlatform()
    try await platform.start()
    let agent = try CameraAgent(
      configuration: AgentConfiguration(
        dataFolder: folder.path, sources: sources.map { CameraSourceConfiguration(address: $0) },
        platform: try await platform.address, viewerLimit: viewerLimit))
    try await agent.start()
    await platform.wait("the agent registers") { $0.links == 1 }
    do { try await body(agent, platform) } catch {
      await agent.stop()
      await platform.end()
      throw error
    }
    await agent.stop()
    await platform.end()
  }

  private func viewer(
    _ platform: TestPlatform, camera: Int? = nil, level: VideoLevel? = nil
  ) async throws -> TestViewer {
    let viewer = try await TestViewer(platform: platform)
    try await viewer.start(camera: camera, level: level)
    return viewer
  }

  @Test func itRegistersWithASignatureReportsAndSendsCovers() async throws {
    try await run { agent, platform in
      let hello = try #require(await platform.hellos.first)
      #expect(hello.serial == agent.label.serial)
      let (key, signature) = (Data(base64Encoded: hello.signingKey), Data(base64Encoded: hello.signature))
      #expect(
        SigningKey.isValid(
          signature: Array(try #require(signature)), of: hello.signedBytes(nonce: TestPlatform.nonce),
          by: Array(try #require(key))))
      await platform.wait("the camera is described") {
        $0.reports.last?.cameras.first?.mainStream == "H264 320x180 15/s"
      }
      #expect(await platform.reports.last?.cameras.first?.delivery == .encoded)
      await platform.wait("a cover comes") { !$0.covers.isEmpty }
      let jpeg = try #require(await platform.covers.first.flatMap { Data(base64Encoded: $0.jpeg) })
      #expect(jpeg.starts(with: [0xFF, 0xD8]) && jpeg.count < CoverPicture.sizeLimit)
    }
  }

  @Test func commandsAreAnswered() async throws {
    try await run { agent, platform in
      #expect(try await platform.command(.proveCode(agent.label.code.letters)).errorCode == 0)
      #expect(try await platform.command(.proveCode("nonsense")).errorCode == 120_010)
      #expect(try await platform.command(.setVideoLevel(cameraNo: 1, level: .low)).errorCode == 0)
      #expect(try await platform.command(.setVideoLevel(cameraNo: 2, level: .low)).errorCode == 120_001)
      await platform.wait("the new level is reported") {
        $0.reports.last?.cameras.first?.videoLevel == .low
      }
      #expect(try await platform.command(.capture(cameraNo: 9)).errorCode == 120_001)
      await platform.wait("pictures come") { !$0.covers.isEmpty }
      let picture = try await platform.command(.capture(cameraNo: 1))
      #expect(picture.errorCode == 0)
      #expect(Data(base64Encoded: picture.jpeg ?? "")?.starts(with: [0xFF, 0xD8]) == true)
    }
  }

  @Test func guessingTheCodeIsSlowed() async throws {
    try await run { agent, platform in
      for _ in 0..<CodeGuard.burst { _ = try await platform.command(.proveCode("AAAAAA")) }
      #expect(try await platform.command(.proveCode(agent.label.code.letters)).errorCode == 110_029)
    }
  }

  @Test func aViewerSeesPicturesAndHearsSound() async throws {
    try await run { agent, platform in
      let viewer = try await viewer(platform)
      await viewer.wait("ten pictures") { $0.pictures >= 10 }
      #expect(await viewer.sizes == [320])
      #expect(await viewer.stamps.count >= 10)
      #expect(await viewer.audioPackets > 0)
      #expect(await agent.viewerCount == 1)
      await viewer.hangUp()
    }
  }

  @Test func viewersShareACameraInTheDefinitionEachWants() async throws {
    try await run(sources: ["test:1280x720@15"]) { agent, platform in
      let large = try await viewer(platform, level: .high)
      let small = try await viewer(platform, level: .low)
      await large.wait("large pictures") { $0.pictures >= 10 }
      await small.wait("small pictures") { $0.pictures >= 10 }
      #expect(await large.sizes == [1280])
      #expect(await small.sizes == [640])
      #expect(await agent.viewerCount == 2)
      await small.hangUp()
      let before = await large.pictures
      await large.wait("the other one goes on") { $0.pictures >= before + 10 }
      await large.hangUp()
    }
  }

  @Test func theDefinitionChangesWithoutAGap() async throws {
    try await run(sources: ["test:1280x720@15"]) { _, platform in
      let viewer = try await viewer(platform)
      await viewer.wait("large pictures") { $0.pictures >= 5 }
      await viewer.wait("the source's state") {
        $0.messages.contains(DataChannelMessage(type: .sourceState, errorCode: 0))
      }
      for (level, width) in [(VideoLevel.low, 640), (.superHigh, 1280)] {
        try await viewer.send(DataChannelMessage(type: .setVideoLevel, videoLevel: level))
        await viewer.wait("pictures of the other size") { $0.sizes.last == width }
        #expect(
          await viewer.messages.last == DataChannelMessage(type: .videoLevelChanged, videoLevel: level))
      }
      #expect(await viewer.sizes == [1280, 640, 1280])
      #expect(await viewer.gaps == 0)
      #expect(await viewer.statistics.lost == 0)
      await viewer.hangUp()
    }
  }

  @Test func oneAgentServesSeveralCameras() async throws {
    try await run(sources: [Self.small, "test:640x360@15"]) { agent, platform in
      let first = try await viewer(platform, camera: 1)
      let second = try await viewer(platform, camera: 2)
      await first.wait("pictures of the first") { $0.pictures >= 5 }
      await second.wait("pictures of the second") { $0.pictures >= 5 }
      #expect(await first.sizes == [320])
      #expect(await second.sizes == [640])
      #expect(await agent.cameras.map(\.name) == ["Camera 1", "Camera 2"])
      await first.hangUp()
      await second.hangUp()
    }
  }

  @Test func offersThatCannotBeServedGetTheirNumbers() async throws {
    try await run(viewerLimit: 1) { agent, platform in
      let unknown = try await viewer(platform, camera: 9)
      await unknown.wait("no such camera") { $0.statuses == [395_415] }
      let rubbish = try await TestViewer(platform: platform)
      try await rubbish.start(sdp: "v=0\r\nrubbish")
      await rubbish.wait("a malformed offer") { $0.statuses == [740_004] }
      let huge = try await TestViewer(platform: platform)
      try await huge.start(sdp: "v=0\r\n" + String(repeating: "a=x\r\n", count: 20_000))
      await huge.wait("an offer that is too large") { $0.statuses == [740_004] }
      let foreign = try await TestViewer(
        platform: platform, codecs: [RTPCodec(kind: .video, name: "VP8", clockRate: 90_000)])
      try await foreign.start()
      await foreign.wait("no common codec") { $0.statuses == [740_005] }
      let good = try await viewer(platform)
      await good.wait("pictures") { $0.pictures >= 1 }
      let late = try await viewer(platform)
      await late.wait("one too many") { $0.statuses == [380_045] }
      await good.hangUp()
      for other in [unknown, rubbish, huge, foreign, late] { await other.vanish() }
    }
  }

  @Test func aCameraWithoutPictureSaysSoAndKeepsTheSession() async throws {
    try await run(sources: ["rtsp://127.0.0.1:9/none"]) { agent, platform in
      await platform.wait("the reason is reported") { $0.reports.last?.cameras.first?.note != nil }
      #expect(await agent.cameras.first?.note?.contains("710001") == true)
      let viewer = try await viewer(platform)
      await viewer.wait("the state") {
        $0.messages.contains(DataChannelMessage(type: .sourceState, errorCode: 395_544))
      }
      #expect(await viewer.states.last == .connected)
      #expect(try await platform.command(.capture(cameraNo: 1)).errorCode == 160_017)
      await viewer.hangUp()
    }
  }

  @Test func theViewGoesOnWhileThePlatformIsAwayAndTheLinkComesBack() async throws {
    try await run { agent, platform in
      let viewer = try await viewer(platform)
      await viewer.wait("pictures") { $0.pictures >= 5 }
      await platform.stop()
      let before = await viewer.pictures
      await viewer.wait("pictures without the platform") { $0.pictures >= before + 15 }
      let restart = ContinuousClock.now
      try await platform.start()
      await platform.wait("the agent is back") { $0.links == 2 }
      #expect(ContinuousClock.now - restart < .seconds(5))
      #expect(await platform.hellos.map(\.bootId).count == 2)
      #expect(await Set(platform.hellos.map(\.bootId)).count == 1)
      try await viewer.offer(restart: true)
      let then = await viewer.pictures
      await viewer.wait("pictures after an ICE restart in the same session") { $0.pictures >= then + 15 }
      #expect(await viewer.ends == [])
      #expect(await agent.viewerCount == 1)
      await viewer.hangUp()
    }
  }

  @Test func aRefusedSerialIsTold() async throws {
    let folder = try TemporaryFolder()
    let platform = try TestPlatform()
    try await platform.start()
    await platform.refuse(.serialTaken)
    let agent = try CameraAgent(
      configuration: AgentConfiguration(
        dataFolder: folder.path, sources: [CameraSourceConfiguration(address: Self.small)],
        platform: try await platform.address))
    try await agent.start()
    var seen: OrielError?
    for await event in agent.events {
      guard case .offline(let error, let delay) = event else { continue }
      seen = error
      #expect(delay >= .seconds(30))
      break
    }
    #expect(seen?.code == .serialTaken)
    await agent.stop()
    await platform.end()
  }

  @Test func rubbishOnTheLinkHarmsNothing() async throws {
    try await run { agent, platform in
      let viewer = try await viewer(platform)
      await viewer.wait("pictures") { $0.pictures >= 1 }
      for text in [
        "", "{}", "[]", "null", "{\"action\":\"SDP_OFFER\"}", "{\"action\":\"COMMAND\",\"id\":\"1\"}",
        String(repeating: "[", count: 10_000),
        "{\"action\":\"SDP_OFFER\",\"sessionId\":\"\",\"recipientClientId\":\"\"}",
      ] { await platform.sendText(text) }
      for action in SignalAction.allCases where action != .goAway {
        for payload in [nil, "", "!", "e30=", "bnVsbA=="] {
          let message = SignalMessage(action, session: "s", to: "device", payload: payload)
          await platform.send(.signal(message))
          await platform.signal(message, from: "nobody")
          await platform.signal(message, from: String(repeating: "x", count: 1000))
        }
      }
      let before = await viewer.pictures
      await viewer.wait("the view goes on") { $0.pictures >= before + 5 }
      #expect(try await platform.command(.proveCode(agent.label.code.letters)).errorCode == 0)
      #expect(await platform.links == 1)
      await viewer.hangUp()
    }
  }

  @Test func stoppingSaysGoodbyeAndFreesTheFolder() async throws {
    let folder = try TemporaryFolder()
    let platform = try TestPlatform()
    try await platform.start()
    let configuration = AgentConfiguration(
      dataFolder: folder.path, sources: [CameraSourceConfiguration(address: Self.small)],
      platform: try await platform.address)
    let agent = try CameraAgent(configuration: configuration)
    #expect(throws: OrielError(.dataFolderInUse, folder.path)) {
      try CameraAgent(configuration: configuration)
    }
    try await agent.start()
    await platform.wait("the agent registers") { $0.links == 1 }
    let viewer = try await viewer(platform)
    await viewer.wait("pictures") { $0.pictures >= 1 }
    await agent.stop()
    await viewer.wait("goodbye") { $0.ends == [0] }
    let again = try CameraAgent(configuration: configuration)
    #expect(again.label == agent.label)
    await agent.stop()
    await again.stop()
    await viewer.vanish()
    await platform.end()
  }

  @Test func aViewerThatIsGoneLeavesNothingBehind() async throws {
    try await run { agent, platform in
      // The first ones load libraries and warm caches.
      for _ in 0..<3 { try await visit(platform, of: agent) }
      let before = Resources.now()
      // `make soak` asks for 500.
      let visits = ProcessInfo.processInfo.environment["ORIEL_CYCLES"].flatMap { Int($0) } ?? 60
      for _ in 0..<visits { try await visit(platform, of: agent) }
      let after = try await Resources.settled(below: before)
      #expect(after.descriptors <= before.descriptors)
      #expect(after.threads <= before.threads)
    }
  }

  @Test func anAgentThatStoppedHoldsNothing() async throws {
    let folder = try TemporaryFolder()
    let platform = try TestPlatform()
    try await platform.start()
    let configuration = AgentConfiguration(
      dataFolder: folder.path,
      sources: [Self.small, Self.small].map { CameraSourceConfiguration(address: $0) },
      platform: try await platform.address)
    func live(_ number: Int) async throws {
      let agent = try CameraAgent(configuration: configuration)
      try await agent.start()
      await platform.wait("the agent registers") { $0.links == number }
      let viewer = try await viewer(platform, camera: 2, level: .low)
      await viewer.wait("a picture") { $0.pictures >= 1 }
      await agent.stop()
      await viewer.vanish()
    }
    for number in 1...2 { try await live(number) }
    let before = Resources.now()
    for number in 3...6 { try await live(number) }
    let after = try await Resources.settled(below: before)
    #expect(after.descriptors <= before.descriptors)
    #expect(after.threads <= before.threads)
    await platform.end()
  }

  /// Comes, sees, and vanishes.
  private func visit(_ platform: TestPlatform, of agent: CameraAgent) async throws {
    let viewer = try await viewer(platform)
    await viewer.wait("a picture") { $0.pictures >= 1 }
    await viewer.hangUp()
    while await agent.viewerCount > 0 { await Task.yield() }
  }
}

/// What the process holds.
private struct Resources {
  var descriptors: Int
  var threads: Int

  static func now() -> Resources {
    func count(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
    }
    return Resources(descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"))
  }

  /// What is held when it is down to `before`, or after 5 s: the last decoder may still be closing.
  static func settled(below before: Resources) async throws -> Resources {
    let limit = ContinuousClock.now + .seconds(5)
    var after = now()
    while after.descriptors > before.descriptors || after.threads > before.threads,
      ContinuousClock.now < limit
    {
      try await Task.sleep(for: .milliseconds(50))
      after = now()
    }
    return after
  }
}
