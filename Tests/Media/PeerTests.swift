import Testing

@testable import OrielMedia

/// Our packets against GStreamer's payloaders, which are not ours.
extension MediaSuites {
  @Suite(.serialized, .timeLimit(.minutes(1))) struct PeerTests {
    private static func encoder(_ codec: VideoCodec) -> String {
      let picture =
        "videotestsrc num-buffers=30 ! video/x-raw,format=I420,width=640,height=360,framerate=30/1"
      let caps = "video/x-\(codec.rawValue),stream-format=byte-stream,alignment=au"
      return codec == .h264
        ? "\(picture) ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=10 ! \(caps)"
        : "\(picture) ! x265enc tune=zerolatency speed-preset=ultrafast key-int-max=10 ! h265parse config-interval=-1 ! \(caps)"
    }

    private static let sink = "appsink name=out sync=false async=false"

    private func take(_ count: Int, from pipeline: Pipeline) throws -> [[UInt8]] {
      let sink = try #require(pipeline.element("out"))
      var all: [[UInt8]] = []
      while all.count < count, let sample = sink.pull(within: 5_000_000_000) { all.append(sample.bytes) }
      return all
    }

    @Test(arguments: VideoCodec.allCases) func gstreamerUnderstandsOurPackets(codec: VideoCodec) throws {
      let source = try Pipeline("\(Self.encoder(codec)) ! \(Self.sink)")
      defer { source.stop() }
      try source.start()
      let units = try take(30, from: source)
      #expect(units.count == 30)
      let peer = try Pipeline(
        """
        appsrc name=in format=time caps="application/x-rtp,media=video,clock-rate=90000,payload=96,\
        encoding-name=\(codec.rawValue.uppercased())" ! rtp\(codec.rawValue)depay \
        ! video/x-\(codec.rawValue),stream-format=byte-stream,alignment=au ! avdec_\(codec.rawValue) max-threads=1 \
        ! videoconvert ! video/x-raw,format=I420 ! \(Self.sink)
        """)
      defer { peer.stop() }
      try peer.start()
      let input = try #require(peer.element("in"))
      var packetizer = VideoPacketizer(codec: codec)
      var sequence: UInt16 = 65_530
      for (number, bytes) in units.enumerated() {
        let batch = packetizer.packetize(
          AccessUnit(codec: codec, isKeyFrame: number % 10 == 0, timestamp: .zero, bytes: bytes))
        var position = 0
        for (index, length) in batch.lengths.enumerated() {
          let marker: UInt8 = index == batch.lengths.count - 1 ? 0x80 : 0
          let time = UInt32(number * 3000)
          let header: [UInt8] = [
            0x80, marker | 96, UInt8(sequence >> 8), UInt8(sequence & 0xFF), UInt8(time >> 24),
            UInt8(time >> 16 & 0xFF), UInt8(time >> 8 & 0xFF), UInt8(time & 0xFF), 1, 2, 3, 4,
          ]
          sequence &+= 1
          (header + batch.bytes[position..<position + length]).withUnsafeBytes {
            _ = input.push($0, at: UInt64(number) * 33_333_333)
          }
          position += length
        }
      }
      input.endStream()
      #expect(try take(30, from: peer).count == 30)
    }

    @Test(arguments: VideoCodec.allCases) func weUnderstandGStreamersPackets(codec: VideoCodec) async throws {
      let aggregate = codec == .h264 ? "aggregate-mode=zero-latency" : "aggregate-mode=zero-latency"
      let peer = try Pipeline(
        "\(Self.encoder(codec)) ! rtp\(codec.rawValue)pay mtu=1000 config-interval=-1 \(aggregate) ! \(Self.sink)"
      )
      defer { peer.stop() }
      try peer.start()
      let packets = try take(100_000, from: peer)
      #expect(packets.count > 30)
      var depacketizer = VideoDepacketizer(codec: codec)
      var units: [AccessUnit] = []
      for packet in packets where packet.count > 12 {
        let time = packet[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        packet[12...].withUnsafeBytes {
          if let unit = depacketizer.push(payload: $0, timestamp: time, marker: packet[1] & 0x80 != 0) {
            units.append(unit)
          }
        }
      }
      #expect(units.count == 30)
      #expect(units.first?.isKeyFrame == true)
      #expect(depacketizer.dropped == 0)
      let decoder = try VideoDecoder(codec: codec)
      defer { decoder.close() }
      var frames = decoder.frames.makeAsyncIterator()
      for unit in units.prefix(10) {
        decoder.decode(unit)
        let frame = try #require(await frames.next())
        #expect(frame.timestamp == unit.timestamp)
      }
    }
  }
}
