import Foundation
import OrielCrypto
import OrielModel

/// The platform's end of a device's link, as a pure state machine: events in, actions out.
struct DeviceLinkState: Sendable {
  enum Phase: Sendable, Equatable {
    /// CHALLENGE is sent; waiting for HELLO.
    case challenging(nonce: String)
    /// HELLO is sound; the store is asked whose serial it is.
    case registering
    case serving
    case closed
  }

  enum Event: Sendable {
    case opened(nonce: String)
    case received(LinkMessage)
    /// A message that could not be read, or was too large for this moment.
    case garbled
    case registered
    case refused(ErrorCode)
    /// HELLO did not come in time.
    case deadline
    /// The device has made another link.
    case superseded(bootId: String)
    case lost
    /// The platform stops.
    case drain
  }

  enum Action: Sendable, Equatable {
    case send(LinkMessage)
    /// Ask the store, then report `registered` or `refused`.
    case register(Hello)
    /// From now on this link is the device's.
    case admit
    case saveReport(DeviceReport)
    case saveCover(cameraNo: Int, jpeg: [UInt8])
    case finish(CommandResult)
    /// Ask the cloud, then send its answer.
    case grant(UploadRequest)
    /// To the viewer whose client id the message names.
    case relay(SignalMessage)
    /// Close after what is to be sent.
    case close(UInt16)
    /// The device has no link any more, unless another has taken over.
    case leave
  }

  /// Before HELLO nobody is known, so that little is read.
  static let helloLimit = 64 * 1024
  static let helloDeadline = Duration.seconds(10)
  static let pictureLimit = 256 * 1024
  private static let coverCost = 20
  private static let reportCost = 10

  private(set) var phase = Phase.challenging(nonce: "")
  private(set) var serial: DeviceSerial?
  private(set) var bootId = ""
  private var budget = MessageBudget(burst: 1_000, perSecond: 200)

  /// - Parameter now: since any fixed point, only forward.
  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    guard phase != .closed else { return [] }
    switch event {
    case .opened(let nonce):
      phase = .challenging(nonce: nonce)
      return [.send(.challenge(Challenge(nonce: nonce)))]
    case .received(let message):
      guard budget.spend(cost(of: message), at: now) else { return refuse(.tooFrequent) }
      return receive(message)
    case .garbled:
      // In service a newer agent may say what we do not know; a stranger may not.
      guard phase == .serving else { return refuse(.messageMalformed) }
      return budget.spend(Self.reportCost, at: now) ? [] : refuse(.tooFrequent)
    case .registered:
      guard phase == .registering else { return [] }
      phase = .serving
      return [.admit]
    case .refused(let code):
      return refuse(code)
    case .deadline:
      guard case .challenging = phase else { return [] }
      return refuse(.deviceTimeout)
    case .superseded(let bootId):
      phase = .closed
      // The same agent after a cut has no use for the news; another one must learn that two use one identity.
      let news: [Action] =
        bootId == self.bootId
        ? [] : [.send(.refused(Refusal(errorCode: ErrorCode.deviceLinkReplaced.rawValue)))]
      return news + [.close(1008)]
    case .lost:
      defer { phase = .closed }
      return phase == .serving ? [.leave] : []
    case .drain:
      phase = .closed
      return [.send(.signal(SignalMessage(.goAway, session: "", to: serial?.value ?? ""))), .close(1001)]
    }
  }

  private func cost(of message: LinkMessage) -> Int {
    switch message {
    case .cover: Self.coverCost
    case .report, .uploadRequest: Self.reportCost
    default: 1
    }
  }

  private mutating func receive(_ message: LinkMessage) -> [Action] {
    switch (phase, message) {
    case (.challenging(let nonce), .hello(let hello)): return greet(hello, nonce: nonce)
    case (.challenging, _): return refuse(.messageMalformed)
    case (.serving, .report(let report)):
      guard let report = ReportLimits.accept(report) else { return refuse(.messageMalformed) }
      return [.saveReport(report)]
    case (.serving, .cover(let cover)):
      guard let jpeg = Self.picture(cover.jpeg), (1...999).contains(cover.cameraNo) else { return [] }
      return [.saveCover(cameraNo: cover.cameraNo, jpeg: jpeg)]
    case (.serving, .commandResult(let result)): return [.finish(result)]
    case (.serving, .uploadRequest(let request)):
      return SignalLimits.isSessionId(request.id) ? [.grant(request)] : []
    case (.serving, .signal(let signal)): return relay(signal)
    default: return []
    }
  }

  private mutating func greet(_ hello: Hello, nonce: String) -> [Action] {
    guard let key = Data(base64Encoded: hello.signingKey), key.count == 32,
      let agreement = Data(base64Encoded: hello.agreementKey), agreement.count == 32,
      let signature = Data(base64Encoded: hello.signature), signature.count == 64,
      SignalLimits.isSessionId(hello.bootId), let report = ReportLimits.accept(hello.report)
    else { return refuse(.messageMalformed) }
    let isValid = SigningKey.isValid(
      signature: [UInt8](signature), of: hello.signedBytes(nonce: nonce), by: [UInt8](key))
    guard isValid else { return refuse(.noPermission) }
    phase = .registering
    serial = hello.serial
    bootId = hello.bootId
    var accepted = hello
    accepted.report = report
    return [.register(accepted)]
  }

  private func relay(_ signal: SignalMessage) -> [Action] {
    guard signal.action != .goAway, SignalLimits.isSessionId(signal.sessionId) else { return [] }
    if let fault = SignalLimits.fault(of: signal) { return [.send(Self.status(fault, about: signal))] }
    var signal = signal
    signal.senderClientId = serial?.value
    signal.iceServers = nil
    return [.relay(signal)]
  }

  private mutating func refuse(_ code: ErrorCode) -> [Action] {
    let wasServing = phase == .serving
    phase = .closed
    return [.send(.refused(Refusal(errorCode: code.rawValue)))] + (wasServing ? [.leave] : []) + [
      .close(1008)
    ]
  }

  /// What tells the sender of a message that it was not delivered.
  static func status(_ code: ErrorCode, about signal: SignalMessage) -> LinkMessage {
    var answer = SignalMessage(
      .status, session: signal.sessionId, from: signal.recipientClientId,
      to: signal.senderClientId ?? "")
    answer.errorCode = code.rawValue
    return .signal(answer)
  }

  /// A JPEG from its base64.
  /// - Returns: nil when it is none or larger than 256 KiB.
  static func picture(_ base64: String) -> [UInt8]? {
    guard base64.utf8.count <= (pictureLimit + 2) / 3 * 4, let data = Data(base64Encoded: base64),
      data.count <= pictureLimit, data.starts(with: [0xff, 0xd8, 0xff])
    else { return nil }
    return [UInt8](data)
  }
}
