/// The RTP and RTCP of one peer connection: protects and opens packets, finds the receiver a packet is
/// for, paces, reports. Lives from the first description on; media flows once it has keys.
@RTCActor
final class MediaSession {
  /// One send per viewer in this time, microseconds, as far as packets are of one length.
  static let pacingInterval: Int64 = 5_000
  /// Ten packets: what any path takes at once. A picture of a usual stream so leaves in one send.
  private static let smallBurst = 12_500
  /// Six packets.
  private static let worthwhile = 7_500
  private static let reportInterval: Int64 = 1_000_000
  private static let feedbackInterval: Int64 = 100_000

  let path: any DatagramPath
  let scheduler: MediaScheduler
  let batch: SendBatch

  private var sections: [Section] = []
  /// The senders of the sections that send, for the hot path.
  private var sound: [MediaSender] = []
  private var pictures: [MediaSender] = []
  private var sendKeys: SRTPSender?
  private var receiveKeys: SRTPReceiver?
  private var isClosed = false
  private var isSending = false

  /// When `serve` is due; microseconds.
  private(set) var deadline = Int64.max
  private var intervalEnd: Int64 = 0
  /// Bytes that may leave, as of `budgetAt`; below zero after a packet that was larger.
  private var budget = 0
  private var budgetAt: Int64 = 0
  private var wantsPacing = false
  private var nextReport = Int64.max
  private var nextFeedback = Int64.max

  private var transport = TransportHistory()
  private var arrivals: TransportFeedbackWriter?
  private var estimator = BandwidthEstimator()
  private var publishedEstimate = 0
  /// Smoothed, microseconds.
  private(set) var roundTrip: Int64?
  private var lostList: [UInt16] = []

  private struct Section {
    let mid: String
    let sender: MediaSender
    let receiver: MediaReceiver
    var localSource: UInt32
    var canonicalName: String
    var sends: Bool
    var receives: Bool
  }

  init(path: any DatagramPath, scheduler: MediaScheduler? = nil) {
    let scheduler = scheduler ?? .shared
    self.path = path
    self.scheduler = scheduler
    batch = scheduler.batch
    scheduler.add(self)
  }

  var now: Int64 { scheduler.time.now }
  /// Whether media may be sent.
  var isReady: Bool { sendKeys != nil && !isClosed }
  var bandwidthEstimate: Int { estimator.bitsPerSecond }
  /// Bit/s at which packets leave: above the estimate, since a picture is a burst.
  var pacingRate: Int { max(estimator.bitsPerSecond * 5 / 2, 1_000_000) }

  /// The keys of the DTLS handshake. May be called again after a new handshake.
  func setKeys(_ material: SRTPKeyingMaterial) throws(RTCFailure) {
    sendKeys = try SRTPSender(
      profile: material.profile, masterKey: material.localKey, masterSalt: material.localSalt)
    receiveKeys = try SRTPReceiver(
      profile: material.profile, masterKey: material.remoteKey, masterSalt: material.remoteSalt)
    start()
  }

  /// Connects a media section's sender and receiver with what was agreed on; again after renegotiation.
  func bind(_ media: NegotiatedMedia, sender: MediaSender, receiver: MediaReceiver) {
    guard !isClosed, let codec = media.codecs.first else { return }
    let section = Section(
      mid: media.mid, sender: sender, receiver: receiver, localSource: media.localSource,
      canonicalName: media.canonicalName, sends: media.direction.sends, receives: media.direction.receives)
    if let place = sections.firstIndex(where: { $0.sender === sender }) {
      sections[place] = section
    } else {
      sections.append(section)
    }
    let sending = sections.lazy.filter(\.sends).map(\.sender)
    sound = sending.filter { $0.kind == .audio }
    pictures = sending.filter { $0.kind == .video }
    if section.sends { sender.bind(media, codec: codec, session: self) }
    if section.receives { receiver.bind(media, session: self) }
    if section.receives, receiver.usesTransportFeedback, arrivals == nil {
      arrivals = TransportFeedbackWriter()
    }
    start()
  }

  private func start() {
    guard isReady else { return }
    for section in sections where section.sends && section.sender.isBound { section.sender.sessionIsReady() }
    if nextReport == .max { nextReport = now + 100_000 }
    wantService(at: nextReport)
    flush()
  }

  /// Says BYE and lets go of feeds, timers and callbacks.
  func close() {
    guard !isClosed else { return }
    sendBye()
    isClosed = true
    scheduler.remove(self)
    for section in sections {
      section.sender.unbind()
      section.receiver.unbind()
    }
    sections = []
    sound = []
    pictures = []
    sendKeys = nil
    receiveKeys = nil
    deadline = .max
  }

  // MARK: Receiving

  /// A datagram whose first byte is 128...191 (RFC 7983).
  func receive(_ datagram: UnsafeRawBufferPointer) {
    guard let receiveKeys, !isClosed, datagram.count <= scheduler.scratch.count,
      let out = scheduler.scratch.baseAddress
    else { return }
    let now = self.now
    if RTPHeader.isRTCP(datagram) {
      guard let count = receiveKeys.openRTCP(datagram, into: out) else { return }
      receiveReports(UnsafeRawBufferPointer(start: out, count: count), now: now)
      return
    }
    guard let header = RTPHeader(datagram), let receiver = receiver(for: header, in: datagram, now: now),
      let count = receiveKeys.open(datagram, header: header, into: out),
      let payload = header.payload(opened: UnsafeRawBufferPointer(start: out, count: count))
    else { return }
    if let id = receiver.extensions.transportWideSequence, arrivals != nil,
      let value = header.extensions.value(id: id, in: datagram), value.count >= 2
    {
      arrivals?.arrived(value.uint16(at: 0), at: now)
      if nextFeedback == .max {
        nextFeedback = now + Self.feedbackInterval
        wantService(at: nextFeedback)
      }
    }
    receiver.received(header, payload: payload, now: now)
  }

  /// By source, by the source the description names, by MID, by payload type; the section that a source
  /// was found for keeps it.
  private func receiver(for header: RTPHeader, in packet: UnsafeRawBufferPointer, now: Int64)
    -> MediaReceiver?
  {
    for section in sections where section.receives && section.receiver.source == header.ssrc {
      return section.receiver
    }
    for section in sections where section.receives && section.receiver.expects(source: header.ssrc) {
      return section.receiver.takes(source: header.ssrc, now: now) ? section.receiver : nil
    }
    for section in sections where section.receives {
      guard let id = section.receiver.extensions.mid,
        let value = header.extensions.value(id: id, in: packet), value.elementsEqual(section.mid.utf8)
      else { continue }
      return section.receiver.takes(source: header.ssrc, now: now) ? section.receiver : nil
    }
    for section in sections where section.receives {
      if section.receiver.accepts(payloadType: header.payloadType),
        section.receiver.takes(source: header.ssrc, now: now)
      {
        return section.receiver
      }
    }
    return nil
  }

  private func receiveReports(_ compound: UnsafeRawBufferPointer, now: Int64) {
    var reader = RTCPReader(compound)
    var wantsFlush = false
    while let packet = reader.next() {
      if let report = packet.senderReport {
        for section in sections where section.receives && section.receiver.source == report.ssrc {
          section.receiver.heard(report, now: now)
        }
      }
      packet.forEachReportBlock { receive($0, now: now) }
      switch (packet.type, packet.count) {
      case (RTCPType.transportFeedback, RTCPFeedbackFormat.nack):
        guard let sender = sender(packet.mediaSource) else { continue }
        let roundTrip = self.roundTrip ?? 50_000
        packet.forEachLost { sender.viewerLost($0, now: now, roundTrip: roundTrip) }
        wantsFlush = true
      case (RTCPType.transportFeedback, RTCPFeedbackFormat.transportWide):
        if let feedback = TransportFeedback(packet) { receive(feedback, now: now) }
      case (RTCPType.payloadFeedback, RTCPFeedbackFormat.pictureLoss):
        sender(packet.mediaSource)?.viewerNeedsKeyFrame()
      case (RTCPType.payloadFeedback, RTCPFeedbackFormat.fullIntraRequest):
        packet.forEachFullIntraRequest { sender($0)?.viewerNeedsKeyFrame(command: $1) }
      case (RTCPType.payloadFeedback, RTCPFeedbackFormat.application):
        if let bitrate = packet.maximumBitrate {
          estimator.remoteEstimate(bitrate)
          publishEstimate()
        }
      default: break
      }
    }
    if wantsFlush { flush(now) }
  }

  private func sender(_ ssrc: UInt32?) -> MediaSender? {
    for section in sections where section.sends && section.sender.ssrc == ssrc { return section.sender }
    return nil
  }

  private func receive(_ block: ReportBlock, now: Int64) {
    guard let sender = sender(block.ssrc) else { return }
    sender.viewerReported(block)
    if block.lastSenderReport != 0 {
      let elapsed =
        UInt32(truncatingIfNeeded: ntpTime(now) >> 16) &- block.lastSenderReport &- block.delaySinceLast
      let sample = Int64(elapsed) * 1_000_000 / 65_536
      // A peer's arithmetic may come out a little before us.
      if sample < 10_000_000 { roundTrip = roundTrip.map { ($0 * 7 + sample) / 8 } ?? max(sample, 100) }
    }
    if transport.next == 1, sender.kind == .video {
      estimator.reported(
        loss: Double(block.fractionLost) / 256, now: now, sentBitsPerSecond: sender.feedBitrate)
      publishEstimate()
    }
  }

  private func receive(_ feedback: TransportFeedback, now: Int64) {
    feedback.forEachPacket { number, arrival in
      guard let sent = transport.report(number, hasArrived: arrival != nil, now: now) else { return }
      estimator.packet(
        sent: sent.sent, arrival: arrival, bytes: sent.bytes, wasReportedLost: sent.wasReportedLost)
    }
    estimator.feedbackEnded(now: now, roundTrip: roundTrip ?? 100_000)
    publishEstimate()
  }

  private func publishEstimate() {
    let estimate = estimator.bitsPerSecond
    guard abs(estimate - publishedEstimate) * 10 >= publishedEstimate else { return }
    publishedEstimate = estimate
    for section in sections where section.sends && section.sender.kind == .video {
      section.sender.onBandwidthEstimate?(estimate)
    }
  }

  // MARK: Sending

  func takeTransportNumber(bytes: Int, now: Int64) -> UInt16 { transport.take(bytes: bytes, now: now) }

  func flush() { flush(now) }

  /// Bytes that may leave now: what the pacing rate has allowed since the last time, up to a small burst or
  /// what it allows in one interval.
  private func refillBudget(_ now: Int64) -> Int {
    let rate = pacingRate / 8
    let most = max(Self.smallBurst, rate * Int(Self.pacingInterval) / 1_000_000)
    let elapsed = Int(min(now - budgetAt, 1_000_000))
    budgetAt = now
    return min(most, budget + rate * elapsed / 1_000_000)
  }

  /// Until the next send, microseconds: an interval, or on a slow path the time that makes a send worth it.
  private func pause(_ budget: Int) -> Int64 {
    let missing = Int64(max(0, Self.worthwhile - budget)) * 8_000_000 / Int64(pacingRate)
    return min(max(missing, Self.pacingInterval), 3 * Self.pacingInterval)
  }

  /// Sends what is due: sound at once; repairs, then pictures, within the interval's budget.
  private func flush(_ now: Int64) {
    guard let sendKeys, !isClosed, !isSending else { return }
    isSending = true
    defer { isSending = false }
    var isBehind = false
    for sender in sound where sender.hasPending {
      var budget = Int.max
      sender.sendRepairs(self, keys: sendKeys, budget: &budget, now: now)
      sender.sendPending(self, keys: sendKeys, budget: &budget, now: now)
    }
    batch.flush(path)
    if now >= intervalEnd {
      var budget = refillBudget(now)
      let whole = budget
      for sender in pictures where sender.canRepair {
        sender.sendRepairs(self, keys: sendKeys, budget: &budget, now: now)
      }
      for sender in pictures {
        sender.sendPending(self, keys: sendKeys, budget: &budget, now: now)
      }
      batch.flush(path)
      if budget < whole || budget <= 0 { intervalEnd = now + pause(budget) }
      self.budget = budget
    }
    for sender in pictures where sender.hasPending { isBehind = true }
    wantsPacing = isBehind
    if wantsPacing { wantService(at: intervalEnd) }
  }

  // MARK: Time

  func wantService(at time: Int64) {
    guard time < deadline, !isClosed else { return }
    deadline = time
    scheduler.note(time)
  }

  /// Called by the scheduler when the deadline has come.
  func serve(_ now: Int64) {
    deadline = .max
    guard isReady else { return }
    if wantsPacing { flush(now) }
    sendRequests(now)
    if now >= nextFeedback { sendFeedback(now) }
    if now >= nextReport { sendReports(now) }
    var next = min(nextReport, nextFeedback)
    if wantsPacing { next = min(next, intervalEnd) }
    for section in sections where section.receives { next = min(next, section.receiver.nextDeadline) }
    wantService(at: max(next, now + 500))
  }

  private func sendRequests(_ now: Int64) {
    for section in sections where section.receives && section.receiver.nextDeadline <= now {
      compound(leading: section.localSource) { writer in
        section.receiver.serve(now: now, list: &lostList, writer: &writer)
      }
    }
  }

  private func sendFeedback(_ now: Int64) {
    nextFeedback = .max
    guard let section = sections.first(where: { $0.receives && $0.receiver.source != nil }),
      let source = section.receiver.source
    else { return }
    compound(leading: section.localSource) { writer in
      arrivals?.write(to: &writer, sender: section.localSource, source: source, now: now)
    }
    if arrivals?.isEmpty == false {
      nextFeedback = now + Self.feedbackInterval
    }
  }

  private func sendReports(_ now: Int64) {
    nextReport = now + Self.reportInterval
    let ntp = ntpTime(now)
    compound(leading: nil) { writer in
      for section in sections {
        let before = writer.count
        if section.sends, let report = section.sender.report(now: now, ntpTime: ntp) {
          writer.senderReport(report)
        }
        if section.receives, let block = section.receiver.takeReportBlock(now: now) {
          writer.receiverReport(ssrc: section.localSource, block)
        }
        if writer.count > before {
          writer.sourceDescription(ssrc: section.localSource, canonicalName: section.canonicalName)
        }
        sendBitrateLimit(section, now: now, writer: &writer)
      }
    }
  }

  /// For a peer that knows REMB alone: twice what comes, so that it may grow.
  private func sendBitrateLimit(_ section: Section, now: Int64, writer: inout RTCPWriter) {
    guard section.receives, section.receiver.kind == .video, !section.receiver.usesTransportFeedback,
      section.receiver.usesBitrateFeedback, let source = section.receiver.source
    else { return }
    let limit = max(section.receiver.receivedBitrate(now: now) * 2, 3_000_000)
    writer.maximumBitrate(sender: section.localSource, source: source, bitsPerSecond: limit)
  }

  private func sendBye() {
    guard isReady else { return }
    compound(leading: nil) { writer in
      for section in sections where section.sends && section.sender.hasSent {
        if writer.count == 0 { writer.receiverReport(ssrc: section.localSource, nil) }
        writer.bye(ssrc: section.localSource)
      }
    }
  }

  /// Writes a compound packet, which begins with a report (RFC 3550, section 6.1), and sends it if there
  /// is more in it than that.
  private func compound(leading ssrc: UInt32?, _ body: (inout RTCPWriter) -> Void) {
    guard let sendKeys, let out = scheduler.scratch2.baseAddress else { return }
    withUnsafeTemporaryAllocation(byteCount: 1_200, alignment: 8) { buffer in
      var writer = RTCPWriter(buffer)
      if let ssrc { writer.receiverReport(ssrc: ssrc, nil) }
      let before = writer.count
      body(&writer)
      guard writer.count > before else { return }
      let length = sendKeys.protectRTCP(writer.written, into: out)
      if length > 0 { path.send(UnsafeRawBufferPointer(start: out, count: length), segmentSize: length) }
    }
  }

  /// NTP time of a monotonic one: the wall clock at the first use, which no jump moves after.
  private func ntpTime(_ now: Int64) -> UInt64 {
    let offset = scheduler.wallClockOffset
    let microseconds = UInt64(max(0, now + offset)) + 2_208_988_800_000_000
    let fraction = (microseconds % 1_000_000) << 32 / 1_000_000
    return (microseconds / 1_000_000) << 32 | fraction
  }
}
