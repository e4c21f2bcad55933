/// Sends one stream to one viewer: its copy of the packets of a feed, each only protected and sent.
@RTCActor
public final class MediaSender {
  public let kind: MediaKind
  /// The viewer lost the picture (PLI or FIR), or waits for a group to start: the encoder should make a
  /// key frame soon.
  public var onKeyFrameRequest: (() -> Void)?
  /// What the path to the viewer is thought to carry, bit/s; called when it has changed by a tenth.
  public var onBandwidthEstimate: ((Int) -> Void)?

  /// A kept group longer than this does not replace a picture that is running: the switch waits.
  private static let longestSwitchBurst = 65_536
  /// A viewer this far behind goes on at a newer group start, if there is one.
  private static let longestLag: Int64 = 1_500_000
  /// Packets that carry the MID at most, should no report ever come.
  private static let packetsWithMID: Int64 = 300

  /// Until `unbind`, which the session's end calls. Not weak: that would slow down each use of the session.
  private(set) var session: MediaSession?
  private(set) var ssrc: UInt32 = 0
  private var template: RTPHeaderTemplate?
  private var clockRate = 90_000
  private var counters = SenderStatistics()

  private var cursor: FeedCursor?
  /// A feed that takes over at its next group start, or right away when it has one that is short.
  private var upcoming: PacketFeed?
  private var previousFeed: PacketFeed?
  /// Counts the feeds, so that a record tells which it came from.
  private var binding: UInt8 = 0

  private var history: SentHistory
  private var repairs = RepairQueue()
  private var lastTimestamp: UInt32
  private var lastSent: Int64 = 0
  private var lastSentTimestamp: UInt32? { lastSent == 0 ? nil : lastTimestamp }
  private let initialTimestamp: UInt32
  private var viewerKnowsSource = false
  private var lastKeyFrameCommand: UInt8?

  init(kind: MediaKind) {
    self.kind = kind
    history = SentHistory(capacity: kind == .video ? 1_024 : 64)
    // In the lower half, so that the peer sees the roll-over counter turn (RFC 3711, section 3.3.1).
    history.begin(at: Int64.random(in: 1..<0x7000))
    initialTimestamp = .random(in: 0...UInt32.max)
    lastTimestamp = initialTimestamp
  }

  isolated deinit { template?.deallocate() }

  public var statistics: SenderStatistics {
    var values = counters
    values.roundTrip = session?.roundTrip.map { .microseconds($0) }
    values.bandwidthEstimate = session?.bandwidthEstimate ?? 0
    return values
  }

  /// Sends this feed from now on; nil: nothing. May be called before the connection is up.
  ///
  /// The first feed begins at its latest group start at once, time-stamped just before the live picture.
  /// A later feed takes over at its next group start, or at its kept one when that is short.
  public func attach(_ feed: PacketFeed?) {
    guard let feed else { return detach() }
    if let upcoming {
      if upcoming === feed { return }
      if upcoming !== cursor?.feed { upcoming.remove(self) }
      self.upcoming = nil
    }
    if cursor?.feed === feed { return }
    feed.add(self)
    if session?.isReady == true, cursor?.next != nil {
      if feed.keptGroupStart != nil, feed.groupBytes <= Self.longestSwitchBurst {
        take(feed)
      } else {
        upcoming = feed
        onKeyFrameRequest?()
      }
    } else {
      take(feed)
    }
    session?.flush()
  }

  private func detach() {
    upcoming?.remove(self)
    upcoming = nil
    leave()
  }

  private func leave() {
    guard let feed = cursor?.feed else { return }
    feed.remove(self)
    previousFeed = feed
    cursor = nil
  }

  /// The feed takes over, at its kept group start or, failing that, at its next.
  private func take(_ feed: PacketFeed, at index: Int64? = nil) {
    let offset = timestampOffset(for: feed)
    leave()
    if upcoming === feed { upcoming = nil }
    binding &+= 1
    var cursor = FeedCursor(feed: feed, timestampOffset: offset)
    if let index {
      cursor.begin(at: index, after: lastSentTimestamp)
    } else if session?.isReady == true {
      begin(&cursor)
    }
    self.cursor = cursor
  }

  private func begin(_ cursor: inout FeedCursor) {
    if kind == .audio { return }  // sound begins with its next packet
    if !cursor.begin(bitsPerSecond: session?.pacingRate ?? 10_000_000, after: lastSentTimestamp) {
      onKeyFrameRequest?()
    }
  }

  /// Media may flow: keys are there and the section is bound.
  func sessionIsReady() {
    guard var cursor, cursor.next == nil else { return }
    begin(&cursor)
    self.cursor = cursor
  }

  /// Feeds of one camera share a time line, and keep their offset; another feed is put where the old one
  /// would be by now.
  private func timestampOffset(for feed: PacketFeed) -> UInt32 {
    guard lastSent != 0, let now = session?.now, feed.head > 0 else {
      return cursor?.timestampOffset ?? initialTimestamp
    }
    let elapsed = Double(now - lastSent) / 1_000_000 * Double(feed.clockRate)
    let expected = lastTimestamp &+ UInt32(truncatingIfNeeded: Int64(max(1, elapsed)))
    if let offset = cursor?.timestampOffset {
      let difference = Int32(bitPattern: feed.latestTimestamp &+ offset &- expected)
      if abs(Int(difference)) < feed.clockRate / 2 { return offset }
    }
    return expected &- feed.latestTimestamp
  }

  // MARK: A feed of one viewer's own

  /// What is added to the attached feed's timestamps on the way to the viewer. It stays the same while the feed's
  /// timestamps rise as time does.
  public var timestampOffset: UInt32 { cursor?.timestampOffset ?? initialTimestamp }

  /// Payload bytes of the feed that wait to leave, about.
  public var pendingBytes: Int { Int(cursor?.pending ?? 0) * PacketFeed.maximumPayload }

  /// Forgets what waits to leave: the feed's next group start goes out next. Sequence numbers go on without a gap.
  public func discardPending() { cursor?.wait() }

  // MARK: The feed's and the session's calls

  func feedHasGrown(startsGroup: Bool) {
    if startsGroup { groupHasStarted() }
    session?.flush()
  }

  private func groupHasStarted() {
    guard session?.isReady == true else { return }
    if let upcoming, let start = upcoming.groupStart, start >= upcoming.oldest,
      upcoming.packet(start).unit == upcoming.latestUnit
    {
      take(upcoming, at: start)
    } else if let feed = cursor?.feed, cursor?.next == nil, let start = feed.groupStart {
      cursor?.begin(at: start, after: lastSentTimestamp)
    }
  }

  /// Connects with what was agreed on.
  func bind(_ media: NegotiatedMedia, codec: RTPCodec, session: MediaSession) {
    self.session = session
    ssrc = media.localSource
    clockRate = codec.clockRate
    // A packet that is sent again must be the same byte for byte: what had another header never is.
    if template != nil { history.begin(at: history.next) }
    template?.deallocate()
    template = RTPHeaderTemplate(
      payloadType: codec.payloadType, ssrc: ssrc,
      transportNumberID: codec.hasFeedback("transport-cc") ? media.extensions.transportWideSequence : nil,
      midID: media.extensions.mid, mid: media.mid)
  }

  /// The session ends, or the section does not send any more.
  func unbind() {
    detach()
    previousFeed = nil
    session = nil
    onKeyFrameRequest = nil
    onBandwidthEstimate = nil
  }

  var feedBitrate: Int { cursor?.feed.bitrate ?? 0 }
  var isBound: Bool { template != nil }
  var hasPending: Bool { !repairs.isEmpty || cursor?.pending ?? 0 > 0 }
  var hasSent: Bool { lastSent != 0 }
  var canRepair: Bool { !repairs.isEmpty }

  // MARK: Sending

  /// Sends again what the viewer asked for, as far as the budget goes.
  func sendRepairs(_ session: MediaSession, keys: SRTPSender, budget: inout Int, now: Int64) {
    guard let template else { return }
    while budget > 0, let index = repairs.removeFirst() {
      guard history.next - index <= 1_024 else { continue }
      let record = history[index]
      guard
        let feed = record.binding == binding
          ? cursor?.feed : binding &- record.binding == 1 ? previousFeed : nil
      else {
        counters.retransmissionsRefused += 1
        continue
      }
      let feedIndex = feed.head - Int64(UInt32(truncatingIfNeeded: feed.head) &- record.feedIndex)
      guard feedIndex >= feed.oldest, feedIndex < feed.head else {
        counters.retransmissionsRefused += 1
        continue
      }
      budget -= write(
        feed.payload(feedIndex), marker: feed.packet(feedIndex).marker, record: record, index: index,
        template: template, keys: keys, session: session)
      history[index].sentAt = UInt32(truncatingIfNeeded: now / 1_000)
      counters.retransmitted += 1
    }
  }

  /// Sends what the feed holds for this viewer, as far as the budget goes.
  func sendPending(_ session: MediaSession, keys: SRTPSender, budget: inout Int, now: Int64) {
    guard let template, var cursor, let start = cursor.next, start < cursor.feed.head else { return }
    let feed = cursor.feed
    if !catchUp(&cursor, now: now) {
      self.cursor = cursor
      return
    }
    let withMID = template.hasMID && !viewerKnowsSource
    let stamp = UInt32(truncatingIfNeeded: now / 1_000)
    let head = feed.head
    while budget > 0, let at = cursor.next, at < head {
      let packet = feed.packet(at)
      let payload = feed.payload(at)
      let record = SentPacket(
        feedIndex: UInt32(truncatingIfNeeded: at), timestamp: cursor.timestamp(of: packet, at: at),
        transportNumber: template.hasTransportNumber
          ? session.takeTransportNumber(bytes: payload.count + 20, now: now) : 0,
        binding: binding, carriesMID: withMID, sentAt: stamp)
      let index = history.next
      history.append(record)
      budget -= write(
        payload, marker: packet.marker, record: record, index: index, template: template, keys: keys,
        session: session)
      counters.packets += 1
      counters.payloadBytes += UInt64(payload.count)
      lastTimestamp = record.timestamp
      cursor.advance()
    }
    lastSent = now
    if withMID, counters.packets > UInt64(Self.packetsWithMID) { viewerKnowsSource = true }
    self.cursor = cursor
  }

  /// A viewer that has fallen behind goes on at a newer group start.
  /// - Returns: Whether there is a packet to send.
  private func catchUp(_ cursor: inout FeedCursor, now: Int64) -> Bool {
    guard let at = cursor.next else { return false }
    let feed = cursor.feed
    if at < feed.oldest {
      counters.skipped += UInt64(feed.oldest - at)
      if let start = feed.keptGroupStart {
        cursor.begin(at: start, after: lastSentTimestamp)
        return true
      }
      cursor.wait()
      onKeyFrameRequest?()
      return false
    }
    guard let start = feed.keptGroupStart, start > at, feed.packet(at).startsUnit else { return true }
    let lag = feed.latestTimestamp &- feed.packet(at).timestamp
    if Int64(lag) * 1_000_000 / Int64(clockRate) > Self.longestLag {
      counters.skipped += UInt64(start - at)
      cursor.begin(at: start, after: lastSentTimestamp)
    }
    return true
  }

  /// Writes and protects one packet in the batch.
  /// - Returns: Its length.
  @inline(__always)
  private func write(
    _ payload: UnsafeRawBufferPointer, marker: Bool, record: SentPacket, index: Int64,
    template: RTPHeaderTemplate, keys: SRTPSender, session: MediaSession
  ) -> Int {
    let header = record.carriesMID ? template.lengthWithMID : template.length
    let total = header + payload.count + keys.tagLength
    let out = session.batch.place(total, path: session.path)
    _ = template.write(
      to: out, marker: marker, sequenceNumber: UInt16(truncatingIfNeeded: index), timestamp: record.timestamp,
      transportNumber: record.transportNumber, withMID: record.carriesMID)
    let length = keys.protect(
      out, headerLength: header, payload: payload, ssrc: ssrc, index: UInt64(bitPattern: index))
    if length > 0 { session.batch.commit(length) }
    return total
  }

  // MARK: Feedback

  /// A generic NACK.
  func viewerLost(_ number: UInt16, now: Int64, roundTrip: Int64) {
    guard let index = history.index(of: number) else {
      counters.retransmissionsRefused += 1
      return
    }
    // What was sent again a moment ago may still be on its way.
    let age = UInt32(truncatingIfNeeded: now / 1_000) &- history[index].sentAt
    guard Int64(age) * 1_000 >= min(roundTrip / 2, 100_000) else { return }
    if !repairs.append(index) { counters.retransmissionsRefused += 1 }
  }

  func viewerNeedsKeyFrame(command: UInt8? = nil) {
    if let command {
      if command == lastKeyFrameCommand { return }  // a repetition (RFC 5104, section 4.3.1.2)
      lastKeyFrameCommand = command
    }
    counters.keyFrameRequests += 1
    onKeyFrameRequest?()
  }

  func viewerReported(_ block: ReportBlock) {
    viewerKnowsSource = true
    counters.remoteLost = Int64(block.cumulativeLost)
    counters.remoteLossRate = Double(block.fractionLost) / 256
    counters.remoteJitter = .microseconds(Int64(block.jitter) * 1_000_000 / Int64(clockRate))
  }

  /// The sender's part of a report at `now`; nil before the first packet.
  func report(now: Int64, ntpTime: UInt64) -> SenderReport? {
    guard lastSent != 0 else { return nil }
    var rtpTime = lastTimestamp
    if let cursor, cursor.feed.head > 0 {
      let age = Double(now - cursor.feed.latestCapture) / 1_000_000 * Double(clockRate)
      rtpTime =
        cursor.feed.latestTimestamp &+ cursor.timestampOffset
        &+ UInt32(truncatingIfNeeded: Int64(age))
    }
    return SenderReport(
      ssrc: ssrc, ntpTime: ntpTime, rtpTime: rtpTime,
      packets: UInt32(truncatingIfNeeded: counters.packets),
      bytes: UInt32(truncatingIfNeeded: counters.payloadBytes))
  }
}
