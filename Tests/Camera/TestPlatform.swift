import Foundation
import OrielCrypto
import OrielModel
import OrielNet
import Testing

/// The platform's end of a device link, in the test's hand: over the real server and a real WebSocket.
actor TestPlatform {
  private let loop: EventLoop
  private var server: HTTPServer?
  private(set) var port: UInt16 = 0
  private var socket: WebSocket?
  private(set) var hellos: [Hello] = []
  private(set) var reports: [DeviceReport] = []
  private(set) var covers: [Cover] = []
  private(set) var results: [CommandResult] = []
  private(set) var links = 0
  private var changes: [UUID: AsyncStream<Void>.Continuation] = [:]
  private var routes: [String: AsyncStream<SignalMessage>.Continuation] = [:]
  /// What a device that says hello is answered, when it is not welcome.
  var refusal: ErrorCode?

  static let nonce = Data(repeating: 7, count: 32).base64EncodedString()

  init() throws { loop = try EventLoop.start(name: "test-platform") }

  /// Starts, or starts again on the same port.
  func start() async throws {
    let server = HTTPServer(
      configuration: HTTPServerConfiguration(listeners: [HTTPListener(host: "127.0.0.1", port: port)]),
      loop: loop
    ) { [weak self] request in
      guard request.path == "/v1/device", let platform = self else { return HTTPResponse(status: 404) }
      return HTTPResponse.webSocket(maxMessage: LinkMessage.sizeLimit) { await platform.serve($0) }
    }
    port = try await server.start()[0].port
    self.server = server
  }

  /// Cuts every link and stops listening.
  func stop() async {
    await server?.drain(within: .milliseconds(50))
    server = nil
  }

  func end() async {
    await stop()
    await loop.stop()
  }

  var address: ServerAddress { get throws { try ServerAddress("http://127.0.0.1:\(port)") } }

  func refuse(_ code: ErrorCode?) { refusal = code }

  private func serve(_ socket: WebSocket) async {
    do {
      try await socket.send(LinkMessage.challenge(Challenge(nonce: Self.nonce)).text())
      for try await message in socket.messages {
        guard case .text(let text) = message else { continue }
        try await take(try LinkMessage(text: text), socket)
        changed()
      }
    } catch {}
    if self.socket === socket { self.socket = nil }
    changed()
  }

  private func take(_ message: LinkMessage, _ socket: WebSocket) async throws {
    switch message {
    case .hello(let hello):
      hellos.append(hello)
      if let refusal {
        try await socket.send(LinkMessage.refused(Refusal(errorCode: refusal.rawValue)).text())
        await socket.close()
        return
      }
      self.socket = socket
      links += 1
      reports.append(hello.report)
      try await socket.send(
        LinkMessage.welcome(Welcome(time: 0, clientId: "device", iceServers: [])).text())
    case .report(let report): reports.append(report)
    case .cover(let cover): covers.append(cover)
    case .commandResult(let result): results.append(result)
    case .signal(let signal): routes[signal.recipientClientId]?.yield(signal)
    default: Issue.record("a device does not say \(message)")
    }
  }

  private func changed() {
    for change in changes.values { change.yield() }
  }

  /// Waits until the condition holds, or fails.
  func wait(
    _ what: Comment, within limit: Duration = .seconds(20),
    location: Testing.SourceLocation = #_sourceLocation,
    until condition: @Sendable (isolated TestPlatform) -> Bool
  ) async {
    let id = UUID()
    let (stream, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    changes[id] = change
    let timer = Task {
      try? await Task.sleep(for: limit)
      change.finish()
    }
    change.yield()
    var holds = false
    for await _ in stream where condition(self) {
      holds = true
      break
    }
    timer.cancel()
    changes[id] = nil
    #expect(holds, what, sourceLocation: location)
  }

  func send(_ message: LinkMessage) async {
    guard let socket, let text = try? message.text() else { return }
    try? await socket.send(text)
  }

  /// Raw text, for what no honest platform says.
  func sendText(_ text: String) async { try? await socket?.send(text) }

  func dropLink() async { await socket?.close(code: 1012) }

  /// Asks the device and waits for its answer.
  func command(_ request: Command.Request) async throws -> CommandResult {
    let id = UUID().uuidString
    await send(.command(Command(id: id, request: request)))
    await wait("the device answers") { $0.results.contains { $0.id == id } }
    return try #require(results.first { $0.id == id })
  }

  /// Signals of the device to this viewer.
  func route(_ viewer: String) -> AsyncStream<SignalMessage> {
    let (stream, route) = AsyncStream.makeStream(of: SignalMessage.self)
    routes[viewer] = route
    return stream
  }

  /// A signal as the platform passes it on: with the sender it knows.
  func signal(_ message: SignalMessage, from viewer: String) async {
    var message = message
    message.senderClientId = viewer
    await send(.signal(message))
  }
}
