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
}
