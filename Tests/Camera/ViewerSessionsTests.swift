import OrielMedia
import OrielModel
import OrielRTC
import Testing

@testable import OrielCamera

/// Who may reach which session, and how many there may be. The peers answer whatever they are offered.
@RTCActor
@Suite struct ViewerSessionsTests {
  @RTCActor
  private final class Peer: ViewerPeer {
    var onEvent: ((ViewerPeerEvent) -> Void)?
    var bandwidthEstimate = 0
    var feeds: [ObjectIdentifier] = []
    var sent: [DataChannelMessage] = []
    var candidates = 0
    var isClosed = false

    func answer(_ offer: String) throws(OrielError) -> String { "answer" }
    func add(_ candidate: CandidateDescription) { candidates += 1 }
    func show(_ feed: PacketFeed) { feeds.append(ObjectIdentifier(feed)) }
    func play(_ feed: PacketFeed) {}
    func send(_ message: DataChannelMessage) { sent.append(message) }
    func send(_ message: PlaybackMessage) { played.append(message) }
    var talked: [TalkMessage] = []
    func send(_ message: TalkMessage) { talked.append(message) }
    func send(_ bytes: [UInt8]) -> Bool { false }
    func send(_ reading: SensorReading) {}
    var channelBacklog: Int { 0 }
    var played: [PlaybackMessage] = []
    var backlog = Duration.zero
    func discardUnsent() {}
    var videoTimestampOffset: UInt32 = 0
    func close() { isClosed = true }
  }

  @RTCActor
  private final class House {
    var peers: [Peer] = []
    var signals: [SignalMessage] = []
    let unit: CameraUnit
    var sessions: ViewerSessions

    init(limit: Int = 8, talk: TalkConfiguration? = nil) {
      let log = Log("test", minimum: .error)
      let unit = CameraUnit(
        cameraNo: 1, location: .test(TestPattern()), options: SourceOptions(), name: "", videoLevel: .low,
        talk: talk, log: log)
      self.unit = unit
      sessions = ViewerSessions(
        units: [unit], viewerLimit: limit, relayOnly: false,
        makePeer: { _ throws(OrielError) in throw OrielError(.streamInnerError) }, send: { _ in })
      sessions = ViewerSessions(
        units: [unit], viewerLimit: limit, relayOnly: false,
        makePeer: { [weak self] _ throws(OrielError) in
          let peer = Peer()
          self?.peers.append(peer)
          return peer
        }, send: { [weak self] in self?.signals.append($0) })
    }

    func offer(_ viewer: String, _ session: String, level: VideoLevel? = nil, mayTalk: Bool? = nil) {
      var message = SignalMessage(.offer, session: session, from: viewer, to: "device")
      message.videoLevel = level
      message.mayTalk = mayTalk
      try? message.setPayload(SessionDescription(type: "offer", sdp: "v=0"))
      sessions.receive(message)
    }

    func say(_ action: SignalAction, _ viewer: String, _ session: String) {
      var message = SignalMessage(action, session: session, from: viewer, to: "device")
      if action == .candidate { try? message.setPayload(CandidateDescription(candidate: "candidate:1")) }
      sessions.receive(message)
    }
  }

  @Test func nobodyReachesAnothersSession() {
    let house = House()
    house.offer("alice", "1")
    #expect(house.signals.map(\.action) == [.answer])
    #expect(house.signals.map(\.recipientClientId) == ["alice"])
    house.say(.sessionEnd, "mallory", "1")
    house.say(.candidate, "mallory", "1")
    #expect(house.sessions.count == 1)
    #expect(house.peers[0].candidates == 0 && !house.peers[0].isClosed)
    house.say(.candidate, "alice", "1")
    #expect(house.peers[0].candidates == 1)
    house.say(.sessionEnd, "alice", "1")
    #expect(house.peers[0].isClosed && house.sessions.count == 0)
  }

  @Test(arguments: [nil, false, true])
  func whoMayNotTalkIsRefusedByTheCameraItself(mayTalk: Bool?) {
    let house = House(talk: TalkConfiguration(loudspeaker: "none"))
    house.offer("alice", "1", mayTalk: mayTalk)
    house.peers[0].onEvent?(.talk(TalkMessage(.start)))
    house.peers[0].onEvent?(.voice([8, 1, 2], 0))
    let refusal = TalkMessage(.ended, errorCode: ErrorCode.noPermission.rawValue)
    #expect(house.peers[0].talked == (mayTalk == true ? [] : [refusal]))
  }

  @Test func aCameraWithoutALoudspeakerHasNoTalk() {
    let house = House()
    house.offer("alice", "1", mayTalk: true)
    house.peers[0].onEvent?(.talk(TalkMessage(.start)))
    #expect(house.peers[0].talked == [TalkMessage(.ended, errorCode: ErrorCode.talkUnsupported.rawValue)])
  }

  @Test func oneViewerHasSeveralSessions() {
    let house = House()
    for session in ["1", "2", "3"] { house.offer("alice", session) }
    #expect(house.sessions.count == 3)
    house.say(.sessionEnd, "alice", "2")
    #expect(house.peers.map(\.isClosed) == [false, true, false])
  }

  @Test func aFullDeviceRefusesButALostSessionGivesWay() {
    let house = House(limit: 2)
    house.offer("a", "1")
    house.offer("b", "1")
    house.offer("c", "1")
    #expect(house.signals.last?.action == .status)
    #expect(house.signals.last?.errorCode == 380_045)
    house.offer("a", "1")
    #expect(house.signals.last?.action == .answer, "an ICE restart of a full device's viewer")
    house.peers[1].onEvent?(.connected)
    house.peers[1].onEvent?(.interrupted)
    house.offer("d", "1")
    #expect(house.peers[1].isClosed)
    #expect(house.signals.last?.action == .answer && house.signals.last?.recipientClientId == "d")
    #expect(house.sessions.count == 2)
  }

  @Test func candidatesAloneDoNotFillTheDevice() {
    let house = House()
    for number in 0..<2000 { house.say(.candidate, "viewer\(number)", "1") }
    house.offer("alice", "1")
    #expect(house.signals.last?.errorCode == 380_045, "all places for the undecided are taken")
    house.offer("viewer7", "1")
    #expect(house.signals.last?.action == .answer)
    #expect(house.peers[0].candidates == 1)
  }

  @Test func theCamerasDefinitionCountsUnlessTheViewerHasOne() {
    let house = House()
    house.offer("a", "1")
    house.offer("b", "1", level: .high)
    #expect(house.peers[0].feeds == [ObjectIdentifier(house.unit.sub.feed)])
    #expect(house.peers[1].feeds == [ObjectIdentifier(house.unit.main.feed)])
    house.peers[0].onEvent?(.message(DataChannelMessage(type: .setVideoLevel, videoLevel: .high)))
    #expect(house.peers[0].feeds.last == ObjectIdentifier(house.unit.main.feed))
    house.peers[0].onEvent?(.channelOpen)
    #expect(house.peers[0].sent.last == DataChannelMessage(type: .sourceState, errorCode: 395_544))
  }

  @Test func nothingIsTakenAfterTheEnd() {
    let house = House()
    house.offer("a", "1")
    house.sessions.stop()
    #expect(house.signals.last?.action == .sessionEnd && house.signals.last?.errorCode == 0)
    #expect(house.peers[0].isClosed)
    house.offer("b", "1")
    #expect(house.peers.count == 1)
  }
}
