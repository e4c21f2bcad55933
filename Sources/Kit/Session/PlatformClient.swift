import Foundation
import OrielModel
import OrielNet
import Synchronization

/// Speaks the platform's `/v1` interface: adds the token, turns refusals into numbered errors.
final class PlatformClient: Sendable {
  let http: HTTPClient
  private let token: Mutex<String?>

  init(address: ServerAddress, loop: EventLoop, accessToken: String?) {
    http = HTTPClient(address: address, loop: loop)
    token = Mutex(accessToken)
  }

  var accessToken: String? {
    get { token.withLock { $0 } }
    set { token.withLock { $0 = newValue } }
  }

  /// What the platform says when it refuses.
  private struct Refused: Decodable {
    var code: Int
    var message: String?
  }

  private struct Nothing: Decodable {}

  /// Sends a request and reads the JSON answer.
  /// - Throws: `OrielError` 730004 without a token where one is needed; the platform's number; 730001...730003.
  func call<Answer: Decodable>(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [],
    body: (any Encodable & Sendable)? = nil, needsToken: Bool = true, timeout: Duration = .seconds(15),
    as type: Answer.Type
  ) async throws -> Answer {
    let bytes = try await bytes(
      method, path, query: query, body: body, needsToken: needsToken, timeout: timeout)
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw OrielError(.platformAnswer, "\(method) \(path)")
    }
  }

  /// As above, for an answer that says nothing more than that it was done.
  func call(
    _ method: String, _ path: String, body: (any Encodable & Sendable)? = nil,
    timeout: Duration = .seconds(15)
  ) async throws {
    _ = try await bytes(method, path, query: [], body: body, needsToken: true, timeout: timeout)
  }

  /// The answer's body as it is.
  func bytes(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [],
    body: (any Encodable & Sendable)? = nil, needsToken: Bool = true, timeout: Duration = .seconds(15)
  ) async throws -> [UInt8] {
    var headers = HTTPHeaders()
    if let accessToken {
      headers["Authorization"] = "Bearer \(accessToken)"
    } else if needsToken {
      throw OrielError(.notSignedIn)
    }
    var content: [UInt8]?
    if let body {
      guard let data = try? JSONEncoder().encode(body) else { throw OrielError(.argumentError) }
      content = [UInt8](data)
      headers["Content-Type"] = "application/json"
    }
    let answer = try await http.send(
      method: method, path: path, query: query, headers: headers, body: content, timeout: timeout)
    guard (200..<300).contains(answer.status) else {
      throw Self.error(status: answer.status, body: answer.body)
    }
    return answer.body
  }

  /// What lies at an address that carries its own right.
  /// - Parameter range: only these bytes, all of which must come.
  func signed(_ path: String, range: Range<Int64>? = nil, timeout: Duration = .seconds(30)) async throws
    -> [UInt8]
  {
    var headers = HTTPHeaders()
    guard let parts = URLComponents(string: path) else {
      throw OrielError(.platformAnswer, "an address that is none")
    }
    let query = (parts.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
    if let range { headers["Range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)" }
    let answer = try await http.send(path: parts.path, query: query, headers: headers, timeout: timeout)
    guard (200..<300).contains(answer.status) else {
      throw Self.error(status: answer.status, body: answer.body)
    }
    if let range, answer.status != 206 || answer.body.count != range.count {
      throw OrielError(.platformAnswer, "other bytes than asked for")
    }
    return answer.body
  }

  /// The number in a refusal, or one for the HTTP status where a stranger answers.
  static func error(status: Int, body: [UInt8]) -> OrielError {
    if let refused = try? JSONDecoder().decode(Refused.self, from: Data(body)) {
      if let code = ErrorCode(rawValue: refused.code) {
        return OrielError(code, refused.message == code.entry.meaning ? nil : refused.message)
      }
      return OrielError(.platformAnswer, "number \(refused.code), which this version does not know")
    }
    return switch status {
    case 401: OrielError(.accessTokenInvalid)
    case 403: OrielError(.noPermission)
    case 429: OrielError(.tooFrequent)
    case 500...599: OrielError(.serverError, "HTTP status \(status)")
    default: OrielError(.platformAnswer, "HTTP status \(status)")
    }
  }
}
