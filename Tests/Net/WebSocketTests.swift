import Foundation
import OrielModel
import OrielNet
import Testing

@Suite("WebSockets, both ways")
struct WebSocketTests {
  static let echo: HTTPHandler = { request in
    .webSocket(maxMessage: 200_000) { socket in
      do {
        for try await message in socket.messages {
          switch message {
          case .text(let text): try await socket.send(text)
          case .binary(let bytes): try await socket.sendBinary(bytes)
          }
        }
      } catch {}
    }
  }

  @Test("Messages come back as they were", arguments: [false, true])
  func echoes(tls: Bool) async throws {
    try await TestServer.serve(tls: tls, handler: Self.echo) { test in
      let socket = try await test.client.openWebSocket(path: "/ws")
      let large = [UInt8]((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      var messages = socket.messages.makeAsyncIterator()
      for text in ["", "grüß", String(repeating: "x", count: 70_000)] {
        try await socket.send(text)
        #expect(try await messages.next() == .text(text))
      }
      try await socket.sendBinary(large)
      #expect(try await messages.next() == .binary(large))
      await socket.close()
      #expect(try await messages.next() == nil)
      #expect(await socket.closeCode == 1000)
    }
  }

  @Test("The server's close code and its last message arrive", arguments: [false, true])
  func serverCloses(tls: Bool) async throws {
    let handler: HTTPHandler = { _ in
      .webSocket { socket in
        try? await socket.send("bye")
        await socket.close(code: 4001, reason: "enough")
      }
    }
    try await TestServer.serve(tls: tls, handler: handler) { test in
      let socket = try await test.client.openWebSocket(path: "/")
      #expect(try await socket.receive() == .text("bye"))
      #expect(try await socket.receive() == nil)
      #expect(await socket.closeCode == 4001)
    }
  }

  @Test("A message over the cap closes with 1009")
  func tooLarge() async throws {
    try await TestServer.serve(handler: Self.echo) { test in
      let socket = try await test.client.openWebSocket(path: "/")
      // The server may close before it has taken all.
      try? await socket.sendBinary([UInt8](repeating: 1, count: 200_001))
      #expect(try await socket.receive() == nil)
      #expect(await socket.closeCode == 1009)
    }
  }

  @Test("What does not ask for a WebSocket is answered 426, a path without one 730003")
  func notAWebSocket() async throws {
    try await TestServer.serve(handler: Self.echo) { test in
      let answer = try await test.client.send(path: "/")
      #expect(answer.status == 426)
    }
    let nothing: HTTPHandler = { _ in .text("no", status: 404) }
    try await TestServer.serve(handler: nothing) { test in
      await #expect { try await test.client.openWebSocket(path: "/") } throws: {
        ($0 as? OrielError)?.code == .platformAnswer
      }
    }
  }

  @Test("A sender waits for a reader that does not read")
  func backPressure() async throws {
    let (sent, note) = AsyncStream.makeStream(of: Int.self)
    let (go, start) = AsyncStream.makeStream(of: Void.self)
    let handler: HTTPHandler = { _ in
      .webSocket { socket in
        var starts = go.makeAsyncIterator()
        await starts.next()
        var count = 0
        while let message = try? await socket.receive() {
          if case .binary(let bytes) = message { count += bytes.count }
          note.yield(count)
        }
      }
    }
    var limits = HTTPLimits()
    limits.webSocketPing = .seconds(60)
    try await TestServer.serve(limits: limits, handler: handler) { test in
      let socket = try await test.client.openWebSocket(path: "/")
      let piece = [UInt8](repeating: 9, count: 60_000)
      let total = 500
      let pushed = Pushed()
      let sender = Task {
        for _ in 0..<total {
          try await socket.sendBinary(piece)
          await pushed.add()
        }
      }
      // 30 MB do not fit into the kernel's buffers: the sender must come to rest.
      var before = -1
      while await pushed.count != before {
        before = await pushed.count
        try await Task.sleep(for: .milliseconds(150))
      }
      #expect(before < total)
      start.yield()
      try await sender.value
      for await count in sent where count == total * piece.count { break }
    }
  }

  private actor Pushed {
    var count = 0
    func add() { count += 1 }
  }

  @Test("A reader that is cancelled stops waiting")
  func cancelledReader() async throws {
    try await TestServer.serve(handler: Self.echo) { test in
      let socket = try await test.client.openWebSocket(path: "/")
      let reader = Task { try await socket.receive() }
      reader.cancel()
      await #expect { try await reader.value } throws: { ($0 as? OrielError)?.code == .cancelled }
      try await socket.send("still there")
      #expect(try await socket.receive() == .text("still there"))
    }
  }

  @Test("A socket that is let go closes, and the server's side ends")
  func released() async throws {
    let (ended, note) = AsyncStream.makeStream(of: UInt16?.self)
    let handler: HTTPHandler = { _ in
      .webSocket { socket in
        _ = try? await socket.receive()
        note.yield(await socket.closeCode)
      }
    }
    try await TestServer.serve(handler: handler) { test in
      _ = try await test.client.openWebSocket(path: "/")
      var notes = ended.makeAsyncIterator()
      #expect(await notes.next() == 1001)
    }
  }
}
