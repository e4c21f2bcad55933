import Foundation
import OrielModel

/// Writes a handler's answer to its connection, on the loop.
struct ResponseWriter {
  let connection: HTTPConnection
  let request: HTTPRequest

  /// What the writer itself sets.
  private static let framing = ["Connection", "Content-Length", "Date", "Transfer-Encoding", "Upgrade"]

  private var hasBody: Bool { request.method != "HEAD" }

  func write(_ response: HTTPResponse) async {
    guard connection.isOpen else { return }
    var response = response
    if let refusal = connection.bodyRefusal {
      response = .text(refusal.reason + "\n", status: refusal.status)
    }
    switch response.body {
    case .none: writeBytes([], response)
    case .bytes(let bytes): writeBytes(bytes, response)
    case .file(let path, let contentType): await writeFile(path, contentType, response)
    case .stream(let stream): await writeStream(stream, response)
    case .webSocket(let maxMessage, let body): return upgrade(maxMessage, body, response)
    }
    connection.answered()
  }

  // MARK: Head

  private func head(_ status: Int, _ headers: HTTPHeaders) -> ResponseHead {
    let keepsAlive = connection.settleKeepAlive()
    let allowed = HTTPHeaders(
      headers.fields.filter { field in !Self.framing.contains { HTTPHeaders.isSame($0, field.name) } })
    var head = ResponseHead(status: status, headers: allowed, date: connection.core.dateText)
    if !keepsAlive {
      head.add("Connection", "close")
    } else if connection.isVersion10 {
      head.add("Connection", "keep-alive")
    }
    return head
  }

  // MARK: Bytes

  private func writeBytes(_ bytes: [UInt8], _ response: HTTPResponse) {
    var head = head(response.status, response.headers)
    let isEmpty = response.status == 204 || response.status == 304 || response.status < 200
    if !isEmpty { head.add("Content-Length", "\(bytes.count)") }
    head.end()
    guard hasBody, !isEmpty else { return connection.stream.write(head.bytes) }
    if bytes.count <= 16_384 {
      connection.stream.write(head.bytes + bytes)
    } else {
      connection.stream.write(head.bytes)
      connection.stream.write(bytes)
    }
  }

  // MARK: Streams

  private func writeStream(_ stream: AsyncThrowingStream<[UInt8], any Error>, _ response: HTTPResponse) async
  {
    var left = response.headers["Content-Length"].flatMap { Int($0) }
    let isChunked = left == nil && !connection.isVersion10
    if left == nil, connection.isVersion10 { connection.keepsAlive = false }
    var head = head(response.status, response.headers)
    if let left {
      head.add("Content-Length", "\(left)")
    } else if isChunked {
      head.add("Transfer-Encoding", "chunked")
    }
    head.end()
    connection.stream.write(head.bytes)
    guard hasBody else { return }
    do {
      for try await piece in stream {
        guard connection.isOpen else { return }
        if piece.isEmpty { continue }
        if isChunked { connection.stream.write([UInt8]("\(String(piece.count, radix: 16))\r\n".utf8)) }
        connection.stream.write(piece)
        if isChunked { connection.stream.write([13, 10]) }
        left = left.map { $0 - piece.count }
        guard left ?? 0 >= 0 else { return connection.end() }
        if connection.stream.outputCount > SocketStream.highOutput { await connection.room() }
      }
    } catch { return connection.end() }
    if left ?? 0 != 0 { return connection.end() }
    if isChunked, connection.isOpen { connection.stream.write([UInt8]("0\r\n\r\n".utf8)) }
  }

  // MARK: Files

  private func writeFile(_ path: String, _ contentType: String, _ response: HTTPResponse) async {
    guard let file = ServedFile(path) else { return writeBytes([], HTTPResponse(status: 404)) }
    var headers = response.headers
    headers["Content-Type"] = contentType
    headers["ETag"] = file.tag
    headers["Last-Modified"] = HTTPDate.format(file.modified)
    headers["Accept-Ranges"] = "bytes"
    let part = file.part(for: request, status: response.status)
    if let contentRange = part.contentRange { headers["Content-Range"] = contentRange }
    guard part.status == response.status || part.status == 206 else {
      return writeBytes([], HTTPResponse(status: part.status, headers: headers))
    }
    var head = head(part.status, headers)
    head.add("Content-Length", "\(part.range.count)")
    head.end()
    connection.stream.write(head.bytes)
    guard hasBody, !part.range.isEmpty else { return }
    if !connection.stream.isTLS, let descriptor = file.takeDescriptor() {
      if !connection.stream.writeFile(descriptor, offset: part.range.lowerBound, count: part.range.count) {
        connection.end()
      }
      return
    }
    var position = part.range.lowerBound
    while position < part.range.upperBound, connection.isOpen {
      let piece = file.read(at: position, count: min(65_536, part.range.upperBound - position))
      guard !piece.isEmpty else { return connection.end() }
      connection.stream.write(piece)
      position += piece.count
      if connection.stream.outputCount > SocketStream.highOutput { await connection.room() }
    }
  }

  // MARK: WebSockets

  private func upgrade(
    _ maxMessage: Int, _ body: @escaping @Sendable (WebSocket) async -> Void, _ response: HTTPResponse
  ) {
    let accept: String
    do throws(HTTPRefusal) { accept = try WebSocketHandshake.answer(to: request) } catch {
      var refused = HTTPResponse.text(error.reason + "\n", status: error.status)
      refused.headers["Sec-WebSocket-Version"] = "13"
      writeBytes([UInt8]((error.reason + "\n").utf8), refused)
      return connection.answered()
    }
    let allowed = HTTPHeaders(
      response.headers.fields.filter { field in !Self.framing.contains { HTTPHeaders.isSame($0, field.name) }
      })
    var head = ResponseHead(status: 101, headers: allowed, date: connection.core.dateText)
    head.add("Upgrade", "websocket")
    head.add("Connection", "Upgrade")
    head.add("Sec-WebSocket-Accept", accept)
    head.end()
    connection.stream.write(head.bytes)
    guard let accepted = connection.becomeWebSocket(maxMessage: maxMessage) else { return }
    // A task of its own, so that an idle WebSocket keeps nothing of the request.
    let loop = connection.core.loop
    let socket = WebSocket(accepted)
    Task.immediate(executorPreference: loop) {
      await body(socket)
      await socket.close()
    }
    // What came with the request, and a drain that began meanwhile.
    accepted.advance()
    if connection.core.isDraining { accepted.close(code: 1001, reason: []) }
  }
}
