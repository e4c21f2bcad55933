import Foundation
import OrielModel

/// A server's connection while it speaks HTTP: reads heads, starts handlers, writes their answers in order.
///
/// `@unchecked Sendable`: only the loop's thread touches it; the handler's task prefers the loop, so that it is
/// there whenever it comes back.
final class HTTPConnection: SocketStreamOwner, Ticking, @unchecked Sendable {
  enum Phase {
    /// Waits for a head, or has part of it.
    case head
    /// A handler is at work or its answer is being written.
    case handling
    /// Nothing more is read; closes when the output is out.
    case flushing
    /// The output is shut; what the peer still sends is dropped, so that no reset overtakes our answer.
    case lingering
    case ended
  }

  let core: ServerCore
  let stream: SocketStream
  let remoteAddress: String
  private(set) var phase = Phase.head
  private var scanner = HeadScanner()
  private var deadline: Tick
  private var stall = WriteStallWatch()
  private var body: RequestBody?
  /// What had been read of the body when its deadline was set.
  private var bodyMark = 0
  private var task: Task<Void, Never>?
  private var isProcessing = false
  private var writer: CheckedContinuation<Void, Never>?
  var keepsAlive = true
  private(set) var isVersion10 = false

  init(core: ServerCore, stream: SocketStream, remoteAddress: String) {
    self.core = core
    self.stream = stream
    self.remoteAddress = remoteAddress
    deadline = core.ticker.now &+ core.limits.headerDeadline.ticks
    stream.owner = self
  }

  // MARK: Stream

  func streamDidConnect() {}

  func streamDidRead() {
    switch phase {
    case .head: process()
    case .handling:
      body?.serve()
      if body?.isAwaited != true, stream.inputCount >= RequestBody.piece { stream.isReading = false }
    case .flushing, .lingering, .ended: stream.skipInput(stream.inputCount)
    }
  }

  func streamDidDrain() {
    writer?.resume()
    writer = nil
    switch phase {
    case .head: process()
    case .flushing where stream.outputCount == 0: linger()
    default: break
    }
  }

  func streamDidEnd() {
    // A peer that has only closed its own side may still take the answers that are ready.
    if phase == .head || phase == .flushing, stream.outputCount > 0 {
      stream.isReading = false
      phase = .flushing
      deadline = .max
    } else {
      end()
    }
  }

  // MARK: Requests

  private func process() {
    guard !isProcessing else { return }
    isProcessing = true
    defer { isProcessing = false }
    while phase == .head {
      // Pipelined requests wait until their answers are taken.
      guard stream.outputCount <= SocketStream.highOutput else {
        stream.isReading = false
        return
      }
      let limit = core.limits.headerBytes
      do throws(HTTPRefusal) {
        guard let count = try scan(limit) else { return awaitMore() }
        let head = try readHead(count)
        stream.skipInput(count)
        try begin(head)
      } catch { refuse(error) }
    }
  }

  private func scan(_ limit: Int) throws(HTTPRefusal) -> Int? {
    let result = stream.withInput(upTo: limit) { bytes in
      Result { () throws(HTTPRefusal) in try scanner.end(in: bytes) }
    }
    if let count = try result.get() { return count }
    guard stream.inputCount < limit else { throw HTTPRefusal(431, "the head is longer than \(limit) bytes") }
    return nil
  }

  private func readHead(_ count: Int) throws(HTTPRefusal) -> RequestHead {
    let result = stream.withInput(upTo: count) { bytes in
      Result { () throws(HTTPRefusal) in
        try RequestHead(bytes, maximumFields: core.limits.headerFields)
      }
    }
    return try result.get()
  }

  private func awaitMore() {
    if core.isDraining, stream.inputCount == 0 { return finish() }
    stream.isReading = true
    // The deadline of a head is set with its first byte and not moved by the others.
    if stream.inputCount > 0, isIdle {
      isIdle = false
      deadline = core.ticker.now &+ core.limits.headerDeadline.ticks
    }
  }

  /// Between requests, with nothing read of the next.
  private var isIdle = false

  private func begin(_ head: RequestHead) throws(HTTPRefusal) {
    if case .fixed(let count) = head.bodyLength, count > core.limits.bodyBytes {
      throw HTTPRefusal(413, "the body is longer than \(core.limits.bodyBytes) bytes")
    }
    phase = .handling
    deadline = .max
    scanner = HeadScanner()
    keepsAlive = head.keepsAlive
    isVersion10 = head.isVersion10
    let source = RequestBody(
      loop: core.loop, stream: stream, length: head.bodyLength, cap: core.limits.bodyBytes,
      onWait: { [weak self] in self?.bodyIsAwaited(isFirst: $0 && head.expectsContinue) })
    body = source
    bodyMark = 0
    let request = HTTPRequest(
      method: head.method, path: head.target.path, rawTarget: head.target.raw, query: head.target.query,
      headers: head.headers, remoteAddress: remoteAddress, isTLS: stream.isTLS,
      body: head.bodyLength == .none ? HTTPBody() : HTTPBody { try await source.next() })
    start(request)
  }

  /// The handler waits for more of the body: the peer has its time for the next kilobyte.
  private func bodyIsAwaited(isFirst expectsContinue: Bool) {
    let count = body?.count ?? 0
    if deadline == .max || count - bodyMark >= WriteStallWatch.minimum {
      bodyMark = count
      deadline = core.ticker.now &+ core.limits.bodyStall.ticks
    }
    if expectsContinue, stream.inputCount == 0 { stream.write([UInt8]("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
  }

  private func start(_ request: HTTPRequest) {
    let handler = core.handler
    let started = Task.immediate(executorPreference: core.loop) { [self] in
      let response = await handler(request)
      await ResponseWriter(connection: self, request: request).write(response)
    }
    if phase == .handling { task = started }
  }

  // MARK: Answers

  var isOpen: Bool { phase == .handling }

  /// Whether the connection may stay after the answer that is about to begin.
  func settleKeepAlive() -> Bool {
    body?.discard()
    if body?.isDone == false || core.isDraining { keepsAlive = false }
    return keepsAlive
  }

  /// What the body turned out to be wrong with, when the handler has met it.
  var bodyRefusal: HTTPRefusal? { body?.refusal }

  /// Waits until the peer has taken most of what it was sent.
  func room() async {
    guard isOpen, stream.outputCount > SocketStream.lowOutput else { return }
    await withCheckedContinuation { writer = $0 }
  }

  /// The answer is written: on to the next request, or to the end.
  func answered() {
    guard phase == .handling else { return }
    if body?.isDone == false { keepsAlive = false }
    body?.end(OrielError(.platformUnreachable, "the request is over"))
    body = nil
    task = nil
    guard keepsAlive, !core.isDraining else { return finish() }
    phase = .head
    isIdle = true
    deadline = core.ticker.now &+ core.limits.idle.ticks
    process()
  }

  /// Leaves the stream to a WebSocket.
  func becomeWebSocket(maxMessage: Int) -> WebSocketConnection? {
    guard phase == .handling else { return nil }
    guard let socket = core.upgrade(self, maxMessage: maxMessage) else {
      end()
      return nil
    }
    phase = .ended
    body = nil
    task = nil
    return socket
  }

  /// Answers what cannot be served, and closes.
  private func refuse(_ refusal: HTTPRefusal) {
    let text = [UInt8]((refusal.reason + "\n").utf8)
    var head = ResponseHead(status: refusal.status, headers: HTTPHeaders(), date: core.dateText)
    head.add("Content-Type", "text/plain; charset=utf-8")
    head.add("Content-Length", "\(text.count)")
    head.add("Connection", "close")
    head.end()
    stream.write(head.bytes)
    stream.write(text)
    finish()
  }

  // MARK: Ending

  private func finish() {
    phase = .flushing
    deadline = .max
    stream.isReading = true
    if stream.outputCount == 0 { linger() }
  }

  private func linger() {
    phase = .lingering
    deadline = core.ticker.now &+ 4
    stream.shutDownOutput()
    stream.isReading = true
  }

  /// The server is going: idle connections close, the others after their answer.
  func drain() {
    if phase == .head, stream.inputCount == 0 { finish() }
  }

  func tick(_ now: Tick) {
    if stall.isStalled(stream, now: now, limit: core.limits.writeStall.ticks) { return end() }
    guard now >= deadline else { return }
    switch phase {
    case .head where stream.outputCount > 0: deadline = now &+ core.limits.idle.ticks
    case .head where !isIdle && stream.inputCount > 0:
      refuse(HTTPRefusal(408, "the head did not come in time"))
    case .handling where body?.isAwaited != true: deadline = .max
    default: end()
    }
  }

  /// Cuts the connection; a handler at work is cancelled.
  func end() {
    guard phase != .ended else { return }
    phase = .ended
    stream.close()
    task?.cancel()
    task = nil
    body?.end(OrielError(.platformUnreachable, "the peer is gone"))
    body = nil
    writer?.resume()
    writer = nil
    core.remove(self, remoteAddress: remoteAddress)
  }
}
