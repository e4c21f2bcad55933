import OrielModel
import OrielNet

/// A link that is open and signed in: messages both ways until it ends.
struct OpenLink: Sendable {
  var welcome: Welcome
  var send: @Sendable (LinkMessage) async throws -> Void
  /// What comes; ends or throws with the link. One reader.
  var messages: AsyncThrowingStream<LinkMessage, any Error>
  var close: @Sendable () async -> Void
}

/// Opens links; the seam between the link's life and the network.
protocol LinkConnector: Sendable {
  /// - Throws: `OrielError`.
  func connect() async throws -> OpenLink
}

/// Opens the viewer link of a platform.
struct PlatformLinkConnector: LinkConnector {
  let client: PlatformClient

  func connect() async throws -> OpenLink {
    guard let token = client.accessToken else { throw OrielError(.notSignedIn) }
    let socket = try await client.http.openWebSocket(
      path: "/v1/viewer", maxMessage: LinkMessage.sizeLimit, timeout: .seconds(5))
    do {
      try await socket.send(LinkMessage.authenticate(Authentication(accessToken: token)).text())
      let incoming = socket.messages
      let messages = AsyncThrowingStream<LinkMessage, any Error>.makeStream(
        bufferingPolicy: .bufferingOldest(1024))
      // Ends with the socket.
      Task {
        do {
          for try await message in incoming {
            // A message of a newer platform is passed over, not an end of the link.
            guard case .text(let text) = message, let message = try? LinkMessage(text: text) else { continue }
            messages.continuation.yield(message)
          }
          messages.continuation.finish()
        } catch {
          messages.continuation.finish(throwing: error)
        }
      }
      let welcome = try await Self.welcome(messages.stream)
      return OpenLink(
        welcome: welcome, send: { try await socket.send($0.text()) }, messages: messages.stream,
        close: { await socket.close(code: 1000, reason: "") })
    } catch {
      await socket.close(code: 1000, reason: "")
      throw error
    }
  }

  /// The platform's first word, within 5 s.
  private static func welcome(_ messages: AsyncThrowingStream<LinkMessage, any Error>) async throws -> Welcome
  {
    try await withThrowingTaskGroup(of: Welcome.self) { group in
      group.addTask {
        for try await message in messages {
          switch message {
          case .welcome(let welcome): return welcome
          case .refused(let refusal):
            throw OrielError(ErrorCode(rawValue: refusal.errorCode) ?? .accessTokenInvalid)
          default: continue
          }
        }
        throw OrielError(.platformUnreachable)
      }
      group.addTask {
        try await Task.sleep(for: .seconds(5))
        throw OrielError(.platformUnreachable, "it did not answer in 5 s")
      }
      defer { group.cancelAll() }
      guard let welcome = try await group.next() else { throw OrielError(.platformUnreachable) }
      return welcome
    }
  }
}
