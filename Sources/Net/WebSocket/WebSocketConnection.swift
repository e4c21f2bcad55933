import COpenSSL
import CWslay
import OrielModel

/// A WebSocket on its loop: wslay frames it, the stream carries it. The one place that touches wslay.
///
/// `@unchecked Sendable`: only the loop's thread touches it; others reach it through `EventLoop.run`.
final class WebSocketConnection: SocketStreamOwner, Ticking, @unchecked Sendable {
  struct Settings {
    var maxMessage: Int
    var ping: Tick
    var dead: Tick
    var writeStall: Tick
  }

  /// What may lie unread before the peer is read no more.
  static let unreadMessages = 64
  static let unreadBytes = 262_144
  private static let goodbye: Tick = 10

  let loop: EventLoop
  let remoteAddress: String
  private let stream: SocketStream
  private let ticker: Ticker
  private let settings: Settings
  private let isServer: Bool
  private let onEnd: (WebSocketConnection) -> Void
  /// Freed with the object only, since `end` may be called by wslay.
  private var frames: wslay_event_context_ptr?
  private var isEnded = false
  /// nil when the socket is gone.
  private var context: wslay_event_context_ptr? { isEnded ? nil : frames }

  private var unread: [WebSocketMessage] = []
  private var unreadCount = 0
  private var reader: CheckedContinuation<WebSocketMessage?, any Error>?
  private var writers: [CheckedContinuation<Void, any Error>] = []
  private var closers: [CheckedContinuation<Void, Never>] = []

  private var heard: Tick
  private var isPinged = false
  private var stall = WriteStallWatch()
  private var cutAt: Tick?
  private var isLingering = false
  private(set) var closeCode: UInt16?
  private var isClosing = false

  /// Takes over a stream whose opening handshake is done. `onEnd` is called once, on the loop.
  init?(
    stream: SocketStream, loop: EventLoop, ticker: Ticker, remoteAddress: String, settings: Settings,
    isServer: Bool, onEnd: @escaping (WebSocketConnection) -> Void
  ) {
    self.loop = loop
    self.stream = stream
    self.ticker = ticker
    self.remoteAddress = remoteAddress
    self.settings = settings
    self.isServer = isServer
    self.onEnd = onEnd
    heard = ticker.now
    var callbacks = wslay_event_callbacks()
    callbacks.recv_callback = Self.onReceive
    callbacks.send_callback = Self.onSend
    callbacks.genmask_callback = Self.onMask
    callbacks.on_msg_recv_callback = Self.onMessage
    let user = Unmanaged.passUnretained(self).toOpaque()
    let failed =
      isServer
      ? wslay_event_context_server_init(&frames, &callbacks, user)
      : wslay_event_context_client_init(&frames, &callbacks, user)
    guard failed == 0, let frames else { return nil }
    wslay_event_config_set_max_recv_msg_length(frames, UInt64(settings.maxMessage))
    stream.owner = self
    ticker.add(self)
  }

  deinit { if let frames { wslay_event_context_free(frames) } }

  private static func from(_ user: UnsafeMutableRawPointer?) -> WebSocketConnection? {
    user.map { Unmanaged<WebSocketConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: wslay

  private static let onReceive: wslay_event_recv_callback = { context, bytes, count, _, user in
    guard let connection = from(user), let bytes, !connection.isFull else {
      wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK.rawValue)
      return -1
    }
    let taken = connection.stream.takeInput(into: bytes, upTo: count)
    if taken == 0 { wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK.rawValue) }
    return taken > 0 ? taken : -1
  }

  private static let onSend: wslay_event_send_callback = { _, bytes, count, _, user in
    from(user)?.stream.write(UnsafeRawBufferPointer(start: bytes, count: count))
    return count
  }

  private static let onMask: wslay_event_genmask_callback = { _, bytes, count, _ in
    RAND_bytes(bytes, Int32(count)) == 1 ? 0 : -1
  }

  private static let onMessage: wslay_event_on_msg_recv_callback = { _, argument, user in
    guard let connection = from(user), let argument = argument?.pointee else { return }
    let bytes = UnsafeBufferPointer(start: argument.msg, count: argument.msg_length)
    switch UInt32(argument.opcode) {
    case WSLAY_TEXT_FRAME.rawValue:
      connection.take(.text(String(decoding: bytes, as: UTF8.self)), bytes.count)
    case WSLAY_BINARY_FRAME.rawValue: connection.take(.binary([UInt8](bytes)), bytes.count)
    case WSLAY_CONNECTION_CLOSE.rawValue:
      connection.closeCode = argument.status_code == 0 ? 1005 : argument.status_code
    default: break
    }
  }

  // MARK: Receiving

  private var isFull: Bool {
    unread.count >= Self.unreadMessages || unreadCount >= Self.unreadBytes
      || stream.outputCount > SocketStream.highOutput
  }

  private func take(_ message: WebSocketMessage, _ count: Int) {
    if let reader {
      self.reader = nil
      reader.resume(returning: message)
    } else {
      unread.append(message)
      unreadCount += count
    }
  }

  /// The next message, at once when there is one. The continuation is kept else.
  func read(_ continuation: CheckedContinuation<WebSocketMessage?, any Error>) {
    if let message = takeUnread() {
      continuation.resume(returning: message)
    } else if context == nil || isLingering {
      continuation.resume(with: ending)
    } else if reader != nil {
      continuation.resume(throwing: OrielError(.argumentError, "a WebSocket has one reader"))
    } else {
      reader = continuation
    }
  }

  func takeUnread() -> WebSocketMessage? {
    guard !unread.isEmpty else { return nil }
    let wasFull = isFull
    let message = unread.removeFirst()
    switch message {
    case .text(let text): unreadCount -= text.utf8.count
    case .binary(let bytes): unreadCount -= bytes.count
    }
    if unread.isEmpty { unread = [] }
    if wasFull { loop.perform { [self] in advance() } }
    return message
  }

  func cancelRead() {
    reader?.resume(throwing: OrielError(.cancelled))
    reader = nil
  }

  /// What the reader hears at the end.
  private var ending: Result<WebSocketMessage?, any Error> {
    if isServer || (closeCode ?? 1006) != 1006 || isClosing { return .success(nil) }
    return .failure(OrielError(.platformUnreachable, "the connection was lost"))
  }

  // MARK: Stream

  func streamDidConnect() {}

  func streamDidRead() {
    heard = ticker.now
    isPinged = false
    if isLingering { stream.skipInput(stream.inputCount) } else { advance() }
  }

  func streamDidDrain() {
    for writer in takeWriters() { writer.resume() }
    advance()
  }

  func streamDidEnd() { end() }

  /// Reads what there is and sends what wslay has to say about it.
  func advance() {
    guard let context, !isLingering else { return }
    // A malformed frame: wslay has a close frame ready.
    if wslay_event_recv(context) != 0 { wslay_event_shutdown_read(context) }
    if flush(context) != 0 { return end() }
    stream.isReading = !isFull
    finishIfClosed(context)
  }

  private func flush(_ context: wslay_event_context_ptr) -> Int32 {
    wslay_event_want_write(context) != 0 ? wslay_event_send(context) : 0
  }

  private func finishIfClosed(_ context: wslay_event_context_ptr) {
    guard wslay_event_want_read(context) == 0, wslay_event_want_write(context) == 0, stream.outputCount == 0
    else { return }
    if wslay_event_get_close_received(context) != 0 { return end() }
    // We close for an error of the peer's, who may still be sending: a reset would lose our close frame.
    isLingering = true
    cutAt = ticker.now &+ 4
    stream.shutDownOutput()
    stream.isReading = true
    resumeReader()
  }

  // MARK: Sending

  /// Sends a message: whether the output has room for more.
  func send(_ opcode: wslay_opcode, _ bytes: [UInt8]) throws -> Bool {
    guard let context, !isClosing, !isLingering, wslay_event_get_write_enabled(context) != 0,
      queue(opcode, bytes, in: context)
    else { throw OrielError(.platformUnreachable, "the WebSocket is closed") }
    guard flush(context) == 0 else {
      end()
      throw OrielError(.platformUnreachable, "the WebSocket is closed")
    }
    return stream.outputCount <= SocketStream.highOutput
  }

  private func queue(_ opcode: wslay_opcode, _ bytes: [UInt8], in context: wslay_event_context_ptr) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      var message = wslay_event_msg(
        opcode: UInt8(opcode.rawValue), msg: buffer.baseAddress, msg_length: buffer.count)
      return wslay_event_queue_msg(context, &message) == 0
    }
  }

  /// Waits until the output has come down.
  func awaitRoom(_ continuation: CheckedContinuation<Void, any Error>) {
    if context == nil {
      continuation.resume(throwing: OrielError(.platformUnreachable, "the WebSocket is closed"))
    } else if stream.outputCount <= SocketStream.lowOutput {
      continuation.resume()
    } else {
      writers.append(continuation)
    }
  }

  private func takeWriters() -> [CheckedContinuation<Void, any Error>] { exchange(&writers, with: []) }

  // MARK: Ending

  /// Sends a close frame and gives the peer some seconds to answer it.
  func close(code: UInt16, reason: [UInt8]) {
    guard let context, !isClosing, !isLingering else { return }
    isClosing = true
    cutAt = ticker.now &+ Self.goodbye
    wslay_event_queue_close(context, code, reason, reason.count)
    if flush(context) != 0 { return end() }
    finishIfClosed(context)
  }

  func awaitEnd(_ continuation: CheckedContinuation<Void, Never>) {
    if context == nil { continuation.resume() } else { closers.append(continuation) }
  }

  func tick(_ now: Tick) {
    if let cutAt, now >= cutAt { return end() }
    if stall.isStalled(stream, now: now, limit: settings.writeStall) { return end() }
    guard let context, !isClosing, !isLingering else { return }
    if !stream.isReading { heard = now }
    let silence = now &- heard
    if silence >= settings.ping &+ settings.dead { return end() }
    if silence >= settings.ping, !isPinged {
      isPinged = true
      _ = queue(WSLAY_PING, [], in: context)
      if flush(context) != 0 { end() }
    }
  }

  private func resumeReader() {
    reader?.resume(with: ending)
    reader = nil
  }

  /// Frees socket and frames; whoever waits hears of it.
  func end() {
    guard let context else { return }
    if closeCode == nil { closeCode = 1006 }
    stream.close()
    wslay_event_shutdown_read(context)
    wslay_event_shutdown_write(context)
    isEnded = true
    resumeReader()
    for writer in takeWriters() {
      writer.resume(throwing: OrielError(.platformUnreachable, "the WebSocket is closed"))
    }
    for closer in exchange(&closers, with: []) { closer.resume() }
    ticker.remove(self)
    onEnd(self)
  }
}
