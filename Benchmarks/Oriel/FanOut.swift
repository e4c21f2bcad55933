import Foundation
import OrielMedia
import OrielRTC

/// The sender of the fan-out measurement: one H.264 file in a loop, packetized once, for as many viewers as ask.
///
/// Offers come and answers go as files in a folder, as with the other senders under measurement.
struct FanOut {
  let exchange: String
  let source: String
  let includeLoopback: Bool

  init(_ options: [String: String]) {
    exchange = options["exchange"] ?? ""
    source = options["source"] ?? ""
    includeLoopback = options["loopback"] != nil
  }

  func run() async throws {
    let units = try FeedFile.accessUnits(ofFile: source)
    let feed = await PacketFeed(kind: .video, clockRate: 90_000, capacity: 2048)
    let playing = await LoopedFeed(units, into: feed)
    defer { withExtendedLifetime(playing) {} }
    OrielBench.say("ready")
    var peers: [PeerConnection] = []
    var answered: Set<String> = []
    while true {
      try await Task.sleep(for: .milliseconds(250))
      let names = try FileManager.default.contentsOfDirectory(atPath: exchange)
      for name in names where name.hasSuffix(".offer") && answered.insert(name).inserted {
        let path = exchange + "/" + name.dropLast(6)
        let offer = try String(contentsOfFile: path + ".offer", encoding: .utf8)
        peers.append(try await answer(offer, feed: feed, writingTo: path + ".answer"))
      }
    }
  }

  @RTCActor
  private func answer(_ offer: String, feed: PacketFeed, writingTo path: String) async throws
    -> PeerConnection
  {
    let peer = try PeerConnection(PeerConfiguration(includeLoopback: includeLoopback))
    var candidates: [String] = []
    let gathered = AsyncStream<Void> { continuation in
      peer.onLocalCandidate = { candidate, _, _ in
        if candidate.isEmpty { continuation.finish() } else { candidates.append(candidate) }
      }
    }
    let video = peer.addTransceiver(.video, direction: .sendOnly, codecs: [.h264()])
    try peer.acceptOffer(offer)
    let answer = try peer.createAnswer()
    video.sender.attach(feed)
    for await _ in gathered {}
    let lines = candidates.map { "a=\($0)\r\n" }.joined() + "a=end-of-candidates\r\n"
    try (answer + lines).write(toFile: path, atomically: true, encoding: .utf8)
    return peer
  }
}
