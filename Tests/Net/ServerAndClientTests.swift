import Foundation
import OrielModel
import OrielNet
import Testing

@Suite("Server and client, over real sockets")
struct ServerAndClientTests {
  private static let echo: HTTPHandler = { request in
    let body = try? await request.body.collect(upTo: 1 << 24)
    return HTTPResponse(
      headers: ["X-Path": request.path, "X-Query": request.query("name") ?? "", "X-Method": request.method],
      body: .bytes(body ?? []))
  }

  @Test("A request and its body come back", arguments: [false, true])
  func echoes(tls: Bool) async throws {
    try await TestServer.serve(tls: tls, handler: Self.echo) { test in
      let body = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
      let answer = try await test.client.send(
        method: "POST", path: "/a b/ü", query: [(name: "name", value: "x&y=ß")], body: body)
      #expect(answer.status == 200)
      #expect(answer.body == body)
      #expect(answer.headers["x-path"] == "/a b/ü")
      #expect(answer.headers["X-Query"] == "x&y=ß")
      #expect(answer.headers["X-Method"] == "POST")
    }
  }

  @Test("Many requests share connections", arguments: [false, true])
  func keepsAlive(tls: Bool) async throws {
    try await TestServer.serve(tls: tls, handler: Self.echo) { test in
      for number in 0..<50 {
        let answer = try await test.client.send(path: "/\(number)")
        #expect(answer.headers["X-Path"] == "/\(number)")
      }
      #expect(await test.server.connectionCount == 1)
    }
  }

  @Test("Requests at the same time are answered each with its own answer")
  func concurrent() async throws {
    try await TestServer.serve(handler: Self.echo) { test in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          group.addTask {
            let answer = try await test.client.send(
              method: "POST", path: "/\(number)", body: [UInt8("\(number % 200)") ?? 0])
            return answer.headers["X-Path"] == "/\(number)"
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }
  }

  @Test("A handler may leave the loop and come back")
  func hops() async throws {
    actor Elsewhere { func answer() -> String { "from elsewhere" } }
    let elsewhere = Elsewhere()
    let handler: HTTPHandler = { _ in .text(await elsewhere.answer()) }
    try await TestServer.serve(handler: handler) { test in
      let answer = try await test.client.send(path: "/")
      #expect(answer.body == [UInt8]("from elsewhere".utf8))
    }
  }

  @Test("A JSON answer is decoded, rubbish is error 730003")
  func json() async throws {
    struct Answer: Codable, Equatable { var number: Int }
    let handler: HTTPHandler = { request in
      request.path == "/json" ? .json(Answer(number: 7)) : .text("rubbish")
    }
    try await TestServer.serve(handler: handler) { test in
      #expect(try await test.client.send(path: "/json").decode(Answer.self) == Answer(number: 7))
      let rubbish = try await test.client.send(path: "/")
      #expect { try rubbish.decode(Answer.self) } throws: { ($0 as? OrielError)?.code == .platformAnswer }
    }
  }

  @Test("A server with another key is error 730002, for requests and for WebSockets")
  func pinMismatch() async throws {
    try await TestServer.serve(tls: true, handler: Self.echo) { test in
      let other = "sha256//" + Data(repeating: 7, count: 32).base64EncodedString()
      let client = HTTPClient(
        address: try ServerAddress("https://127.0.0.1:\(test.port)#\(other)"), loop: test.loop)
      await #expect { try await client.send(path: "/") } throws: {
        ($0 as? OrielError)?.code == .platformUntrusted
      }
      await #expect { try await client.openWebSocket(path: "/") } throws: {
        ($0 as? OrielError)?.code == .platformUntrusted
      }
    }
  }

  @Test("A certificate that nobody vouches for is error 730002 without a pin")
  func untrusted() async throws {
    try await TestServer.serve(tls: true, handler: Self.echo) { test in
      let client = HTTPClient(address: try ServerAddress("https://127.0.0.1:\(test.port)"), loop: test.loop)
      await #expect { try await client.send(path: "/") } throws: {
        ($0 as? OrielError)?.code == .platformUntrusted
      }
      await #expect { try await client.openWebSocket(path: "/") } throws: {
        ($0 as? OrielError)?.code == .platformUntrusted
      }
    }
  }

  @Test("Nobody there is error 730001")
  func unreachable() async throws {
    try await TestServer.serve(handler: Self.echo) { test in
      await test.server.drain(within: .seconds(1))
      await #expect { try await test.client.send(path: "/") } throws: {
        ($0 as? OrielError)?.code == .platformUnreachable
      }
      await #expect { try await test.client.openWebSocket(path: "/") } throws: {
        ($0 as? OrielError)?.code == .platformUnreachable
      }
    }
  }

  @Test("A name with several addresses is tried through")
  func severalAddresses() async throws {
    let handler: HTTPHandler = { request in
      request.path == "/ws" ? await WebSocketTests.echo(request) : .text("served")
    }
    try await TestServer.serve(handler: handler) { test in
      let client = HTTPClient(address: try ServerAddress("http://localhost:\(test.port)"), loop: test.loop)
      #expect(try await client.send(path: "/").status == 200)
      let socket = try await client.openWebSocket(path: "/ws")
      try await socket.send("hello")
      #expect(try await socket.receive() == .text("hello"))
    }
  }

  @Test("A taken port is error 730009")
  func addressInUse() async throws {
    try await TestServer.serve(handler: Self.echo) { test in
      let second = HTTPServer(
        configuration: HTTPServerConfiguration(listeners: [HTTPListener(host: "127.0.0.1", port: test.port)]),
        loop: test.loop, handler: Self.echo)
      await #expect { try await second.start() } throws: { ($0 as? OrielError)?.code == .addressInUse }
    }
  }

  @Test("Plain HTTP is refused beyond loopback")
  func plainBeyondLoopback() async throws {
    try await TestServer.serve(handler: Self.echo) { test in
      let open = HTTPServer(
        configuration: HTTPServerConfiguration(listeners: [HTTPListener(host: "0.0.0.0", port: 0)]),
        loop: test.loop, handler: Self.echo)
      await #expect { try await open.start() } throws: { ($0 as? OrielError)?.code == .argumentError }
    }
  }

  @Test("A request that takes too long ends with 730001, and its handler is cancelled")
  func timeout() async throws {
    let (cancelled, note) = AsyncStream.makeStream(of: Bool.self)
    let handler: HTTPHandler = { _ in
      try? await Task.sleep(for: .seconds(30))
      note.yield(Task.isCancelled)
      return .text("late")
    }
    try await TestServer.serve(handler: handler) { test in
      await #expect { try await test.client.send(path: "/", timeout: .milliseconds(100)) } throws: {
        ($0 as? OrielError)?.code == .platformUnreachable
      }
      var notes = cancelled.makeAsyncIterator()
      #expect(await notes.next() == true)
    }
  }

  @Test("Cancelling the caller's task cancels the request")
  func cancel() async throws {
    let (begun, note) = AsyncStream.makeStream(of: Void.self)
    let handler: HTTPHandler = { _ in
      note.yield()
      try? await Task.sleep(for: .seconds(30))
      return .text("late")
    }
    try await TestServer.serve(handler: handler) { test in
      let request = Task { try await test.client.send(path: "/") }
      var notes = begun.makeAsyncIterator()
      await notes.next()
      request.cancel()
      await #expect { try await request.value } throws: { ($0 as? OrielError)?.code == .cancelled }
    }
  }

  @Test("An answer larger than allowed is error 730003")
  func answerCap() async throws {
    let handler: HTTPHandler = { _ in HTTPResponse(body: .bytes([UInt8](repeating: 0, count: 5000))) }
    try await TestServer.serve(handler: handler) { test in
      await #expect { try await test.client.send(path: "/", maximumBody: 4999) } throws: {
        ($0 as? OrielError)?.code == .platformAnswer
      }
    }
  }
}
