import OrielModel

/// A message of a WebSocket.
public enum WebSocketMessage: Sendable, Equatable {
  case text(String)
  case binary([UInt8])
}

/// A WebSocket (RFC 6455), of either side. Pings a silent peer and gives it up when it stays silent.
public final class WebSocket: Sendable {
  /// The peer's address without its port.
  public let remoteAddress: String

  init(remoteAddress: String) { self.remoteAddress = remoteAddress }

  /// The peer's messages; the peer is read only as fast as they are. One reader.
  ///
  /// Ends when the socket is closed. On the client's side it throws `OrielError` 730001 when the connection is
  /// lost and 730003 when the server breaks the protocol.
  public var messages: AsyncThrowingStream<WebSocketMessage, any Error> {
    AsyncThrowingStream { $0.finish() }
  }

  /// The code that the peer closed with (RFC 6455 section 7.4); nil while open, 1006 when it just went away.
  public var closeCode: UInt16? { nil }

  /// Sends a text; waits while the peer takes nothing (back-pressure).
  /// - Throws: `OrielError` 730001 when the socket is closed.
  public func send(_ text: String) async throws { throw OrielError(.platformUnreachable) }

  /// Sends bytes; as `send(_:)`.
  public func sendBinary(_ bytes: [UInt8]) async throws { throw OrielError(.platformUnreachable) }

  /// Closes and waits for the peer's goodbye, 5 s at most. Does nothing when closed.
  /// - Parameters:
  ///   - code: RFC 6455 section 7.4, or 3000...4999.
  ///   - reason: 123 bytes of UTF-8 at most; the rest is cut.
  public func close(code: UInt16 = 1000, reason: String = "") async {}
}
