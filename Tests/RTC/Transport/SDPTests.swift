import Testing

@testable import OrielRTC

@Suite struct SDPTests {
  @Test func whatOtherStacksWriteIsRead() throws {
    let texts = try Corpus.texts("descriptions")
    #expect(texts.count >= 4)
    for (name, text) in texts {
      let description = try SessionDescription(parsing: text)
      let carrier = try #require(description.carrier, "\(name)")
      let remote = try description.remote(at: carrier)
      #expect(remote.fingerprints.first?.algorithm == "sha-256", "\(name)")
      #expect(description.setup(at: carrier) == .either, "\(name)")
      for section in description.media {
        #expect(section.mid != nil, "\(name)")
        guard case .media(let kind) = section.content else { continue }
        let common = CodecNegotiation.answer(
          offered: section.codecs, supported: Transceiver.defaultCodecs(kind), onlySends: true)
        #expect(common.first?.name.lowercased() == (kind == .video ? "h264" : "opus"), "\(name)")
      }
    }
  }

  @Test @RTCActor func everyOfferOfTheCorpusIsAnswered() throws {
    for (name, text) in try Corpus.texts("descriptions") {
      let connection = try PeerConnection(.loopback)
      defer { connection.close() }
      try connection.acceptOffer(text)
      let answer = try SessionDescription(parsing: connection.createAnswer())
      let offer = try SessionDescription(parsing: text)
      #expect(answer.media.map(\.mid) == offer.media.map(\.mid), "\(name)")
      #expect(answer.media.allSatisfy { !$0.isRefused }, "\(name)")
      #expect(answer.bundle == offer.bundle, "\(name)")
      #expect(answer.setup(at: 0) == .passive, "\(name)")
    }
  }

  @Test func whatIsWrittenIsReadTheSame() throws {
    for (_, text) in try Corpus.texts("descriptions") {
      var first = try SessionDescription(parsing: text)
      // Only what is written back.
      for index in first.media.indices {
        first.media[index].formats =
          first.media[index].codecs.isEmpty
          ? first.media[index].formats : first.media[index].codecs.map { String($0.payloadType) }
        first.media[index].repairSources = []
        if case .application = first.media[index].content { first.media[index].direction = .sendReceive }
      }
      let second = try SessionDescription(parsing: first.text)
      #expect(second.media.map(\.codecs) == first.media.map(\.codecs))
      #expect(second.media.map(\.direction) == first.media.map(\.direction))
      #expect(second.media.map(\.extensions) == first.media.map(\.extensions))
      #expect(second.media.map(\.transport) == first.media.map(\.transport))
      #expect(second.media.map(\.candidates) == first.media.map(\.candidates))
      #expect(second.media.map(\.sctpPort) == first.media.map(\.sctpPort))
      #expect(second.transport == first.transport)
      #expect(second.bundle == first.bundle)
    }
  }

  @Test func aDescriptionOverALimitIsRefused() throws {
    let head = "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"
    let section = "m=video 9 UDP/TLS/RTP/SAVPF 96\r\n"
    func isRefused(_ text: String) -> Bool {
      do {
        _ = try SessionDescription(parsing: text)
        return false
      } catch {
        return error == .malformedDescription
      }
    }
    func lines(_ count: Int, _ line: (Int) -> String) -> String { (0..<count).map(line).joined() }
    #expect(isRefused(String(repeating: "v=0\r\n", count: 200_000)))
    #expect(isRefused(head + lines(SDPLimits.lines) { _ in "x=\n" }))
    #expect(isRefused(head + lines(SDPLimits.mediaSections + 1) { _ in "m=video 9 x 1\n" }))
    #expect(isRefused(head + section + lines(SDPLimits.candidatesPerSection + 1) { _ in "a=candidate:\n" }))
    #expect(isRefused(head + section + lines(SDPLimits.sourcesPerSection + 1) { "a=ssrc:\($0) a\n" }))
    #expect(isRefused(head + section + lines(SDPLimits.extensionsPerSection + 1) { _ in "a=extmap:1 u\n" }))
    #expect(isRefused(head + section + lines(SDPLimits.codecsPerSection + 1) { _ in "a=rtpmap:9 a/1\n" }))
    #expect(isRefused(head + section + "a=mid:" + String(repeating: "x", count: 300)))
    #expect(isRefused("m=video 9 UDP/TLS/RTP/SAVPF 96\r\n"))
    #expect(isRefused(""))
    #expect(!isRefused(head + section))
  }

  @Test func damagedDescriptionsNeverCrash() async throws {
    let texts = try Corpus.texts("descriptions").map(\.text)
    var damage = Corpus.Damage(seed: 0x0123_4567_89ab_cdef)
    var read = 0
    for round in 0..<1000 {
      let text = damage.damage(texts[round % texts.count])
      guard let description = try? SessionDescription(parsing: text) else { continue }
      read += 1
      _ = description.text
      guard round % 7 == 0 else { continue }
      try await RTCActor.run {
        let connection = try PeerConnection(.loopback)
        try? connection.acceptOffer(text)
        connection.close()
      }
    }
    // Damage that no description survives would try nothing.
    #expect(read > 200)
  }

  @Test func candidatesAreReadAndDamagedOnesRefused() throws {
    let lines = try #require(try Corpus.texts("candidates").first?.text).split(separator: "\n").map(
      String.init)
    let candidates = try lines.map { try ICECandidate(parsing: $0) }
    #expect(candidates.map(\.hasNumericAddress) == [true, true, true, true, false, true, true, true])
    #expect(candidates[1].kind == .host && candidates[1].transport == .udp)
    #expect(candidates[3].kind == .serverReflexive && candidates[3].port == 46154)
    #expect(candidates[6].component == 2)
    var damage = Corpus.Damage(seed: 42)
    var refused = 0
    for round in 0..<4000 where (try? ICECandidate(parsing: damage.damage(lines[round % lines.count]))) == nil
    {
      refused += 1
    }
    #expect(refused > 1000)
    #expect(throws: RTCFailure.malformedCandidate) {
      try ICECandidate(parsing: "candidate:" + String(repeating: "1 ", count: 1000))
    }
  }

  @Test func addressesOfServersAreRead() {
    #expect(ICEServerAddress("stun:stun.example.org")?.port == 3478)
    #expect(ICEServerAddress("turn:192.0.2.1:80?transport=tcp")?.scheme == .turnTCP)
    #expect(ICEServerAddress("turn:[2001:db8::1]:3479")?.host == "2001:db8::1")
    #expect(ICEServerAddress("turns:turn.example.org")?.port == 5349)
    for bad in [
      "", "turn:", "http://a", "turn:a:0", "turn:a:70000", "turn:a b", "turn:a?transport=sctp", "stun:[::1",
    ] {
      #expect(ICEServerAddress(bad) == nil, "\(bad)")
    }
  }
}
