import Foundation
import OrielModel
import Testing

@testable import OrielPlatform

@Suite struct HostileUploadTests {
  /// What a request says may be anything: what is accepted makes a playlist whose ranges lie in the file.
  @Test func mutatedRequestsAreRefusedOrSound() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Corpus/upload-request.json")
    let seed = [UInt8](try Data(contentsOf: file))
    var random = SeededRandom(seed: 3)
    var (understood, accepted) = (0, 0)
    for _ in 0..<4_000 {
      let text = String(decoding: random.mutate(seed), as: UTF8.self)
      guard case .uploadRequest(let request)? = try? LinkMessage(text: text) else { continue }
      understood += 1
      guard (try? UploadLimits.check(request, at: 1_700_000_100_000)) != nil else { continue }
      accepted += 1
      #expect(request.endTime > request.startTime && request.size > 0)
      guard let list = request.fragments else { continue }
      let segments = CloudPlaylist.segments(of: list)
      for segment in segments {
        #expect(segment.offset >= list.headSize && segment.offset + segment.size <= request.size)
        #expect(segment.time >= 0 && segment.duration >= 0)
      }
      let lines = CloudPlaylist.text(
        [.init(startTime: request.startTime, address: "/f", fragments: list)], range: 0..<(.max))
      #expect(lines.hasPrefix("#EXTM3U\n") && lines.hasSuffix("#EXT-X-ENDLIST\n"))
    }
    #expect(understood > 200 && accepted > 50)
  }

  @Test func aDeviceThatOnlyAsksIsStopped() async throws {
    try await UploadTests.withDevice { platform, device in
      let start = platform.clock.time.wall() - 86_400_000
      for number in 0..<SQLiteStore.pendingLimit {
        let request = TestStretch(size: 1, start: start + Int64(number) * 60_000, seed: UInt64(number))
          .request
        let code = try await device.ask(request).errorCode
        try #require(code == 0)
        // The link's own limit is another matter.
        platform.clock.advance(.seconds(1))
      }
      let next = TestStretch(size: 1, start: start - 60_000, seed: 9_999)
      #expect(try await device.ask(next.request).errorCode == 110_029)
      // One that is known is gone on with.
      #expect(try await device.ask(TestStretch(size: 1, start: start, seed: 0).request).errorCode == 0)
    }
  }
}
