import Foundation
import OrielCrypto
import OrielModel
import OrielNet

/// The cloud in a bucket. A recording is one object that is written whole or not at all: in one request, or, a large
/// one, in parts that the server puts together at the end.
struct S3CloudStore: CloudStore {
  /// Bytes that one request takes; larger files go in parts (5 MiB is S3's least).
  static let single: Int64 = 16 << 20
  static let part: Int64 = 8 << 20
  /// For one request with its body.
  static let limit = Duration.seconds(120)
  static let tries = 3

  let location: S3Location
  private let signature: S3Signature
  private let client: HTTPClient
  /// Seconds since 1970.
  private let now: @Sendable () -> Int64
  private let pause: Duration

  /// - Parameter pause: between two tries, twice as long after each.
  init(
    location: S3Location, credentials: S3Credentials, loop: EventLoop, pause: Duration = .seconds(1),
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) {
    self.location = location
    self.pause = pause
    self.now = now
    signature = S3Signature(credentials: credentials, region: location.region)
    client = HTTPClient(address: location.server, loop: loop)
  }

  func localPath(of name: String) -> String? { nil }

  /// Whether the bucket is there and ours.
  /// - Throws: `OrielError` 720310 with the server's own word for what is wrong, 730001 when it cannot be reached.
  func check() async throws {
    let answer = try await send("GET", "", query: [("list-type", "2"), ("max-keys", "1")])
    guard answer.status == 200 else { throw Self.refusal(answer) }
  }

  // MARK: Keeping

  @concurrent func keep(_ path: String, as name: String) async throws {
    guard let size = DiskFile.size(path) else {
      // Done before, and the platform ended before it could note that.
      guard try await self.size(of: name) != nil else { throw OrielError(.recordNotFound) }
      return
    }
    if size <= Self.single {
      let answer = try await attempt(
        "PUT", name, headers: [("content-type", CloudDownload.type)], body: try bytes(of: path, 0..<size))
      guard answer.status == 200 else { throw Self.refusal(answer) }
    } else {
      try await keepInParts(path, name, size)
    }
    guard try await self.size(of: name) == size else {
      throw OrielError(.cloudStore, "what it kept has another size")
    }
    unlink(path)
  }

  private func bytes(of path: String, _ range: Range<Int64>) throws -> [UInt8] {
    guard let bytes = DiskFile.read(path, range) else { throw OrielError(.recordNotFound) }
    return bytes
  }

  private func keepInParts(_ path: String, _ name: String, _ size: Int64) async throws {
    let begun = try await attempt(
      "POST", name, query: [("uploads", "")], headers: [("content-type", CloudDownload.type)])
    guard begun.status == 200, let id = Self.element("UploadId", of: begun) else {
      throw Self.refusal(begun)
    }
    do {
      var parts = ""
      for (index, start) in stride(from: 0, to: size, by: Int64.Stride(Self.part)).enumerated() {
        let body = try bytes(of: path, start..<min(start + Self.part, size))
        let answer = try await attempt(
          "PUT", name, query: [("partNumber", "\(index + 1)"), ("uploadId", id)], body: body)
        guard answer.status == 200, let tag = answer.headers["ETag"] else { throw Self.refusal(answer) }
        let quoted = tag.replacing("\"", with: "&quot;")
        parts += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(quoted)</ETag></Part>"
      }
      let list = "<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>"
      let end = try await attempt(
        "POST", name, query: [("uploadId", id)], headers: [("content-type", "application/xml")],
        body: [UInt8](list.utf8))
      // A failure may come with status 200, once the server has begun to answer.
      guard end.status == 200, Self.element("Code", of: end) == nil else { throw Self.refusal(end) }
    } catch {
      _ = try? await send("DELETE", name, query: [("uploadId", id)])
      throw error
    }
  }

  // MARK: Reading and deleting

  func size(of name: String) async throws -> Int64? {
    let answer = try await attempt("HEAD", name)
    switch answer.status {
    case 200: return answer.headers["Content-Length"].flatMap { Int64($0) }
    case 404: return nil
    default: throw Self.refusal(answer)
    }
  }

  func read(_ name: String, _ range: Range<Int64>) async throws -> [UInt8] {
    guard !range.isEmpty else { return [] }
    let answer = try await attempt(
      "GET", name, headers: [("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")],
      maximumBody: max(range.count, 64 * 1024))
    switch answer.status {
    case 206 where answer.body.count == range.count, 200 where answer.body.count == range.count:
      return answer.body
    case 200, 206, 404, 416: throw OrielError(.recordNotFound)
    default: throw Self.refusal(answer)
    }
  }

  func delete(_ name: String) async throws {
    let answer = try await attempt("DELETE", name)
    guard [200, 204, 404].contains(answer.status) else { throw Self.refusal(answer) }
  }

  // MARK: Requests

  /// Tries again what may pass: a server that cannot be reached or is busy.
  private func attempt(
    _ method: String, _ name: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: [UInt8]? = nil, maximumBody: Int = 1 << 20
  ) async throws -> HTTPClientResponse {
    var wait = pause
    for _ in 1..<Self.tries {
      if let answer = try? await send(
        method, name, query: query, headers: headers, body: body, maximumBody: maximumBody),
        answer.status < 500
      {
        return answer
      }
      try await Task.sleep(for: wait)
      wait *= 2
    }
    do {
      return try await send(
        method, name, query: query, headers: headers, body: body, maximumBody: maximumBody)
    } catch let error as OrielError where error.code != .cancelled {
      throw OrielError(.cloudStore, "\(location) cannot be reached")
    }
  }

  private func send(
    _ method: String, _ name: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: [UInt8]? = nil, maximumBody: Int = 1 << 20
  ) async throws -> HTTPClientResponse {
    let path = "/\(location.bucket)/" + (name.isEmpty ? "" : "\(location.prefix)\(name).mp4")
    // curl leaves a scheme's own port out.
    let isUsual = location.server.port == (location.server.isTLS ? 443 : 80)
    let host = location.server.host.contains(":") ? "[\(location.server.host)]" : location.server.host
    let request = S3Signature.Request(
      method: method, host: isUsual ? host : "\(host):\(location.server.port)", path: path, query: query,
      headers: headers, bodyDigest: Digest.sha256(body ?? []))
    // Without a body curl would send none, and leave out that it has no length.
    let body = body ?? (method == "POST" || method == "PUT" ? [] : nil)
    return try await client.send(
      method: method, path: path, query: query, headers: signature.headers(for: request, at: now()),
      body: body, timeout: Self.limit, maximumBody: maximumBody)
  }

  /// The text of an element of a small answer; nil when it is not there.
  private static func element(_ name: String, of answer: HTTPClientResponse) -> String? {
    let text = String(decoding: answer.body.prefix(64 * 1024), as: UTF8.self)
    guard let start = text.range(of: "<\(name)>"),
      let end = text.range(of: "</\(name)>", range: start.upperBound..<text.endIndex)
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }

  private static func refusal(_ answer: HTTPClientResponse) -> OrielError {
    let code = element("Code", of: answer)?.prefix(64).filter { $0.isASCII && $0.isLetter } ?? ""
    return OrielError(.cloudStore, "it answers \(answer.status)\(code.isEmpty ? "" : " \(code)")")
  }
}
