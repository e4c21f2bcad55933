import Foundation
import OrielCrypto
import OrielModel
import OrielNet
import Synchronization
import Testing

/// One end of a link, which reads and writes link messages.
struct TestPeer: Sendable {
  let socket: WebSocket

  func send(_ message: LinkMessage) async throws { try await socket.send(try message.text()) }

  /// The next message; nil when the link has ended.
  func next() async throws -> LinkMessage? {
    guard let message = try await socket.receive() else { return nil }
    guard case .text(let text) = message else { throw OrielError(.messageMalformed) }
    return try LinkMessage(text: text)
  }

  /// The next message that is of interest; others are passed over.
  func first<Value>(_ pick: (LinkMessage) -> Value?) async throws -> Value {
    while let message = try await next() {
      if let value = pick(message) { return value }
    }
    throw OrielError(.connectionLost, "the link ended")
  }

  func welcome() async throws -> Welcome {
    try await first { if case .welcome(let welcome) = $0 { welcome } else { nil } }
  }

  func refusal() async throws -> Int {
    try await first { if case .refused(let refusal) = $0 { refusal.errorCode } else { nil } }
  }

  func signal(_ action: SignalAction? = nil) async throws -> SignalMessage {
    try await first {
      if case .signal(let signal) = $0, action == nil || signal.action == action { signal } else { nil }
    }
  }

  func event() async throws -> DeviceEvent {
    try await first { if case .event(let event) = $0 { event } else { nil } }
  }

  /// Reads until the link ends.
  func end() async {
    while (try? await next()) ?? nil != nil {}
  }
}

/// A device's keys.
struct TestIdentity: Sendable {
  let serial: DeviceSerial
  let signing: SigningKey
  let agreement: AgreementKey

  init(serial: String) throws {
    self.serial = try DeviceSerial(serial)
    signing = try SigningKey()
    agreement = try AgreementKey()
  }

  func hello(nonce: String, bootId: String = "boot-1", cameras: Int = 1, name: String = "Door") throws
    -> Hello
  {
    var hello = Hello(
      serial: serial, signingKey: Data(signing.publicKey).base64EncodedString(),
      agreementKey: Data(agreement.publicKey).base64EncodedString(), bootId: bootId, signature: "",
      report: DeviceReport(
        name: name, model: "oriel-agent", version: "0.1.0", talk: .none,
        cameras: (0..<cameras).map { CameraRecord(cameraNo: $0 + 1, name: "Camera \($0 + 1)") }))
    hello.signature = Data(try signing.sign(hello.signedBytes(nonce: nonce))).base64EncodedString()
    return hello
  }
}

/// A device that answers commands as an agent does, and hands on everything else.
final class TestDevice: Sendable {
  static let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9]

  let peer: TestPeer
  let identity: TestIdentity
  let code: String
  /// What came that is no command.
  let messages: AsyncStream<LinkMessage>
  private let sink: AsyncStream<LinkMessage>.Continuation
  private let proofs = Mutex(0)
  /// What its storage has; nil: it has none.
  let pages = Mutex<(@Sendable (RecordQuery) -> RecordPage)?>(nil)
  /// Commands about recordings, in order.
  let asked = Mutex<[Command.Request]>([])

  init(socket: WebSocket, identity: TestIdentity, code: String) {
    peer = TestPeer(socket: socket)
    self.identity = identity
    self.code = code
    (messages, sink) = AsyncStream.makeStream()
  }

  /// How many codes it was asked to prove.
  var proofCount: Int { proofs.withLock { $0 } }

  func greet(bootId: String, cameras: Int) async throws {
    let nonce = try await peer.first {
      if case .challenge(let challenge) = $0 { challenge.nonce } else { nil }
    }
    try await peer.send(.hello(try identity.hello(nonce: nonce, bootId: bootId, cameras: cameras)))
    _ = try await peer.welcome()
    Task { await self.serve() }
  }

  private func serve() async {
    while let message = try? await peer.next() {
      guard case .command(let command) = message else {
        sink.yield(message)
        continue
      }
      try? await peer.send(.commandResult(answer(to: command)))
    }
    sink.finish()
  }

  private func answer(to command: Command) -> CommandResult {
    switch command.request {
    case .proveCode(let code):
      proofs.withLock { $0 += 1 }
      return CommandResult(
        id: command.id, errorCode: code == self.code ? 0 : ErrorCode.wrongVerificationCode.rawValue)
    case .setVideoLevel: return CommandResult(id: command.id)
    case .capture: return CommandResult(id: command.id, jpeg: Data(Self.jpeg).base64EncodedString())
    case .findRecordings(let query):
      asked.withLock { $0.append(command.request) }
      guard let page = pages.withLock({ $0 })?(query) else {
        return CommandResult(id: command.id, errorCode: ErrorCode.commandNotSupported.rawValue)
      }
      return CommandResult(id: command.id, recordings: page)
    case .recordedPicture:
      asked.withLock { $0.append(command.request) }
      return CommandResult(id: command.id, jpeg: Data(Self.jpeg).base64EncodedString())
    case .lockRecordings, .recordEvent:
      asked.withLock { $0.append(command.request) }
      return CommandResult(id: command.id)
    }
  }

  func signal() async throws -> SignalMessage {
    for await message in messages {
      if case .signal(let signal) = message { return signal }
    }
    throw OrielError(.connectionLost)
  }

  func refusal() async throws -> Int {
    for await message in messages {
      if case .refused(let refusal) = message { return refusal.errorCode }
    }
    throw OrielError(.connectionLost)
  }

  func close() async { await peer.socket.close() }
}
