import OrielModel

/// The body of a request, in pieces as they come.
///
/// The peer is read only as fast as the body is: a reader that waits makes the peer wait (back-pressure).
/// One reader only. Cancelling the reading task ends the wait.
public struct HTTPBody: AsyncSequence, Sendable {
  typealias Source = @Sendable () async throws -> [UInt8]?
  private let source: Source

  init(source: @escaping Source) { self.source = source }

  /// A body that is complete, for requests made without a socket.
  public init(_ bytes: [UInt8] = []) {
    let rest = OneShot(bytes.isEmpty ? nil : bytes)
    source = { rest.take() }
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let source: Source

    /// The next piece, nil at the end.
    /// - Throws: `OrielError` 730007 when the body is malformed or over the server's cap, 730001 when the
    ///   peer is gone, 760001 when the task is cancelled.
    public func next() async throws -> [UInt8]? { try await source() }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

  /// The whole body.
  /// - Parameter limit: bytes that are taken at most.
  /// - Throws: `OrielError` 730007 when it is longer; else as `next()`.
  public func collect(upTo limit: Int) async throws -> [UInt8] {
    var whole: [UInt8] = []
    for try await piece in self {
      guard whole.count + piece.count <= limit else {
        throw OrielError(.messageMalformed, "the body is longer than \(limit) bytes")
      }
      if whole.isEmpty { whole = piece } else { whole += piece }
    }
    return whole
  }
}
