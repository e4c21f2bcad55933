import Foundation
import OrielCrypto
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

/// A recording that a test uploads.
struct TestStretch {
  let bytes: [UInt8]
  var request: UploadRequest

  init(
    size: Int = 100_000, start: Int64, duration: Int64 = 60_000, cameraNo: Int = 1, seed: UInt64 = 1,
    kind: RecordKind = .continuous
  ) {
    var random = SeededRandom(seed: seed)
    bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    request = UploadRequest(
      id: "u\(seed)", cameraNo: cameraNo, kind: kind, startTime: start, endTime: start + duration,
      size: Int64(size), digest: Digest.sha256(bytes).map { String(format: "%02x", $0) }.joined())
  }
}

extension TestDevice {
  /// Asks for an upload.
  func ask(_ request: UploadRequest) async throws -> UploadGrant {
    try await peer.send(.uploadRequest(request))
    for await message in messages {
      if case .uploadGrant(let grant) = message, grant.id == request.id { return grant }
    }
    throw OrielError(.connectionLost)
  }
}

extension TestPlatform {
  /// A request to a signed address.
  func signed(
    _ method: String, _ address: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil
  ) async throws -> HTTPClientResponse {
    let parts = try #require(URLComponents(string: address))
    return try await client.send(
      method: method, path: parts.path,
      query: (parts.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }, headers: headers,
      body: body)
  }

  func patch(_ path: String?, at offset: Int, _ bytes: some Sequence<UInt8>) async throws
    -> HTTPClientResponse
  {
    try await signed(
      "PATCH", try #require(path), headers: ["Upload-Offset": "\(offset)"], body: Array(bytes))
  }

  /// The number of a failure.
  static func number(_ answer: HTTPClientResponse) throws -> Int { try answer.decode(Failure.self).code }

  /// Uploads a stretch in one piece.
  func upload(_ stretch: TestStretch, by device: TestDevice) async throws {
    let grant = try await device.ask(stretch.request)
    try #require(grant.errorCode == 0)
    let answer = try await patch(grant.path, at: 0, stretch.bytes)
    try #require(answer.status == 200)
    try #require(try answer.decode(UploadProgress.self).isStored)
  }

  func cloudFiles(_ token: String? = nil, from: Int64 = 0, form: String = "files", more: String = "")
    async throws
    -> RecordPage
  {
    let answer = try await v1(
      "GET", "/v1/devices/O12345678/cameras/1/recordings", token: token,
      query: [
        ("store", "cloud"), ("from", "\(from)"), ("to", "\(clock.time.wall() + 86_400_000)"), ("form", form),
      ]
        + more.split(separator: "&").map {
          let pair = $0.split(separator: "=")
          return (name: String(pair[0]), value: String(pair[1]))
        })
    try #require(answer.status == 200)
    return try answer.decode(RecordPage.self)
  }

  /// Files of the cloud that lie in the data folder.
  var keptFiles: [String] {
    let paths = FileManager.default.enumerator(atPath: folder + "/cloud")?.allObjects as? [String] ?? []
    return paths.filter { $0.hasSuffix(".mp4") || $0.hasSuffix(".part") }
  }
}
