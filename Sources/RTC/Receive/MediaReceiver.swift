/// Receives one stream: puts it in order, asks for what is missing, reports to the sender.
///
/// A packet in order is handed over at once, straight from the opened datagram. Behind a gap packets wait
/// while the missing ones are asked for; after a budget the gap is given up and a key frame asked for.
@RTCActor
public final class MediaReceiver {
  public let kind: MediaKind
  /// Called for each packet in order, on the loop, as soon as nothing before it is missing.
  public var onPacket: ((ReceivedPacket) -> Void)?

  /// A source that nobody has heard for this long may be replaced by another one.
  private static let sourcePatience: Int64 = 200_000
  private static let longestKeyFrameWait = 20

  /// Until `unbind`, which the session's end calls. Not weak: that would slow down each use of the session.
  private(set) var session: MediaSession?
  private var counters = ReceiverStatistics()
  private var codecs: [RTPCodec] = []
  private var remoteSources: [UInt32] = []
  private(set) var extensions = HeaderExtensionNumbers()
  private(set) var localSource: UInt32 = 0
  private(set) var mid = ""
  private var probe = KeyFrameProbe.unknown
  private var clockRate = 90_000

  /// The source that is being received.
  private(set) var source: UInt32?
  private var lastHeard: Int64 = 0
  private var unwrapper = SequenceUnwrapper()
  /// The next packet to hand over.
  private var expected: Int64 = -1
  private var isAfterGap = false
  private var held = HeldPackets()
  private var missing = MissingPackets()
  private var reception = ReceptionCounters()
  private var rate = RateMeter()
  /// Microseconds, smoothed, from requests and their answers.
  private var repairRoundTrip: Int64?

  private var keyFrameWanted = false
  private var keyFrameTries = 0
  private var keyFrameAskedAt = Int64.min / 2
  private var fullIntraCommand: UInt8 = 0

  init(kind: MediaKind) { self.kind = kind }

  public var statistics: ReceiverStatistics {
    var values = counters
    values.jitter = .microseconds(Int64(reception.jitter) * 1_000_000 / Int64(clockRate))
    values.bitrate = session.map { rate.bitsPerSecond(at: $0.now) } ?? 0
    values.roundTrip = (session?.roundTrip ?? repairRoundTrip).map { .microseconds($0) }
    return values
  }

  /// Asks the sender for a key frame (PLI, or FIR where that alone was agreed on), and again until one
  /// begins. May be called as often as one likes: what the path cannot answer is held back.
  public func requestKeyFrame() {
    guard !keyFrameWanted else { return }
    keyFrameWanted = true
    keyFrameTries = 0
    session?.wantService(at: max(session?.now ?? 0, keyFrameAskedAt + keyFramePause))
  }

  // MARK: Binding

  func bind(_ media: NegotiatedMedia, session: MediaSession) {
    self.session = session
    codecs = media.codecs
    remoteSources = media.remoteSources
    extensions = media.extensions
    localSource = media.localSource
    mid = media.mid
    if let codec = codecs.first {
      clockRate = codec.clockRate
      probe = KeyFrameProbe(codec: codec)
    }
    if let source, !remoteSources.isEmpty, !remoteSources.contains(source) { self.source = nil }
  }

  func unbind() {
    session = nil
    onPacket = nil
    codecs = []
    source = nil
    missing.removeAll()
    held.removeAll()
    keyFrameWanted = false
  }

  func accepts(payloadType: UInt8) -> Bool { codecs.contains { $0.payloadType == payloadType } }
  func expects(source: UInt32) -> Bool { remoteSources.contains(source) }
  var usesTransportFeedback: Bool {
    extensions.transportWideSequence != nil && codecs.contains { $0.hasFeedback("transport-cc") }
  }
  var usesBitrateFeedback: Bool { codecs.contains { $0.hasFeedback("goog-remb") } }
  private var usesRepair: Bool { codecs.contains { $0.hasFeedback("nack") } }

  /// Whether a packet of this source is for this receiver now.
  func takes(source new: UInt32, now: Int64) -> Bool {
    guard let source, source != new else { return true }
    return now - lastHeard > Self.sourcePatience || (expects(source: new) && !expects(source: source))
  }

  // MARK: Packets

  /// An authentic packet of a source that this receiver takes.
  func received(_ header: RTPHeader, payload: UnsafeRawBufferPointer, now: Int64) {
    if source != header.ssrc { begin(header.ssrc, at: header.sequenceNumber) }
    lastHeard = now
    let index = unwrapper.unwrap(header.sequenceNumber)
    counters.packets += 1
    counters.payloadBytes += UInt64(payload.count)
    rate.add(bytes: payload.count, at: now)
    if index < expected || held.holds(index) && index < expected + Int64(HeldPackets.capacity) {
      counters.discarded += 1
      return
    }
    let repair = missing.isEmpty ? nil : missing.remove(index)
    if let repair, repair.tries > 0 { wasRepaired(repair.tries, requestedAt: repair.requestedAt, now: now) }
    let highestBefore = reception.highest
    reception.received(
      index, timestamp: header.timestamp, clockRate: clockRate, now: now,
      isRepair: (repair?.tries ?? 0) > 0)
    if index == expected {
      deliver(
        payload, timestamp: header.timestamp, marker: header.marker, payloadType: header.payloadType)
      drain()
      return
    }
    if index > highestBefore + 1 { noticeGap(from: max(highestBefore + 1, expected), to: index, now: now) }
    while index - expected >= Int64(HeldPackets.capacity) { giveUp() }
    if index == expected {
      deliver(
        payload, timestamp: header.timestamp, marker: header.marker, payloadType: header.payloadType)
      drain()
      return
    }
    held.hold(
      index,
      header: .init(
        timestamp: header.timestamp, length: UInt16(payload.count), payloadType: header.payloadType,
        marker: header.marker),
      payload: payload)
    missing.saw(index, now: now)
    session?.wantService(at: nextDeadline)
  }

  private func begin(_ ssrc: UInt32, at number: UInt16) {
    if source != nil { isAfterGap = true }
    source = ssrc
    unwrapper = SequenceUnwrapper()
    expected = unwrapper.unwrap(number)
    held.removeAll()
    missing.removeAll()
    reception.begin(at: expected)
  }

  /// A gap that repair cannot fill is a new beginning.
  private func noticeGap(from first: Int64, to index: Int64, now: Int64) {
    let gap = index - first
    if gap > Int64(MissingPackets.limit - missing.count) || index - expected >= Int64(HeldPackets.capacity) {
      skip(to: index)
      return
    }
    missing.add(first..<index, now: now)
  }

  private func wasRepaired(_ tries: Int, requestedAt: Int64, now: Int64) {
    counters.repaired += 1
    guard tries == 1 else { return }  // which request was answered is known of the first only
    let sample = max(1_000, now - requestedAt)
    repairRoundTrip = repairRoundTrip.map { ($0 * 7 + sample) / 8 } ?? sample
  }

  private func deliver(
    _ payload: UnsafeRawBufferPointer, timestamp: UInt32, marker: Bool, payloadType: UInt8
  ) {
    expected += 1
    guard !payload.isEmpty else { return }  // padding only
    if keyFrameWanted, probe.startsKeyFrame(payload) { keyFrameWanted = false }
    let packet = ReceivedPacket(
      payload: payload, timestamp: timestamp, marker: marker, isAfterGap: isAfterGap, payloadType: payloadType
    )
    isAfterGap = false
    onPacket?(packet)
  }

  private func drain() {
    while held.count > 0 {
      let taken = held.take(expected) { header, payload in
        deliver(
          payload, timestamp: header.timestamp, marker: header.marker, payloadType: header.payloadType)
      }
      if !taken { return }
    }
  }

  /// Gives up what is missing before `index`, handing over what is held on the way.
  private func skip(to index: Int64) {
    while expected < index {
      drain()
      guard expected < index else { break }
      if held.count == 0 {
        counters.lost += UInt64(index - expected)
        expected = index
      } else {
        counters.lost += 1
        expected += 1
      }
      isAfterGap = true
    }
    missing.remove(before: index)
    if kind == .video { requestKeyFrame() }
  }

  // MARK: Time

  /// How long a missing packet is waited for: several tries, or mere reordering where nothing is repaired.
  private var patience: Int64 {
    guard usesRepair else { return 25_000 }
    return kind == .video
      ? min(max(roundTrip * 5, 450_000), 900_000) : min(max(roundTrip * 2, 60_000), 250_000)
  }

  private var roundTrip: Int64 { session?.roundTrip ?? repairRoundTrip ?? 100_000 }
  private var keyFramePause: Int64 { max(roundTrip * 3 / 2, 250_000) }

  /// When `serve` has something to do.
  var nextDeadline: Int64 {
    var deadline = Int64.max
    if let noticed = missing.oldestNoticed {
      deadline = noticed + patience
      if usesRepair { deadline = min(deadline, missing.nextDue) }
    }
    if keyFrameWanted, keyFrameTries < Self.longestKeyFrameWait {
      deadline = min(deadline, keyFrameAskedAt + keyFramePause)
    }
    return deadline
  }

  /// Gives up, asks for packets and key frames, as time has come.
  func serve(now: Int64, list: inout [UInt16], writer: inout RTCPWriter) {
    while let noticed = missing.oldestNoticed, noticed + patience <= now {
      giveUp()
    }
    guard let source else { return }
    if usesRepair, missing.nextDue <= now {
      list.removeAll(keepingCapacity: true)
      missing.takeDue(now: now, roundTrip: roundTrip, into: &list)
      counters.requested += UInt64(list.count)
      writer.nack(sender: localSource, source: source, lost: list)
    }
    if keyFrameWanted, keyFrameTries < Self.longestKeyFrameWait, keyFrameAskedAt + keyFramePause <= now {
      keyFrameAskedAt = now
      keyFrameTries += 1
      counters.keyFrameRequests += 1
      askForKeyFrame(source, writer: &writer)
    }
  }

  private func askForKeyFrame(_ source: UInt32, writer: inout RTCPWriter) {
    if codecs.contains(where: { $0.hasFeedback("ccm fir") && !$0.hasFeedback("nack pli") }) {
      fullIntraCommand &+= 1
      writer.fullIntraRequest(sender: localSource, source: source, command: fullIntraCommand)
    } else {
      writer.pictureLoss(sender: localSource, source: source)
    }
  }

  /// Goes on behind the first gap.
  private func giveUp() {
    var next = expected
    while next <= reception.highest, !held.holds(next) { next += 1 }
    skip(to: next)
    drain()
  }

  // MARK: Reports

  func heard(_ report: SenderReport, now: Int64) { reception.heard(report, now: now) }

  /// The block of the next receiver report; nil before the first packet.
  func takeReportBlock(now: Int64) -> ReportBlock? {
    source.map { reception.takeBlock(ssrc: $0, now: now) }
  }

  func receivedBitrate(now: Int64) -> Int { rate.bitsPerSecond(at: now) }
}
