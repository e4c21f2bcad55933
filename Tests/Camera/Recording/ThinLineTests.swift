import Foundation
import OrielMedia
import OrielModel
import OrielRTC
import Testing

@testable import OrielCamera

@Suite struct ThinLineTests {
  @RTCActor
  private final class Peer: ViewerPeer {
    var onEvent: ((ViewerPeerEvent) -> Void)?
    var bandwidthEstimate: Int
    var messages: [PlaybackMessage] = []

    init(bandwidthEstimate: Int) { self.bandwidthEstimate = bandwidthEstimate }

    func answer(_ offer: String) throws(OrielError) -> String { "" }
    func add(_ candidate: CandidateDescription) {}
    func show(_ feed: PacketFeed) {}
    func play(_ feed: PacketFeed) {}
    func send(_ message: DataChannelMessage) {}
    func send(_ message: PlaybackMessage) { messages.append(message) }
    func send(_ message: TalkMessage) {}
    func send(_ reading: SensorReading) {}
    func send(_ bytes: [UInt8]) -> Bool { false }
    var channelBacklog: Int { 0 }
    var backlog: Duration { .zero }
    func discardUnsent() {}
    var videoTimestampOffset: UInt32 { 0 }
    func close() {}
  }

  /// Plays what was recorded on both streams over a line of this many bits a second.
  @RTCActor
  private func stream(over estimate: Int) async throws -> (MediaStream?, [PlaybackMessage]) {
    let bench = try await RecordingBench()
    let store = bench.store()
    let main = await bench.recorder(store)
    let sub = Recorder(store: store, mode: .continuous, cameraNo: 1, stream: .sub, hasAudio: false)
    await sub.start()
    for recorder in [main, sub] {
      bench.see(0..<30, through: recorder)
      await recorder.stop()
    }
    var signal = SignalMessage(.offer, session: "s", to: "O00000001")
    signal.playbackTime = Double(RecordingBench.noon) / 1000
    let content = PlaybackContent(
      request: try PlaybackRequest(signal, at: RecordingBench.noon + 60_000), media: store,
      options: ViewerPeerOptions(iceServers: [], relayOnly: false, profileLevel: nil, isH265: false))
    try await content.prepare()
    let peer = Peer(bandwidthEstimate: estimate)
    content.start(on: peer)
    content.take(.connected)
    content.take(.channelOpen)
    for _ in 0..<90 where content.stream != .sub { try await Task.sleep(for: .milliseconds(50)) }
    defer { content.stop() }
    return (content.stream, peer.messages)
  }

  @Test func aViewerOnAThinLineGetsTheSmallStream() async throws {
    let (stream, messages) = try await stream(over: 20_000)
    #expect(stream == .sub)
    #expect(messages.contains { $0.action == .playing && $0.firstRtpTimestamp != nil })
  }

  @Test func aViewerOnAGoodLineKeepsTheMainStream() async throws {
    #expect(try await stream(over: 5_000_000).0 == .main)
  }
}
