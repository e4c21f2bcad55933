import Foundation

/// Everything that travels on a device's or a viewer's link: one JSON object a WebSocket text message.
///
/// `action` tells which; the other fields stand beside it, not inside another object.
public enum LinkMessage: Sendable, Equatable {
  case challenge(Challenge)
  case hello(Hello)
  case authenticate(Authentication)
  case welcome(Welcome)
  case refused(Refusal)
  case report(DeviceReport)
  case cover(Cover)
  case command(Command)
  case commandResult(CommandResult)
  case event(DeviceEvent)
  case uploadRequest(UploadRequest)
  case uploadGrant(UploadGrant)
  case signal(SignalMessage)

  /// The largest message either side accepts, in bytes: a cover picture fits, little more.
  public static let sizeLimit = 512 * 1024
}

extension LinkMessage: Codable {
  private enum Key: String, CodingKey { case action }

  private enum Action: String, Codable {
    case challenge = "CHALLENGE"
    case hello = "HELLO"
    case authenticate = "AUTHENTICATE"
    case welcome = "WELCOME"
    case refused = "REFUSED"
    case report = "REPORT"
    case cover = "COVER"
    case command = "COMMAND"
    case commandResult = "COMMAND_RESULT"
    case event = "EVENT"
    case uploadRequest = "UPLOAD_REQUEST"
    case uploadGrant = "UPLOAD_GRANT"
  }

  public init(from decoder: any Decoder) throws {
    let name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .action)
    guard let action = Action(rawValue: name) else {
      self = .signal(try SignalMessage(from: decoder))
      return
    }
    self =
      switch action {
      case .challenge: .challenge(try Challenge(from: decoder))
      case .hello: .hello(try Hello(from: decoder))
      case .authenticate: .authenticate(try Authentication(from: decoder))
      case .welcome: .welcome(try Welcome(from: decoder))
      case .refused: .refused(try Refusal(from: decoder))
      case .report: .report(try DeviceReport(from: decoder))
      case .cover: .cover(try Cover(from: decoder))
      case .command: .command(try Command(from: decoder))
      case .commandResult: .commandResult(try CommandResult(from: decoder))
      case .event: .event(try DeviceEvent(from: decoder))
      case .uploadRequest: .uploadRequest(try UploadRequest(from: decoder))
      case .uploadGrant: .uploadGrant(try UploadGrant(from: decoder))
      }
  }

  public func encode(to encoder: any Encoder) throws {
    let action: Action?
    let body: any Encodable
    switch self {
    case .challenge(let value): (action, body) = (.challenge, value)
    case .hello(let value): (action, body) = (.hello, value)
    case .authenticate(let value): (action, body) = (.authenticate, value)
    case .welcome(let value): (action, body) = (.welcome, value)
    case .refused(let value): (action, body) = (.refused, value)
    case .report(let value): (action, body) = (.report, value)
    case .cover(let value): (action, body) = (.cover, value)
    case .command(let value): (action, body) = (.command, value)
    case .commandResult(let value): (action, body) = (.commandResult, value)
    case .event(let value): (action, body) = (.event, value)
    case .uploadRequest(let value): (action, body) = (.uploadRequest, value)
    case .uploadGrant(let value): (action, body) = (.uploadGrant, value)
    case .signal(let value): (action, body) = (nil, value)
    }
    try body.encode(to: encoder)
    if let action {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(action, forKey: .action)
    }
  }

  /// Reads one text message of a link.
  /// - Throws: `OrielError` 730007 when it is too large or not understood.
  public init(text: String) throws {
    guard text.utf8.count <= Self.sizeLimit else { throw OrielError(.messageMalformed, "more than 512 KiB") }
    do {
      self = try JSONDecoder().decode(LinkMessage.self, from: Data(text.utf8))
    } catch {
      throw OrielError(.messageMalformed)
    }
  }

  /// The text message for a link.
  public func text() throws -> String {
    do {
      return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    } catch {
      throw OrielError(.messageMalformed)
    }
  }
}

extension SignalMessage {
  /// Reads the payload.
  /// - Throws: `OrielError` 730007 when it is absent or not understood.
  public func payload<Payload: Decodable>(_ type: Payload.Type) throws -> Payload {
    guard let messagePayload, let data = Data(base64Encoded: messagePayload),
      let payload = try? JSONDecoder().decode(type, from: data)
    else { throw OrielError(.messageMalformed) }
    return payload
  }

  /// Sets the payload.
  public mutating func setPayload(_ payload: some Encodable) throws {
    do {
      messagePayload = try JSONEncoder().encode(payload).base64EncodedString()
    } catch {
      throw OrielError(.messageMalformed)
    }
  }
}
