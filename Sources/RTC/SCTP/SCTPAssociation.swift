import CRTCShims

/// The SCTP association of a peer connection over DTLS (RFC 8261) and its data channels (RFC 8831).
@RTCActor
final class SCTPAssociation {
  static let streams: UInt16 = 64
  /// A DTLS record and a relay's header must fit around it.
  private static let mtu: UInt16 = 1_150
  /// What the library may hold each way; a limit, not an allocation.
  private static let buffer: UInt32 = 524_288

  private enum Event {
    case up(streams: UInt16)
    case down
    case incomingReset(UInt16)
    case outgoingReset(UInt16)
    case message(stream: UInt16, ppid: UInt32, bytes: [UInt8])
  }

  /// A channel that the peer opened; it is open.
  var onDataChannel: ((DataChannel) -> Void)?
  /// The association is lost or was ended by the peer; all channels are closed.
  var onClose: (() -> Void)?

  private let send: (UnsafeRawBufferPointer) -> Void
  private var token: UInt = 0
  private var socket: OpaquePointer?
  private var isClient = false
  private var isUp = false
  private var isClosed = false
  private var outgoingStreams = SCTPAssociation.streams
  private var channels: [UInt16: DataChannel] = [:]
  /// Channels without a number: the role is not known yet.
  private var waiting: [DataChannel] = []
  /// Parts of messages by stream.
  private var partial: [UInt16: [UInt8]] = [:]
  private var events: [Event] = []
  private var isHandling = false
  private var pendingResets: [UInt16] = []
  private var lastActivity: Int64 = 0

  /// - Parameter send: Takes one SCTP packet, valid during the call, to be sent over DTLS.
  init(send: @escaping (UnsafeRawBufferPointer) -> Void) { self.send = send }

  isolated deinit { close() }

  /// Begins the handshake; DTLS is up.
  /// - Parameter isClient: Whether this side is the DTLS client, which uses even stream numbers.
  func start(isClient: Bool) throws(RTCFailure) {
    guard socket == nil, !isClosed else { return }
    self.isClient = isClient
    token = SCTPLibrary.shared.add(self)
    guard let socket = oriel_sctp_open(token, Self.streams, Self.buffer) else {
      SCTPLibrary.shared.remove(token)
      throw .system
    }
    self.socket = socket
    wake()
    guard oriel_sctp_connect(socket, token, Self.mtu) == 0 else { throw .system }
    for channel in waiting { number(channel) }
    waiting = []
  }

  /// An SCTP packet that came over DTLS.
  func receive(_ packet: UnsafeRawBufferPointer) {
    guard socket != nil, let base = packet.baseAddress else { return }
    wake()
    oriel_sctp_receive(token, base, packet.count)
    handleEvents()
  }

  /// Opens a channel; may be called before `start`.
  func openChannel(label: String, ordered: Bool) -> DataChannel {
    let channel = DataChannel(label: label, isOrdered: ordered)
    guard !isClosed else {
      channel.state = .closed
      return channel
    }
    channel.association = self
    channel.queue.append((DataChannelOpen(isOrdered: ordered, label: label).bytes, PayloadProtocol.control))
    if socket == nil { waiting.append(channel) } else { number(channel) }
    return channel
  }

  /// Ends the association; no callback follows.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    onClose = nil
    onDataChannel = nil
    let ended = Array(channels.values) + waiting
    channels = [:]
    waiting = []
    for channel in ended {
      channel.onOpen = nil
      channel.onMessage = nil
      channel.onClose = nil
      channel.finish()
    }
    release()
  }

  /// Lets go of the library's side, which says ABORT.
  private func release() {
    isUp = false
    events = []
    partial = [:]
    guard let socket else { return }
    self.socket = nil
    oriel_sctp_close(socket, token)
    SCTPLibrary.shared.remove(token)
  }

  // MARK: The library's calls

  func output(_ packet: UnsafeRawBufferPointer) { send(packet) }

  /// Kept until the library has returned: it must not be called from its own callback.
  func came(_ bytes: UnsafeRawBufferPointer, stream: UInt16, ppid: UInt32, ends: Bool) {
    guard bytes.count + (partial[stream]?.count ?? 0) <= DataChannel.maximumMessage else {
      partial[stream] = nil
      events.append(.down)  // the peer was told the limit
      return
    }
    if !ends || partial[stream] != nil { partial[stream, default: []].append(contentsOf: bytes) }
    guard ends else { return }
    events.append(
      .message(stream: stream, ppid: ppid, bytes: partial.removeValue(forKey: stream) ?? Array(bytes)))
  }

  func noted(_ event: Int, _ value: UInt16) {
    switch event {
    case ORIEL_SCTP_UP: events.append(.up(streams: value))
    case ORIEL_SCTP_DOWN: events.append(.down)
    case ORIEL_SCTP_INCOMING_RESET: events.append(.incomingReset(value))
    case ORIEL_SCTP_OUTGOING_RESET, ORIEL_SCTP_RESET_FAILED: events.append(.outgoingReset(value))
    default: break
    }
  }

  /// Whether a timer of this association may still be needed.
  func needsTimers(now: Int64, quietTime: Int64) -> Bool {
    guard let socket else { return false }
    if now - lastActivity < quietTime || !isUp || !pendingResets.isEmpty { return true }
    return channels.values.contains { !$0.queue.isEmpty || $0.state == .closing }
      || oriel_sctp_has_work(socket) != 0
  }

  private func wake() {
    lastActivity = RTCActor.monotonicMicroseconds
    SCTPLibrary.shared.wake(token)
  }

  // MARK: Events

  func handleEvents() {
    guard !isHandling else { return }
    isHandling = true
    // The application may let go of the association in a callback.
    withExtendedLifetime(self) {
      while !events.isEmpty, !isClosed {
        let batch = events
        events = []
        for event in batch where !isClosed { handle(event) }
      }
      isHandling = false
      if isUp {
        retryResets()
        for channel in channels.values where !channel.queue.isEmpty { sendQueued(channel) }
      }
    }
  }

  private func handle(_ event: Event) {
    switch event {
    case .up(let streams):
      isUp = true
      outgoingStreams = min(Self.streams, streams)
    case .down: wentDown()
    case .incomingReset(let stream): peerClosed(stream)
    case .outgoingReset(let stream):
      channels[stream]?.hasResetOutgoing = true
      finishIfReset(stream)
    case .message(let stream, PayloadProtocol.control, let bytes): control(bytes, on: stream)
    case .message(let stream, let ppid, let bytes): deliver(bytes, ppid: ppid, to: stream)
    }
  }

  private func wentDown() {
    let handler = onClose
    let ended = Array(channels.values)
    channels = [:]
    isClosed = true
    release()
    for channel in ended { channel.finish() }
    handler?()
  }

  private func control(_ bytes: [UInt8], on stream: UInt16) {
    if DataChannelOpen.isAcknowledgement(bytes) {
      channels[stream]?.isAcknowledged = true
      return open(channels[stream])
    }
    // The peer's streams have the other parity (RFC 8832, section 6); a stream in use is not opened twice.
    guard let message = DataChannelOpen(bytes), channels[stream] == nil, stream < outgoingStreams,
      (stream % 2 == 0) != isClient
    else { return }
    let channel = DataChannel(label: message.label, isOrdered: message.isOrdered)
    channel.association = self
    channel.stream = stream
    channel.isAcknowledged = true
    channel.queue.append((DataChannelOpen.acknowledgement, PayloadProtocol.control))
    channels[stream] = channel
    sendQueued(channel)
    channel.state = .open
    onDataChannel?(channel)
    channel.onOpen?()
  }

  private func open(_ channel: DataChannel?) {
    guard let channel, channel.state == .connecting else { return }
    channel.state = .open
    channel.onOpen?()
  }

  private func deliver(_ bytes: [UInt8], ppid: UInt32, to stream: UInt16) {
    guard let channel = channels[stream] else { return }
    // Data may overtake the acknowledgement on an unordered channel.
    open(channel)
    switch ppid {
    case PayloadProtocol.text:
      guard let text = String(validating: bytes, as: UTF8.self) else { return }
      channel.onMessage?(.text(text))
    case PayloadProtocol.binary: channel.onMessage?(.binary(bytes))
    case PayloadProtocol.emptyText: channel.onMessage?(.text(""))
    case PayloadProtocol.emptyBinary: channel.onMessage?(.binary([]))
    default: break
    }
  }

  // MARK: Sending

  /// Gives a channel its number: the lowest that is free, of this side's parity.
  private func number(_ channel: DataChannel) {
    var stream: UInt16 = isClient ? 0 : 1
    while channels[stream] != nil { stream += 2 }
    guard stream < outgoingStreams else { return channel.finish() }
    channel.stream = stream
    channels[stream] = channel
    if channel.state == .closing { return beginClosing(channel) }
    sendQueued(channel)
  }

  func sendQueued(_ channel: DataChannel) {
    guard isUp, let socket, let stream = channel.stream else { return }
    wake()
    var sent = 0
    while sent < channel.queue.count {
      let (bytes, ppid) = channel.queue[sent]
      let isUnordered = !channel.isOrdered && channel.isAcknowledged && ppid != PayloadProtocol.control
      let result = oriel_sctp_send(socket, bytes, bytes.count, stream, ppid, isUnordered ? 1 : 0)
      if result == 1 { break }
      sent += 1
      if ppid != PayloadProtocol.control {
        let isEmpty = ppid == PayloadProtocol.emptyText || ppid == PayloadProtocol.emptyBinary
        channel.queuedBytes -= isEmpty ? 0 : bytes.count
      }
    }
    if sent > 0 { channel.queue.removeFirst(sent) }
    if channel.queue.isEmpty, channel.state == .closing { reset(channel) }
    handleEvents()
  }

  // MARK: Closing

  func beginClosing(_ channel: DataChannel) {
    if let stream = channel.stream, channels[stream] === channel {
      guard isUp else { return }
      if channel.queue.isEmpty { reset(channel) } else { sendQueued(channel) }
    } else if !waiting.contains(where: { $0 === channel }) {
      channel.finish()
    }
  }

  private func reset(_ channel: DataChannel) {
    guard let stream = channel.stream, !channel.hasResetOutgoing, !pendingResets.contains(stream) else {
      return
    }
    pendingResets.append(stream)
    retryResets()
  }

  /// One reset may be under way at a time.
  private func retryResets() {
    guard let socket, isUp else { return }
    while let stream = pendingResets.first {
      wake()
      let result = oriel_sctp_reset(socket, stream)
      if result == 1 { return }
      pendingResets.removeFirst()
      if result < 0 {
        channels[stream]?.hasResetOutgoing = true
        finishIfReset(stream)
      }
    }
  }

  /// The peer will send no more on this stream: ours is closed in return.
  private func peerClosed(_ stream: UInt16) {
    guard let channel = channels[stream] else { return }
    channel.hasSeenIncomingReset = true
    if channel.state != .closing { channel.state = .closing }
    if channel.hasResetOutgoing { finishIfReset(stream) } else { reset(channel) }
  }

  private func finishIfReset(_ stream: UInt16) {
    guard let channel = channels[stream], channel.hasResetOutgoing, channel.hasSeenIncomingReset else {
      return
    }
    channels[stream] = nil
    partial[stream] = nil
    channel.finish()
  }
}
