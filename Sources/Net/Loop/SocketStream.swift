import CEvent
import CNetShims
import COpenSSL
import Foundation

/// Who hears of a stream's events, on the loop.
protocol SocketStreamOwner: AnyObject {
  /// The connection stands, TLS included.
  func streamDidConnect()
  /// There is something in the input.
  func streamDidRead()
  /// The output has come down to `SocketStream.lowOutput` or less.
  func streamDidDrain()
  /// The peer has ended or broken the connection.
  func streamDidEnd()
}

/// A connected socket with its buffers, plain or TLS: the one place that touches a bufferevent.
///
/// Only the loop's thread uses it. Reading is stopped by `isReading`, not by a high-water mark, with which
/// libevent would call back for ever.
final class SocketStream {
  static let lowOutput = 32_768
  static let highOutput = 131_072

  weak var owner: (any SocketStreamOwner)?
  let isTLS: Bool
  /// Keeps the event base alive for as long as the bufferevent.
  private let loop: EventLoop
  private var event: OpaquePointer?
  /// Bytes that were ever put into the output.
  private var written = 0
  private var takenAtMark = 0

  /// A socket that was accepted; `tls` is a new SSL, which the stream takes over.
  init?(loop: EventLoop, accepted descriptor: Int32, tls: OpaquePointer?) {
    self.loop = loop
    isTLS = tls != nil
    if let tls {
      event = bufferevent_openssl_socket_new(
        loop.base, descriptor, tls, BUFFEREVENT_SSL_ACCEPTING, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue))
    } else {
      event = bufferevent_socket_new(loop.base, descriptor, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue))
    }
    guard event != nil else { return nil }
    start()
  }

  /// A socket that connects; success and failure are events.
  init?(loop: EventLoop, connectingTo address: ResolvedAddress, tls: OpaquePointer?) {
    self.loop = loop
    isTLS = tls != nil
    if let tls {
      event = bufferevent_openssl_socket_new(
        loop.base, -1, tls, BUFFEREVENT_SSL_CONNECTING, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue))
    } else {
      event = bufferevent_socket_new(loop.base, -1, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue))
    }
    guard let event else { return nil }
    start()
    let isUnderWay = address.withPointer { bufferevent_socket_connect(event, $0, $1) } == 0
    guard isUnderWay else {
      close()
      return nil
    }
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
  }

  deinit { close() }

  private func start() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    bufferevent_setcb(event, Self.onRead, Self.onWrite, Self.onEvent, context)
    bufferevent_setwatermark(event, Int16(EV_WRITE), Self.lowOutput, 0)
    if isTLS { bufferevent_openssl_set_allow_dirty_shutdown(event, 1) }
    bufferevent_enable(event, Int16(EV_READ | EV_WRITE))
  }

  private static let onRead: bufferevent_data_cb = { _, context in
    guard let context else { return }
    Unmanaged<SocketStream>.fromOpaque(context).takeUnretainedValue().owner?.streamDidRead()
  }

  private static let onWrite: bufferevent_data_cb = { _, context in
    guard let context else { return }
    Unmanaged<SocketStream>.fromOpaque(context).takeUnretainedValue().owner?.streamDidDrain()
  }

  private static let onEvent: bufferevent_event_cb = { _, what, context in
    guard let context else { return }
    let stream = Unmanaged<SocketStream>.fromOpaque(context).takeUnretainedValue()
    if Int32(what) & BEV_EVENT_CONNECTED != 0 { return stream.owner?.streamDidConnect() ?? () }
    if Int32(what) & (BEV_EVENT_EOF | BEV_EVENT_ERROR | BEV_EVENT_TIMEOUT) != 0 {
      stream.owner?.streamDidEnd()
    }
  }

  // MARK: State

  var descriptor: Int32 { event.map { bufferevent_getfd($0) } ?? -1 }
  var isClosed: Bool { event == nil }

  /// The TLS connection, to look at the peer's certificate.
  var tls: OpaquePointer? { event.flatMap { isTLS ? bufferevent_openssl_get_ssl($0) : nil } }

  var isReading = true {
    didSet {
      guard let event, isReading != oldValue else { return }
      if isReading {
        bufferevent_enable(event, Int16(EV_READ))
      } else {
        bufferevent_disable(event, Int16(EV_READ))
      }
    }
  }

  // MARK: Input

  private var input: OpaquePointer? { event.flatMap { bufferevent_get_input($0) } }

  var inputCount: Int { input.map { evbuffer_get_length($0) } ?? 0 }

  /// The first `count` bytes of the input in one piece, or what there is of them.
  func withInput<Result>(upTo count: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    let available = min(count, inputCount)
    guard available > 0, let bytes = evbuffer_pullup(input, available) else {
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return try body(UnsafeRawBufferPointer(start: bytes, count: available))
  }

  /// Drops bytes from the front of the input.
  func skipInput(_ count: Int) { if let input { evbuffer_drain(input, count) } }

  /// Moves bytes from the front of the input.
  func takeInput(into target: UnsafeMutableRawPointer, upTo count: Int) -> Int {
    input.map { max(0, Int(evbuffer_remove($0, target, count))) } ?? 0
  }

  /// Moves bytes from the front of the input.
  func takeInput(upTo count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: min(count, inputCount)) { target, used in
      used = target.baseAddress.map { takeInput(into: $0, upTo: target.count) } ?? 0
    }
  }

  // MARK: Output

  private var output: OpaquePointer? { event.flatMap { bufferevent_get_output($0) } }

  /// Bytes that the kernel has not yet taken.
  var outputCount: Int { output.map { evbuffer_get_length($0) } ?? 0 }

  func write(_ bytes: UnsafeRawBufferPointer) {
    guard let event, !bytes.isEmpty else { return }
    written += bytes.count
    guard isTLS else {
      bufferevent_write(event, bytes.baseAddress, bytes.count)
      return
    }
    // libevent gives OpenSSL a whole piece at a time and counts it as sent only then: pieces of one record.
    for start in stride(from: 0, to: bytes.count, by: 16_384) {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 16_384, bytes.count)])
      bufferevent_write(event, piece.baseAddress, piece.count)
    }
  }

  func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }

  /// Hands a part of a file over to the kernel (sendfile); only without TLS. The stream takes the descriptor.
  func writeFile(_ descriptor: Int32, offset: Int, count: Int) -> Bool {
    guard let output, evbuffer_add_file(output, descriptor, Int64(offset), Int64(count)) == 0 else {
      return false
    }
    written += count
    return true
  }

  /// Bytes that the peer's kernel has taken since the last call; nil when it owes nothing.
  func takenSinceMark() -> Int? {
    let waiting = outputCount
    let taken = written - waiting - Int(oriel_unacknowledged(descriptor))
    defer { takenAtMark = taken }
    return waiting == 0 ? nil : taken - takenAtMark
  }

  /// Says goodbye and sends nothing more; the peer's bytes still come.
  func shutDownOutput() {
    sayGoodbye()
    shutdown(descriptor, Int32(SHUT_WR))
  }

  private func sayGoodbye() {
    guard let tls, SSL_is_init_finished(tls) == 1 else { return }
    SSL_shutdown(tls)
    ERR_clear_error()
  }

  /// Frees the socket. The owner hears nothing more.
  func close() {
    guard let event else { return }
    sayGoodbye()
    self.event = nil
    bufferevent_free(event)
  }
}
