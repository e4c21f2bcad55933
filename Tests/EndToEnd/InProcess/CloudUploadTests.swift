import Foundation
import OrielKit
import OrielMedia
import OrielModel
import OrielNet
import Synchronization
import Testing

@testable import OrielCamera

/// A camera that uploads to a platform of its own process, which may be killed.
@Suite(.serialized) struct CloudUploadTests {
  @Test func whatTheCloudHasIsWhatTheCameraRecordedAndAnyPlayerShowsIt() async throws {
    try await CloudHouse.run { house in
      // A minute between the second and the third.
      let start = house.start
      for time in [start, start + 9_000, start + 78_000] {
        try await house.record(at: time, repeats: 3)
      }
      let camera = try await house.startCamera()
      try await house.awaitStored(3)
      let files = try await house.files()
      #expect(files.map(\.startTime) == [start, start + 9_000, start + 78_000])
      for file in files {
        let path = try #require(file.downloadPath)
        let bytes = try await house.get(path)
        #expect(try bytes == house.bytes(at: file.startTime))
      }
      #expect(house.queue.waiting == 0)

      struct Address: Decodable { let playlist: String }
      let address = try JSONDecoder().decode(
        Address.self,
        from: Data(
          try await house.get(
            "/v1/devices/\(camera.label.serial)/cameras/1/cloud/address?from=\(start)&to=\(start + 200_000)"))
      )
      let link = house.address.origin + address.playlist
      let pictures = await house.pictures
      // ffmpeg's demuxer follows discontinuities and byte ranges.
      let probe = try await Tool.run(
        "ffprobe",
        [
          "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries",
          "stream=nb_read_packets,codec_name", "-of", "csv=p=0", link,
        ])
      #expect(probe.hasPrefix("h264,\(pictures * 9)"), "\(probe)")
      let decoded = try await Tool.run("ffmpeg", ["-v", "error", "-xerror", "-i", link, "-f", "null", "-"])
      #expect(decoded.isEmpty, "\(decoded)")
      // GStreamer's too.
      let played = try await Tool.run(
        "gst-launch-1.0",
        [
          "-v", "souphttpsrc", "location=\(link)", "!", "hlsdemux", "!", "qtdemux", "!", "h264parse", "!",
          "avdec_h264", "!", "fakesink", "silent=false",
        ])
      let shown = played.split(separator: "\n").count { $0.contains("chain") }
      #expect(shown == pictures * 9, "\(played.suffix(1500))")
      await camera.stop()
    }
  }

  @Test func aPlatformThatIsKilledInTheMiddleGetsTheRestAndNothingTwice() async throws {
    try await CloudHouse.run { house in
      try await house.record(at: house.start, repeats: 400)
      try await house.record(at: house.start + 1_300_000, repeats: 2)
      let camera = try await house.startCamera()
      for round in 1...3 {
        // Every kill comes a few megabytes further on.
        let come = try await house.awaitSpool(over: Int64(round) * 3_000_000)
        house.kill()
        try await house.startPlatform()
        // What had come is still there; how far it got in its last moment nobody waited to see.
        #expect(house.spoolSize >= come)
      }
      try await house.awaitStored(2)
      for file in try await house.files() {
        let path = try #require(file.downloadPath)
        let bytes = try await house.get(path)
        #expect(try bytes == house.bytes(at: file.startTime))
      }
      await camera.stop()
    }
  }

  @Test func aCameraThatEndsInTheMiddleGoesOnWhereItWas() async throws {
    try await CloudHouse.run { house in
      try await house.record(at: house.start, repeats: 300)
      var camera = try await house.startCamera()
      let come = try await house.awaitSpool(over: 2_000_000)
      await camera.stop()
      #expect(house.queue.waiting == 1)
      let kept = house.spoolSize
      #expect(kept >= come)
      camera = try await house.startCamera()
      try await house.awaitStored(1)
      let file = try #require(try await house.files().first)
      let bytes = try await house.get(try #require(file.downloadPath))
      #expect(try bytes == house.bytes(at: file.startTime))
      await camera.stop()
    }
  }
}
