import OrielModel
import OrielNet

/// A stored file as an answer: as it lies on the disk, or in pieces from a store elsewhere.
struct CloudDownload: Sendable {
  /// Bytes that are asked of a store elsewhere at once.
  static let piece: Int64 = 1 << 20
  static let type = "video/mp4"

  let store: any CloudStore
  let file: CloudFile

  func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
    if let path = store.localPath(of: file.id) { return .file(path: path, contentType: Self.type) }
    var headers: HTTPHeaders = [
      "Content-Type": Self.type, "Accept-Ranges": "bytes", "ETag": "\"\(file.id)\"",
    ]
    var range = 0..<file.size
    var status = 200
    if request.method == "GET", let text = request.headers["Range"],
      let part = ByteRange.parse(text, size: Int(file.size))
    {
      guard let part else {
        headers["Content-Range"] = "bytes */\(file.size)"
        return HTTPResponse(status: 416, headers: headers)
      }
      range = Int64(part.lowerBound)..<Int64(part.upperBound)
      status = 206
      headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
    }
    headers["Content-Length"] = "\(range.count)"
    let first = range.lowerBound..<min(range.lowerBound + Self.piece, range.upperBound)
    // Asked for before the head goes out: a store that fails is a number, not a torn answer.
    let bytes = request.method == "HEAD" ? [] : try await store.read(file.id, first)
    if first == range, request.method != "HEAD" {
      headers["Content-Length"] = nil
      return HTTPResponse(status: status, headers: headers, body: .bytes(bytes))
    }
    return HTTPResponse(status: status, headers: headers, body: .stream(stream(bytes, first, range)))
  }

  private func stream(_ bytes: [UInt8], _ first: Range<Int64>, _ whole: Range<Int64>)
    -> AsyncThrowingStream<[UInt8], any Error>
  {
    let pieces = Pieces(
      store: store, name: file.id, start: bytes, next: first.upperBound, end: whole.upperBound)
    return AsyncThrowingStream { try await pieces.next() }
  }

  /// Asks the store for the next piece only when the last one was taken.
  private actor Pieces {
    private let store: any CloudStore
    private let name: String
    private var start: [UInt8]?
    private var position: Int64
    private let end: Int64

    init(store: any CloudStore, name: String, start: [UInt8], next: Int64, end: Int64) {
      self.store = store
      self.name = name
      self.start = start
      position = next
      self.end = end
    }

    func next() async throws -> [UInt8]? {
      if let start {
        self.start = nil
        return start
      }
      guard position < end else { return nil }
      let range = position..<min(position + CloudDownload.piece, end)
      position = range.upperBound
      return try await store.read(name, range)
    }
  }
}
