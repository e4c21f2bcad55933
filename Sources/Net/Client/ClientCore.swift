import CCurl
import Foundation
import OrielModel

/// The connections of a client.
///
/// `@unchecked Sendable`: only the loop's thread touches what varies; others reach it through `EventLoop.run`.
final class ClientCore: @unchecked Sendable {
  let loop: EventLoop
  let address: ServerAddress
  let ticker: Ticker
  private var curl: CurlLoop?
  private var tls: TLSContext?
  private var isClosed = false

  init(loop: EventLoop, address: ServerAddress) {
    self.loop = loop
    self.address = address
    ticker = Ticker(loop: loop)
  }

  // MARK: Requests

  func send(_ request: Transfer.Request) async throws -> HTTPClientResponse {
    let slot = TransferSlot()
    return try await loop.wait { [self] continuation in
      guard !isClosed else { return continuation.resume(throwing: OrielError(.cancelled)) }
      if curl == nil { curl = CurlLoop(loop: loop) }
      guard let curl, let transfer = Transfer(request, continuation) else {
        return continuation.resume(throwing: OrielError(.platformUnreachable))
      }
      slot.transfer = transfer
      curl.start(transfer)
    } onCancel: { [self] in
      if let transfer = slot.transfer { curl?.cancel(transfer) }
    }
  }

  // MARK: WebSockets

  func open(
    addresses: [ResolvedAddress], path: String, headers: HTTPHeaders, maxMessage: Int, timeout: Duration
  ) async throws -> WebSocketConnection {
    let slot = OpeningSlot()
    return try await loop.wait { [self] continuation in
      guard !isClosed else { return continuation.resume(throwing: OrielError(.cancelled)) }
      let opening = WebSocketOpening(
        core: self, addresses: addresses, path: path, headers: headers, maxMessage: maxMessage,
        timeout: timeout, continuation)
      slot.opening = opening
      opening.start()
    } onCancel: {
      slot.opening?.fail(OrielError(.cancelled))
    }
  }

  /// A TLS connection for a stream; nil for plain HTTP.
  func makeTLS() throws -> OpaquePointer? {
    guard address.isTLS else { return nil }
    let verifies = address.pin == nil
    let context = try tls ?? TLSContext.client(verifies: verifies)
    tls = context
    guard let connection = context.makeConnection(to: address.host, verifies: verifies) else {
      throw OrielError(.platformUnreachable, "no TLS")
    }
    return connection
  }

  /// Ends requests and kept connections; WebSockets that are open belong to who holds them.
  func release() {
    isClosed = true
    curl?.close()
    curl = nil
  }

  func close() {
    release()
    for member in ticker.all {
      (member as? WebSocketOpening)?.fail(OrielError(.cancelled))
      (member as? WebSocketConnection)?.close(code: 1001, reason: [])
    }
  }
}

/// Where a wait keeps what cancelling it must reach; only the loop's thread touches it.
private final class TransferSlot: @unchecked Sendable { weak var transfer: Transfer? }
private final class OpeningSlot: @unchecked Sendable { weak var opening: WebSocketOpening? }
