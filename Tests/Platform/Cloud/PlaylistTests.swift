import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

@Suite struct PlaylistTests {
  /// Half seconds, a key frame in every fourth.
  private func list(seconds: Int, size: Int64 = 100) -> FragmentList {
    FragmentList(
      headSize: 50,
      fragments: (0..<seconds * 2).map {
        .init(
          offset: 50 + Int64($0) * size, size: size, time: Int64($0) * 500, duration: 500,
          startsWithKeyFrame: $0 % 4 == 0)
      })
  }

  private func lines(_ text: String, _ prefix: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
  }

  @Test func segmentsBeginWithKeyFramesAndCoverTheFile() {
    let segments = CloudPlaylist.segments(of: list(seconds: 20))
    #expect(segments.map(\.time) == [0, 6_000, 12_000, 18_000])
    #expect(segments.map(\.duration) == [6_000, 6_000, 6_000, 2_000])
    #expect(segments.first?.offset == 50 && segments.last.map { $0.offset + $0.size } == 50 + 40 * 100)
    for (one, next) in zip(segments, segments.dropFirst()) { #expect(one.offset + one.size == next.offset) }
  }

  @Test func whatComesBeforeTheFirstKeyFrameIsLeftOut() {
    var list = list(seconds: 4)
    list.fragments[0].startsWithKeyFrame = false
    #expect(CloudPlaylist.segments(of: list).map(\.time) == [2_000])
  }

  @Test func eachFileBringsItsHeadAndItsDate() {
    let entries = [
      CloudPlaylist.Entry(startTime: 1_700_000_000_250, address: "/a?x=1&y=2", fragments: list(seconds: 60)),
      CloudPlaylist.Entry(startTime: 1_700_000_090_000, address: "/b", fragments: list(seconds: 60)),
    ]
    let text = CloudPlaylist.text(entries, range: 1_700_000_013_000..<1_700_000_200_000)
    #expect(lines(text, "#EXTM3U").count == 1 && text.hasSuffix("#EXT-X-ENDLIST\n"))
    #expect(
      lines(text, "#EXT-X-MAP") == [
        #"#EXT-X-MAP:URI="/a?x=1&y=2",BYTERANGE="50@0""#, #"#EXT-X-MAP:URI="/b",BYTERANGE="50@0""#,
      ])
    #expect(lines(text, "#EXT-X-DISCONTINUITY").count == 1)
    // The range begins inside the third segment of the first file.
    #expect(
      lines(text, "#EXT-X-PROGRAM-DATE-TIME") == [
        "#EXT-X-PROGRAM-DATE-TIME:2023-11-14T22:13:32.250Z",
        "#EXT-X-PROGRAM-DATE-TIME:2023-11-14T22:14:50.000Z",
      ])
    #expect(lines(text, "#EXTINF").count == 8 + 10)
    #expect(lines(text, "#EXT-X-TARGETDURATION") == ["#EXT-X-TARGETDURATION:6"])
    #expect(lines(text, "#EXT-X-BYTERANGE").first == "#EXT-X-BYTERANGE:1200@2450")
  }

  @Test func aPlaylistOfClearRecordingsHasItsRightInItsAddress() async throws {
    try await UploadTests.withDevice { platform, device in
      let start = platform.clock.time.wall() - 600_000
      var stretch = TestStretch(size: 12_050, start: start)
      stretch.request.fragments = list(seconds: 60)
      try await platform.upload(stretch, by: device)
      let camera = "/v1/devices/O12345678/cameras/1/cloud"
      let range: [(name: String, value: String)] = [("from", "\(start)"), ("to", "\(start + 60_000)")]
      struct Address: Decodable { let playlist: String }
      let address = try await platform.v1("GET", camera + "/address", query: range).decode(Address.self)
      let answer = try await platform.signed("GET", address.playlist)
      #expect(answer.headers["Content-Type"] == "application/vnd.apple.mpegurl")
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(lines(text, "#EXTINF").count == 10)
      let segment = try #require(lines(text, "/v1/cloud/files/").first)
      let part = try await platform.signed("GET", segment, headers: ["Range": "bytes=50-1249"])
      #expect(part.status == 206 && part.body == Array(stretch.bytes[50..<1_250]))
      #expect(
        try await platform.v1("GET", camera + "/playlist.m3u8", query: range).body.count == answer.body.count)
      // Another range under the same signature, no right at all, another account.
      let wider = address.playlist.replacing("from=\(start)", with: "from=\(start - 1)")
      #expect(try TestPlatform.number(try await platform.signed("GET", wider)) == 110_031)
      let other = try await platform.makeAccount("other")
      let foreign = try await platform.v1("GET", camera + "/playlist.m3u8", token: other, query: range)
      #expect(try TestPlatform.number(foreign) == 120_018)
      platform.clock.advance(.seconds(7_201))
      #expect(try TestPlatform.number(try await platform.signed("GET", address.playlist)) == 110_031)
    }
  }

  @Test func whatIsEncryptedOrNotThereHasNoPlaylist() async throws {
    try await UploadTests.withDevice { platform, device in
      let start = platform.clock.time.wall() - 600_000
      let path = "/v1/devices/O12345678/cameras/1/cloud/playlist.m3u8"
      func number(_ from: Int64, _ to: Int64) async throws -> [Int] {
        let answer = try await platform.v1(
          "GET", path, query: [("from", "\(from)"), ("to", "\(to)")])
        return [answer.status, try TestPlatform.number(answer)]
      }
      #expect(try await number(start, start + 60_000) == [404, 395_402])
      var stretch = TestStretch(size: 12_050, start: start)
      stretch.request.fragments = list(seconds: 60)
      stretch.request.isEncrypted = true
      try await platform.upload(stretch, by: device)
      #expect(try await number(start, start + 60_000) == [409, 160_019])
      #expect(try await number(start + 60_000, start + 120_000) == [404, 395_402])
      #expect(try await number(start, start) == [400, 110_001])
      #expect(try await number(start, start + 30 * 3_600_000) == [400, 110_001])
    }
  }
}
