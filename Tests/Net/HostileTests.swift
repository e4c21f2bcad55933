import Foundation
import OrielModel
import OrielNet
import Synchronization
import Testing

@Suite("Hostile peers, over real sockets")
struct HostileTests {
  private final class Counter: Sendable {
    let value = Atomic(0)
    func add() { value.add(1, ordering: .relaxed) }
    var count: Int { value.load(ordering: .relaxed) }
  }

  @Test("No malformed head reaches the handler; each is answered 4xx or 5xx and the connection closes")
  func smuggling() async throws {
    let reached = Counter()
    let handler: HTTPHandler = { _ in
      reached.add()
      return .text("reached")
    }
    try await TestServer.serve(handler: handler) { test in
      for entry in Corpus.entries("heads/bad") {
        let socket = try RawSocket(port: test.port)
        socket.send(entry.bytes + [UInt8]("GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        let answer = await socket.receive()
        let isRefused = ["HTTP/1.1 4", "HTTP/1.1 5"].contains { answer.hasPrefix($0) }
        #expect(isRefused && answer.contains("Connection: close"), "\(entry.name): \(answer)")
      }
      #expect(reached.count == 0)
    }
  }

  @Test("A malformed chunked body is 400, even when the handler answers something else")
  func chunkSmuggling() async throws {
    let handler: HTTPHandler = { request in
      _ = try? await request.body.collect(upTo: 1000)
      return .text(request.path)
    }
    try await TestServer.serve(handler: handler) { test in
      for entry in Corpus.entries("chunks/bad") {
        let socket = try RawSocket(port: test.port)
        socket.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        socket.send(entry.bytes)
        let answer = await socket.receive()
        #expect(answer.hasPrefix("HTTP/1.1 400"), "\(entry.name): \(answer)")
        #expect(!answer.contains("/smuggled"))
      }
    }
  }

  @Test("A head that drips in is cut at its deadline, and so is silence")
  func slowloris() async throws {
    var limits = HTTPLimits()
    limits.headerDeadline = .milliseconds(500)
    try await TestServer.serve(limits: limits, handler: TestServer.says("")) { test in
      let silent = try RawSocket(port: test.port)
      let dripping = try RawSocket(port: test.port)
      let drip = Task {
        for byte in [UInt8]("GET / HTTP/1.1\r\nHost: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".utf8) {
          if dripping.send([byte]) < 0 { break }
          try await Task.sleep(for: .milliseconds(60))
        }
      }
      let start = ContinuousClock.now
      async let silence = silent.receive()
      async let answer = dripping.receive()
      #expect(await silence == "")
      // What it still sends after the close may take the answer away (TCP reset).
      let told = await answer
      #expect(told.isEmpty || told.hasPrefix("HTTP/1.1 408"))
      #expect(ContinuousClock.now - start < .seconds(10))
      drip.cancel()
    }
  }

  @Test("A head over the cap is 431")
  func longHead() async throws {
    try await TestServer.serve(handler: TestServer.says("")) { test in
      let head = "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "y", count: 20_000) + "\r\n\r\n"
      let answer = try await RawSocket.exchange(head, port: test.port)
      #expect(answer.hasPrefix("HTTP/1.1 431"))
    }
  }

  @Test("A body over the cap is 413, announced or chunked")
  func longBody() async throws {
    var limits = HTTPLimits()
    limits.bodyBytes = 1000
    let handler: HTTPHandler = { request in
      _ = try? await request.body.collect(upTo: 1 << 20)
      return .text("swallowed")
    }
    try await TestServer.serve(limits: limits, handler: handler) { test in
      let announced = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n"
      let first = try await RawSocket.exchange(announced, port: test.port)
      #expect(first.hasPrefix("HTTP/1.1 413"))
      let chunked =
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n"
        + String(repeating: "z", count: 1001) + "\r\n0\r\n\r\n"
      let second = try await RawSocket.exchange(chunked, port: test.port)
      #expect(second.hasPrefix("HTTP/1.1 413"))
    }
  }

  @Test("A client that is refused while it uploads still gets the answer", arguments: [false, true])
  func refusedUpload(tls: Bool) async throws {
    var limits = HTTPLimits()
    limits.bodyBytes = 1000
    try await TestServer.serve(tls: tls, limits: limits, handler: TestServer.says("")) { test in
      let answer = try await test.client.send(
        method: "POST", path: "/", body: [UInt8](repeating: 1, count: 3_000_000))
      #expect(answer.status == 413)
    }
  }

  @Test("A body that stalls is cut, and the handler hears of it")
  func stalledBody() async throws {
    var limits = HTTPLimits()
    limits.bodyStall = .milliseconds(500)
    let (failures, note) = AsyncStream.makeStream(of: OrielError?.self)
    let handler: HTTPHandler = { request in
      do { _ = try await request.body.collect(upTo: 1000) } catch { note.yield(error as? OrielError) }
      return .text("")
    }
    try await TestServer.serve(limits: limits, handler: handler) { test in
      let answer = try await RawSocket.exchange(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc", port: test.port)
      #expect(answer == "")
      var notes = failures.makeAsyncIterator()
      #expect(await notes.next()??.code == .platformUnreachable)
    }
  }

  @Test("An idle connection is closed")
  func idle() async throws {
    var limits = HTTPLimits()
    limits.idle = .milliseconds(500)
    try await TestServer.serve(limits: limits, handler: TestServer.says("hello")) { test in
      let answer = try await RawSocket.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: test.port)
      #expect(answer.hasSuffix("hello"))
      #expect(!answer.contains("Connection: close"))
    }
  }

  @Test("Connections over the cap of an address are closed at once; one that ends makes room")
  func addressCap() async throws {
    var limits = HTTPLimits()
    limits.connectionsPerAddress = 2
    try await TestServer.serve(limits: limits, handler: TestServer.says("served")) { test in
      let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
      let (one, two) = (try RawSocket(port: test.port), try RawSocket(port: test.port))
      for socket in [one, two] {
        socket.send(request)
        #expect(await socket.receive { $0.hasSuffix("served") } != "")
      }
      let third = try RawSocket(port: test.port)
      third.send(request)
      #expect(await third.receive() == "")
      one.endOutput()
      #expect(await one.receive() == "")
      let fourth = try RawSocket(port: test.port)
      fourth.send(request)
      #expect(await fourth.receive { $0.hasSuffix("served") } != "")
      #expect(await test.server.connectionCount == 2)
    }
  }

  @Test("Connections over the cap of the server are closed at once")
  func totalCap() async throws {
    var limits = HTTPLimits()
    limits.connections = 1
    try await TestServer.serve(limits: limits, handler: TestServer.says("served")) { test in
      let first = try RawSocket(port: test.port)
      first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await first.receive { $0.hasSuffix("served") } != "")
      #expect(try await RawSocket.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: test.port) == "")
    }
  }

  @Test("A peer that does not read is cut; until then the answer waits for it", arguments: [false, true])
  func slowReader(isFlood: Bool) async throws {
    var limits = HTTPLimits()
    limits.writeStall = .milliseconds(1000)
    let made = Counter()
    let (ended, note) = AsyncStream.makeStream(of: Void.self)
    let handler: HTTPHandler = { _ in
      let onEnd = OnEnd { note.yield() }
      return HTTPResponse(
        body: .stream(
          AsyncThrowingStream {
            withExtendedLifetime(onEnd) {}
            made.add()
            return [UInt8](repeating: 1, count: 65_536)
          }))
    }
    try await TestServer.serve(limits: limits, handler: handler) { test in
      let socket = try RawSocket(port: test.port, receiveBuffer: 8192)
      let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
      socket.send(isFlood ? String(repeating: request, count: 20_000) : request)
      var notes = ended.makeAsyncIterator()
      await notes.next()
      // What a socket's buffers hold, not what the stream could have made in a second.
      #expect(made.count < 200)
    }
  }

  /// Tells when it is let go.
  private final class OnEnd: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  @Test("Pipelined requests are answered in order, also with a slow reader")
  func pipelined() async throws {
    let handler: HTTPHandler = { request in
      if request.path.hasSuffix("7") { await Task.yield() }
      return .text("<\(request.path)>")
    }
    try await TestServer.serve(handler: handler) { test in
      let socket = try RawSocket(port: test.port)
      let count = 3000
      let requests = (0..<count).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
      let sender = Task { socket.send(requests) }
      let answer = await socket.receive { $0.hasSuffix("</\(count - 1)>") }
      _ = await sender.value
      let bodies = answer.split(separator: "\r\n").filter { $0.contains("</") }
        .compactMap { $0.split(separator: "<").last.map { String($0.prefix { $0 != ">" }) } }
      #expect(bodies == (0..<count).map { "/\($0)" })
    }
  }

  @Test("A peer that closes its sending side right after its request still gets the answer")
  func halfClosed() async throws {
    try await TestServer.serve(handler: TestServer.says("answer")) { test in
      let socket = try RawSocket(port: test.port)
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      socket.endOutput()
      #expect(await socket.receive().hasSuffix("answer"))
    }
  }

  @Test("A value of an answer cannot start another field")
  func responseSplitting() async throws {
    let handler: HTTPHandler = { _ in
      HTTPResponse(headers: ["X-A": "b\r\nX-Evil: c", "X-Bad\r\n": "d", "Content-Length": "99"])
    }
    try await TestServer.serve(handler: handler) { test in
      let answer = try await test.client.send(path: "/")
      #expect(answer.headers["X-Evil"] == nil)
      #expect(answer.headers["X-A"] == "b  X-Evil: c")
      #expect(answer.headers["Content-Length"] == "0")
    }
  }

  @Test("Spoiled WebSocket frames end their socket, not the server")
  func webSocketFuzz() async throws {
    try await TestServer.serve(handler: WebSocketTests.echo) { test in
      var mutator = Mutator(seed: 99)
      // A masked text "Hello", a ping, a fragmented text, a close.
      let frames: [[UInt8]] = [
        [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58], [0x89, 0x80, 1, 2, 3, 4],
        [0x01, 0x81, 0, 0, 0, 0, 0xc3, 0x80, 0x81, 0, 0, 0, 0, 0xbc],
        [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8],
        [0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0],
      ]
      let upgrade =
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
      for round in 0..<300 {
        let socket = try RawSocket(port: test.port)
        socket.send([UInt8](upgrade.utf8) + mutator.mutate(frames[round % 5] + frames[(round + 1) % 5]))
        #expect(await socket.receive { $0.contains("\r\n\r\n") }.hasPrefix("HTTP/1.1 101"))
      }
      let sound = try await test.client.openWebSocket(path: "/")
      try await sound.send("still there")
      #expect(try await sound.receive() == .text("still there"))
    }
  }

  @Test("A dead WebSocket peer is pinged and given up")
  func deadPeer() async throws {
    var limits = HTTPLimits()
    limits.webSocketPing = .milliseconds(500)
    limits.webSocketDead = .milliseconds(500)
    let (ended, note) = AsyncStream.makeStream(of: UInt16?.self)
    let handler: HTTPHandler = { _ in
      .webSocket { socket in
        _ = try? await socket.receive()
        note.yield(await socket.closeCode)
      }
    }
    try await TestServer.serve(limits: limits, handler: handler) { test in
      let dead = try RawSocket(port: test.port)
      dead.send(
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
      var notes = ended.makeAsyncIterator()
      #expect(await notes.next() == 1006)
      // The upgrade, then a ping without payload: 0x89 0x00, which is no UTF-8.
      #expect(await dead.receive().hasSuffix("\u{fffd}\0"))
    }
  }

  @Test("A live but silent WebSocket peer answers the pings and stays")
  func livePeer() async throws {
    var limits = HTTPLimits()
    limits.webSocketPing = .milliseconds(500)
    limits.webSocketDead = .milliseconds(500)
    try await TestServer.serve(limits: limits, handler: WebSocketTests.echo) { test in
      let socket = try await test.client.openWebSocket(path: "/")
      try await Task.sleep(for: .seconds(3))
      try await socket.send("alive")
      #expect(try await socket.receive() == .text("alive"))
    }
  }
}
