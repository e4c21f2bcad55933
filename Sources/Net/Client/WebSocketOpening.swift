import Foundation
import OrielModel

/// Connects, shows and checks keys, and asks for a WebSocket (RFC 6455 section 4.1).
///
/// `@unchecked Sendable`: only the loop's thread touches it.
final class WebSocketOpening: SocketStreamOwner, Ticking, @unchecked Sendable {
  /// Bytes that the answer's head may have.
  static let headLimit = 16_384

  private let core: ClientCore
  private var addresses: ArraySlice<ResolvedAddress>
  private let request: [UInt8]
  private let key = WebSocketHandshake.makeKey()
  private let maxMessage: Int
  private let timeout: Duration
  private var deadline: Tick = 0
  private var stream: SocketStream?
  private var scanner = HeadScanner()
  private var isConnected = false
  private var continuation: CheckedContinuation<WebSocketConnection, any Error>?

  init(
    core: ClientCore, addresses: [ResolvedAddress], path: String, headers: HTTPHeaders, maxMessage: Int,
    timeout: Duration, _ continuation: CheckedContinuation<WebSocketConnection, any Error>
  ) {
    self.core = core
    self.addresses = addresses[...]
    self.maxMessage = maxMessage
    self.timeout = timeout
    self.continuation = continuation
    var lines =
      "GET \(path) HTTP/1.1\r\nHost: \(SocketAddress(host: core.address.host, port: core.address.port))\r\n"
    lines += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    lines += "Sec-WebSocket-Key: \(key)\r\n"
    for field in headers.fields
    where field.name.utf8.allSatisfy(FieldParser.isToken) && field.value.utf8.allSatisfy(FieldParser.isValue)
    {
      lines += "\(field.name): \(field.value)\r\n"
    }
    request = [UInt8]((lines + "\r\n").utf8)
  }

  func start() {
    deadline = core.ticker.now &+ timeout.ticks
    core.ticker.add(self)
    connect()
  }

  /// Tries the next address.
  private func connect() {
    stream?.close()
    stream = nil
    isConnected = false
    while let address = addresses.popFirst() {
      do {
        guard let made = SocketStream(loop: core.loop, connectingTo: address, tls: try core.makeTLS()) else {
          continue
        }
        stream = made
        made.owner = self
        return
      } catch { return fail(error as? OrielError ?? OrielError(.platformUnreachable)) }
    }
    fail(OrielError(.platformUnreachable))
  }

  func streamDidConnect() {
    guard let stream else { return }
    isConnected = true
    if let pin = core.address.pin {
      guard let tls = stream.tls, TLSContext.peerFingerprint(of: tls) == pin else {
        return fail(OrielError(.platformUntrusted))
      }
    }
    stream.write(request)
  }

  func streamDidRead() {
    guard let stream else { return }
    do throws(HTTPRefusal) {
      let scanned = stream.withInput(upTo: Self.headLimit) { bytes in
        Result { () throws(HTTPRefusal) in try scanner.end(in: bytes) }
      }
      guard let count = try scanned.get() else {
        guard stream.inputCount < Self.headLimit else { throw .malformed("its head is too long") }
        return
      }
      let checked = stream.withInput(upTo: count) { bytes in
        Result { () throws(HTTPRefusal) in try check(bytes) }
      }
      try checked.get()
      stream.skipInput(count)
      succeed(stream)
    } catch { fail(OrielError(.platformAnswer, error.reason)) }
  }

  private func check(_ bytes: UnsafeRawBufferPointer) throws(HTTPRefusal) {
    let line = bytes.prefix { $0 != 0x0d }
    let status = line.dropFirst(9).prefix(3)
    guard line.starts(with: "HTTP/1.1 ".utf8), status.count == 3 else { throw .malformed("no HTTP") }
    guard status.elementsEqual("101".utf8) else {
      throw .malformed("status \(String(decoding: status, as: UTF8.self)) instead of a WebSocket")
    }
    let headers = try FieldParser.parse(bytes, from: line.count + 2, maximum: 100)
    guard headers.contains("websocket", in: "Upgrade"), headers.contains("upgrade", in: "Connection"),
      headers["Sec-WebSocket-Accept"] == WebSocketHandshake.accept(for: key),
      headers["Sec-WebSocket-Extensions"] == nil, headers["Sec-WebSocket-Protocol"] == nil
    else { throw .malformed("no WebSocket") }
  }

  private func succeed(_ stream: SocketStream) {
    let settings = WebSocketConnection.Settings(
      maxMessage: maxMessage, ping: Duration.seconds(20).ticks, dead: Duration.seconds(10).ticks,
      writeStall: Duration.seconds(20).ticks)
    let ticker = core.ticker
    let socket = WebSocketConnection(
      stream: stream, loop: core.loop, ticker: ticker, remoteAddress: core.address.host, settings: settings,
      isServer: false, onEnd: { _ in })
    guard let socket, let continuation else { return fail(OrielError(.platformUnreachable)) }
    self.continuation = nil
    self.stream = nil
    core.ticker.remove(self)
    continuation.resume(returning: socket)
    // What came with the answer.
    socket.advance()
  }

  func streamDidDrain() {}

  func streamDidEnd() {
    if !isConnected, !addresses.isEmpty { return connect() }
    if isConnected { return fail(OrielError(.platformAnswer, "the connection ended before the answer")) }
    let isUntrusted = stream?.tls.map { TLSContext.isUntrusted($0) } ?? false
    fail(OrielError(isUntrusted ? .platformUntrusted : .platformUnreachable))
  }

  func tick(_ now: Tick) {
    if now >= deadline { fail(OrielError(.platformUnreachable, "no answer within \(timeout)")) }
  }

  func fail(_ error: OrielError) {
    guard let continuation else { return }
    self.continuation = nil
    stream?.close()
    stream = nil
    core.ticker.remove(self)
    continuation.resume(throwing: error)
  }
}
