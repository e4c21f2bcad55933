import CWslay
import OrielModel

/// A message of a WebSocket.
public enum WebSocketMessage: Sendable, Equatable {
  case text(String)
  case binary([UInt8])
}

/// A WebSocket (RFC 6455), of either side. Pings a silent peer and gives it up when it stays silent.
///
/// It is closed with 1001 when the last reference to it goes.
public final class WebSocket: Sendable {
  private let connection: WebSocketConnection

  init(_ connection: WebSocketConnection) { self.connection = connection }

  deinit {
    let connection = connection
    connection.loop.run { connection.close(code: 1001, reason: []) }
  }

  /// The peer's address without its port.
  public var remoteAddress: String { connection.remoteAddress }

  /// The peer's messages; the peer is read only as fast as they are. One reader.
  ///
  /// Ends when the socket is closed. On the client's side it throws `OrielError` 730001 when the connection is
  /// lost. Throws 760001 when the reading task is cancelled.
  public var messages: AsyncThrowingStream<WebSocketMessage, any Error> {
    AsyncThrowingStream { [connection] in try await Self.next(connection) }
  }

  /// The next message; nil at the end. As `messages`, for a reader that takes them one by one.
  public func receive() async throws -> WebSocketMessage? { try await Self.next(connection) }

  private static func next(_ connection: WebSocketConnection) async throws -> WebSocketMessage? {
    if connection.loop.isCurrent, let message = connection.takeUnread() { return message }
    return try await connection.loop.wait {
      connection.read($0)
    } onCancel: {
      connection.cancelRead()
    }
  }

  /// The code that the peer closed with (RFC 6455 section 7.4): nil while open, 1005 when it gave none, 1006 when
  /// it just went away.
  public var closeCode: UInt16? {
    get async { try? await connection.loop.call { [connection] in connection.closeCode } }
  }

  /// Sends a text; waits while the peer takes nothing (back-pressure).
  /// - Throws: `OrielError` 730001 when the socket is closed.
  public func send(_ text: String) async throws { try await send(WSLAY_TEXT_FRAME, [UInt8](text.utf8)) }

  /// Sends bytes; as `send(_:)`.
  public func sendBinary(_ bytes: [UInt8]) async throws { try await send(WSLAY_BINARY_FRAME, bytes) }

  private func send(_ opcode: wslay_opcode, _ bytes: [UInt8]) async throws {
    let hasRoom = try await connection.loop.call { [connection] in try connection.send(opcode, bytes) }
    if hasRoom { return }
    try await withCheckedThrowingContinuation { continuation in
      connection.loop.run { [connection] in connection.awaitRoom(continuation) }
    }
  }

  /// Closes and waits for the peer's goodbye, 5 s at most. Does nothing when closed.
  /// - Parameters:
  ///   - code: RFC 6455 section 7.4, or 3000...4999.
  ///   - reason: 123 bytes of UTF-8 at most; the rest is cut.
  public func close(code: UInt16 = 1000, reason: String = "") async {
    var short = reason
    while short.utf8.count > 123 { short.removeLast() }
    let bytes = [UInt8](short.utf8)
    await withCheckedContinuation { continuation in
      connection.loop.run { [connection] in
        connection.close(code: code, reason: bytes)
        connection.awaitEnd(continuation)
      }
    }
  }
}
