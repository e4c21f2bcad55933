import Foundation
import OrielCrypto
import OrielModel
import OrielNet

/// Drives `PlatformLinkState`: one WebSocket to the platform, opened again for as long as the agent lives.
actor PlatformLink {
  /// What the link asks of the agent and tells it. Called in order, one at a time.
  struct Handlers: Sendable {
    var report: @Sendable () async -> DeviceReport?
    var welcomed: @Sendable (Welcome) async -> Void
    var received: @Sendable (LinkMessage) async -> Void
    var wentOffline: @Sendable (OrielError, Duration) async -> Void
  }

  /// Messages that wait for a slow platform; more are dropped.
  static let outboxLimit = 512
  /// How long goodbyes may take at the end.
  static let farewell = Duration.seconds(1)

  private let identity: DeviceIdentity
  private let client: HTTPClient
  private let handlers: Handlers
  private let timing: Timing
  private let bootId: String
  private let log: Log
  private let posts: AsyncStream<LinkMessage>
  private nonisolated let posted: AsyncStream<LinkMessage>.Continuation
  private var pump: Task<Void, Never>?
  private var state = PlatformLinkState()
  private var timer: Task<Void, Never>?
  private var socket: WebSocket?
  private var outbox: AsyncStream<String>.Continuation?
  private var reader: Task<Void, Never>?
  private var writer: Task<Void, Never>?
  private var closing: [Int: Task<Void, Never>] = [:]
  private var closingNumber = 0

  init(
    address: ServerAddress, loop: EventLoop, identity: DeviceIdentity, handlers: Handlers, timing: Timing,
    log: Log
  ) throws {
    self.identity = identity
    self.handlers = handlers
    self.timing = timing
    self.log = log
    (posts, posted) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.outboxLimit))
    client = HTTPClient(address: address, loop: loop)
    bootId = Base64URL.text(try RandomBytes.make(count: 16))
  }

  deinit {
    posted.finish()
    for task in [timer, reader, writer] { task?.cancel() }
  }

  var isOnline: Bool { state.phase == .online }

  func start() async {
    let posts = posts
    pump = Task { [weak self] in
      for await message in posts { await self?.forward(message) }
    }
    await handle(.start)
  }

  /// Ends the link for good and returns when its tasks are over. What was queued is sent, if that goes fast.
  func stop() async {
    await flush()
    await handle(.stop)
    for task in closing.values { await task.value }
    await client.close()
  }

  /// Queues a message. It is dropped when there is no link, or the link is too slow.
  nonisolated func send(_ message: LinkMessage) { posted.yield(message) }

  private func forward(_ message: LinkMessage) {
    guard state.phase == .online, let outbox, let text = try? message.text(),
      text.utf8.count <= LinkMessage.sizeLimit
    else { return }
    if case .dropped = outbox.yield(text) { log.warning("the link is too slow; a message is dropped") }
  }

  private func handle(_ event: PlatformLinkState.Event) async {
    for action in state.handle(event, at: timing.now(), random: .random(in: 0..<1)) { await perform(action) }
  }

  private func perform(_ action: PlatformLinkState.Action) async {
    switch action {
    case .open(let attempt): open(attempt)
    case .sendHello(let nonce): await sendHello(nonce)
    case .startTimer(let number, let delay): startTimer(number, delay)
    case .stopTimer: timer?.cancel()
    case .close: closeSocket()
    case .welcome(let welcome):
      log.debug("the platform has registered \(identity.serial)")
      await handlers.welcomed(welcome)
    case .deliver(let message): await handlers.received(message)
    case .offline(let error, let delay):
      closeSocket()
      log.debug("no link: \(error)")
      await handlers.wentOffline(error, delay)
    }
  }

  private func startTimer(_ number: Int, _ delay: Duration) {
    timer?.cancel()
    timer = Task { [timing, weak self] in
      guard (try? await timing.sleep(delay)) != nil else { return }
      await self?.handle(.timer(number))
    }
  }

  // MARK: Connection

  private func open(_ attempt: Int) {
    closeSocket()
    reader = Task { [client, weak self] in
      let failure: OrielError
      do {
        let socket = try await client.openWebSocket(
          path: "/v1/device", maxMessage: LinkMessage.sizeLimit, timeout: PlatformLinkState.stepLimit)
        guard let self, await self.take(socket, attempt: attempt) else {
          await socket.close(code: 1001)
          return
        }
        for try await message in socket.messages { await self.read(message, attempt: attempt) }
        failure = OrielError(.platformUnreachable, "the link was closed")
      } catch let error as OrielError {
        failure = error
      } catch {
        failure = OrielError(.platformUnreachable)
      }
      await self?.handle(.closed(failure, attempt: attempt))
    }
  }

  private func take(_ socket: WebSocket, attempt: Int) async -> Bool {
    guard attempt == state.attempt, state.phase == .opening else { return false }
    let (texts, outbox) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingOldest(Self.outboxLimit))
    self.socket = socket
    self.outbox = outbox
    writer = Task {
      for await text in texts {
        guard (try? await socket.send(text)) != nil else { break }
      }
    }
    await handle(.opened(attempt: attempt))
    return true
  }

  private func read(_ message: WebSocketMessage, attempt: Int) async {
    guard case .text(let text) = message, let message = try? LinkMessage(text: text) else {
      log.warning("an unreadable message from the platform")
      await handle(.garbled(attempt: attempt))
      return
    }
    await handle(.received(message, attempt: attempt))
  }

  private func sendHello(_ nonce: String) async {
    let attempt = state.attempt
    guard let report = await handlers.report(), attempt == state.attempt, let outbox else { return }
    var hello = Hello(
      serial: identity.serial, signingKey: Data(identity.signingKey.publicKey).base64EncodedString(),
      agreementKey: Data(identity.agreementKey.publicKey).base64EncodedString(), bootId: bootId,
      signature: "", report: report)
    guard let signature = try? identity.signingKey.sign(hello.signedBytes(nonce: nonce)) else { return }
    hello.signature = Data(signature).base64EncodedString()
    guard let text = try? LinkMessage.hello(hello).text() else { return }
    outbox.yield(text)
  }

  /// Lets the writer send what is queued, `farewell` long at most.
  private func flush() async {
    posted.finish()
    await pump?.value
    outbox?.finish()
    outbox = nil
    guard let writer else { return }
    let limit = Task { [timing] in
      try? await timing.sleep(Self.farewell)
      writer.cancel()
    }
    await writer.value
    limit.cancel()
  }

  private func closeSocket() {
    outbox?.finish()
    outbox = nil
    let (reader, writer, socket) = (reader, writer, socket)
    (self.reader, self.writer, self.socket) = (nil, nil, nil)
    guard reader != nil || socket != nil else { return }
    closingNumber += 1
    closing[closingNumber] = Task { [closingNumber, weak self] in
      reader?.cancel()
      writer?.cancel()
      await socket?.close(code: 1001)
      await writer?.value
      await reader?.value
      await self?.closed(closingNumber)
    }
  }

  private func closed(_ number: Int) { closing[number] = nil }
}
