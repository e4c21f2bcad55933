import Foundation
import OrielModel
import OrielNet
import Testing

@Suite("Bodies, files and drain, over real sockets")
struct BodyTests {
  @Test("A stream's pieces arrive whole and in order", arguments: [false, true])
  func stream(tls: Bool) async throws {
    let handler: HTTPHandler = { _ in
      let (pieces, feed) = AsyncThrowingStream.makeStream(of: [UInt8].self)
      for number in 0..<100 { feed.yield([UInt8](repeating: UInt8(number), count: 3000)) }
      feed.finish()
      return HTTPResponse(body: .stream(pieces))
    }
    try await TestServer.serve(tls: tls, handler: handler) { test in
      let answer = try await test.client.send(path: "/")
      #expect(answer.headers["Transfer-Encoding"] == "chunked")
      #expect(answer.body == (0..<100).flatMap { [UInt8](repeating: UInt8($0), count: 3000) })
      let again = try await test.client.send(path: "/")
      #expect(again.body.count == 300_000)
      #expect(await test.server.connectionCount == 1)
    }
  }

  @Test("A stream that throws does not look whole")
  func brokenStream() async throws {
    let handler: HTTPHandler = { _ in
      let (pieces, feed) = AsyncThrowingStream.makeStream(of: [UInt8].self)
      feed.yield([1, 2, 3])
      feed.finish(throwing: OrielError(.serverError))
      return HTTPResponse(body: .stream(pieces))
    }
    try await TestServer.serve(handler: handler) { test in
      await #expect(throws: OrielError.self) { try await test.client.send(path: "/") }
    }
  }

  @Test("An upload is read only as fast as the handler reads it")
  func uploadBackPressure() async throws {
    let (go, start) = AsyncStream.makeStream(of: Void.self)
    let handler: HTTPHandler = { request in
      var starts = go.makeAsyncIterator()
      await starts.next()
      var count = 0
      do { for try await piece in request.body { count += piece.count } } catch { return .text("\(error)") }
      return .text("\(count) bytes")
    }
    try await TestServer.serve(handler: handler) { test in
      let socket = try RawSocket(port: test.port)
      let total = 40_000_000
      socket.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(total)\r\n\r\n")
      _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
      let block = [UInt8](repeating: 3, count: 65_536)
      var sent = 0
      // It comes to rest when the kernel's buffers are full for a while.
      var rests = 0
      while rests < 5, sent < total {
        let count = socket.send(Array(block.prefix(total - sent)))
        if count > 0 {
          sent += count
          rests = 0
        } else {
          rests += 1
          try await Task.sleep(for: .milliseconds(60))
        }
      }
      #expect(sent < total)
      start.yield()
      while sent < total {
        let count = socket.send(Array(block.prefix(total - sent)))
        if count > 0 { sent += count } else { try await Task.sleep(for: .milliseconds(1)) }
      }
      _ = fcntl(socket.descriptor, F_SETFL, 0)
      #expect(await socket.receive { $0.contains("bytes") }.hasSuffix("\(total) bytes"))
    }
  }

  @Test("100 Continue comes when the handler reads the body")
  func expectContinue() async throws {
    let handler: HTTPHandler = { request in
      .text(String(decoding: (try? await request.body.collect(upTo: 100)) ?? [], as: UTF8.self))
    }
    try await TestServer.serve(handler: handler) { test in
      let socket = try RawSocket(port: test.port)
      socket.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
      #expect(await socket.receive { $0.hasSuffix("\r\n\r\n") } == "HTTP/1.1 100 Continue\r\n\r\n")
      socket.send("abc")
      #expect(await socket.receive { $0.hasSuffix("abc") }.hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("A body that nobody reads costs the connection only when it has not come")
  func unreadBody() async throws {
    try await TestServer.serve(handler: TestServer.says("done")) { test in
      let socket = try RawSocket(port: test.port)
      socket.send(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let two = await socket.receive { $0.components(separatedBy: "done").count == 3 }
      #expect(!two.contains("Connection: close"))
      socket.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\nabc")
      #expect(await socket.receive().contains("Connection: close"))
    }
  }

  @Test("HTTP/1.0 is answered and closed, HEAD has no body")
  func oldAndHead() async throws {
    try await TestServer.serve(handler: TestServer.says("body")) { test in
      let old = try await RawSocket.exchange("GET / HTTP/1.0\r\n\r\n", port: test.port)
      #expect(old.contains("Connection: close") && old.hasSuffix("\r\n\r\nbody"))
      let head = try await RawSocket.exchange(
        "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: test.port)
      #expect(head.contains("Content-Length: 4") && head.hasSuffix("\r\n\r\n"))
    }
  }

  /// A file of pseudo-random bytes that is gone afterwards.
  private func withFile(_ count: Int, _ body: (String, [UInt8]) async throws -> Void) async throws {
    var random = SeededGenerator(seed: 5)
    let bytes = (0..<count / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    let path = FileManager.default.temporaryDirectory.appending(path: "oriel-\(UUID().uuidString)").path
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path, bytes)
  }

  @Test("A file comes whole, in parts, and not again when it is known", arguments: [false, true])
  func files(tls: Bool) async throws {
    try await withFile(4_000_000) { path, bytes in
      let handler: HTTPHandler = { _ in .file(path: path, contentType: "video/mp4") }
      try await TestServer.serve(tls: tls, handler: handler) { test in
        let whole = try await test.client.send(path: "/")
        #expect(whole.status == 200 && whole.body == bytes)
        #expect(whole.headers["Content-Type"] == "video/mp4")
        let tag = try #require(whole.headers["ETag"])
        let ranges: [(String, Range<Int>)] = [
          ("bytes=0-9", 0..<10), ("bytes=3999990-", 3_999_990..<4_000_000),
          ("bytes=-5", 3_999_995..<4_000_000),
          ("bytes=100-99999999", 100..<4_000_000),
        ]
        for (text, range) in ranges {
          let part = try await test.client.send(path: "/", headers: ["Range": text])
          #expect(part.status == 206 && part.body == Array(bytes[range]), "\(text)")
          #expect(
            part.headers["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/4000000")
        }
        for text in ["bytes=1-0", "bytes=0-1,5-6", "lines=1-2", "bytes=-", "bytes=a-b"] {
          #expect(try await test.client.send(path: "/", headers: ["Range": text]).status == 200, "\(text)")
        }
        for text in ["bytes=4000000-", "bytes=-0"] {
          let beyond = try await test.client.send(path: "/", headers: ["Range": text])
          #expect(beyond.status == 416 && beyond.headers["Content-Range"] == "bytes */4000000")
        }
        #expect(try await test.client.send(path: "/", headers: ["If-None-Match": tag]).status == 304)
        let changed = try await test.client.send(
          path: "/", headers: ["Range": "bytes=0-1", "If-Range": "\"x\""])
        #expect(changed.status == 200)
        #expect(await test.server.connectionCount == 1)
      }
    }
  }

  @Test("A file that is not there, or is a folder, is 404")
  func missingFile() async throws {
    let handler: HTTPHandler = { request in
      .file(path: request.path == "/folder" ? "/tmp" : "/nonexistent", contentType: "text/plain")
    }
    try await TestServer.serve(handler: handler) { test in
      let folder = try await test.client.send(path: "/folder")
      let none = try await test.client.send(path: "/none")
      #expect(folder.status == 404 && none.status == 404)
    }
  }

  @Test("Drain: idle connections close, a running request ends with Connection: close, WebSockets get 1001")
  func drain() async throws {
    let (begun, note) = AsyncStream.makeStream(of: Void.self)
    let (go, finish) = AsyncStream.makeStream(of: Void.self)
    let handler: HTTPHandler = { request in
      if request.path == "/ws" { return await WebSocketTests.echo(request) }
      if request.path == "/slow" {
        note.yield()
        var goes = go.makeAsyncIterator()
        await goes.next()
      }
      return .text("done")
    }
    try await TestServer.serve(handler: handler) { test in
      let idle = try RawSocket(port: test.port)
      idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = await idle.receive { $0.hasSuffix("done") }
      let running = try RawSocket(port: test.port)
      running.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
      var begins = begun.makeAsyncIterator()
      await begins.next()
      let socket = try await test.client.openWebSocket(path: "/ws")
      let drained = Task { await test.server.drain(within: .seconds(10)) }
      #expect(try await socket.receive() == nil)
      #expect(await socket.closeCode == 1001)
      #expect(await idle.receive() == "")
      #expect(throws: RawSocket.Failure.self) { try RawSocket(port: test.port) }
      finish.yield()
      let answer = await running.receive()
      #expect(answer.contains("Connection: close") && answer.hasSuffix("done"))
      await drained.value
      #expect(await test.server.connectionCount == 0)
    }
  }

  @Test("Drain cuts what is left when its time is over, and cancels the handler")
  func drainCuts() async throws {
    let (begun, note) = AsyncStream.makeStream(of: Bool.self)
    let handler: HTTPHandler = { _ in
      note.yield(false)
      try? await Task.sleep(for: .seconds(60))
      note.yield(Task.isCancelled)
      return .text("late")
    }
    try await TestServer.serve(handler: handler) { test in
      let socket = try RawSocket(port: test.port)
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      var notes = begun.makeAsyncIterator()
      #expect(await notes.next() == false)
      await test.server.drain(within: .milliseconds(200))
      #expect(await test.server.connectionCount == 0)
      #expect(await socket.receive() == "")
      #expect(await notes.next() == true)
    }
  }
}
