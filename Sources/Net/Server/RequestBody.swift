import OrielModel

/// Takes a request's body out of the stream's input, as fast as the handler asks for it.
///
/// `@unchecked Sendable`: only the loop's thread touches it; the handler reaches it through `EventLoop.wait`.
final class RequestBody: @unchecked Sendable {
  /// Bytes of one piece at most.
  static let piece = 65_536

  private enum State {
    case fixed(Int)
    case chunked(ChunkedDecoder)
    case done
    case failed(OrielError)
  }

  let loop: EventLoop
  private let stream: SocketStream
  private var state: State
  /// Bytes that the body may still have.
  private var allowance: Int
  private var reader: CheckedContinuation<[UInt8]?, any Error>?
  /// Called when the reader has to wait for the peer; true the first time.
  private var onWait: ((Bool) -> Void)?
  private var hasWaited = false
  /// Bytes of the body that have been read.
  private(set) var count = 0
  /// Why the body is not sound, for the answer.
  private(set) var refusal: HTTPRefusal?

  init(
    loop: EventLoop, stream: SocketStream, length: RequestHead.BodyLength, cap: Int,
    onWait: ((Bool) -> Void)?
  ) {
    self.loop = loop
    self.stream = stream
    allowance = cap
    self.onWait = onWait
    state =
      switch length {
      case .none: .done
      case .fixed(let count): .fixed(count)
      case .chunked: .chunked(ChunkedDecoder())
      }
  }

  var isDone: Bool { if case .done = state { true } else { false } }
  var isAwaited: Bool { reader != nil }

  /// For `HTTPBody`.
  func next() async throws -> [UInt8]? {
    if loop.isCurrent, let piece = try take() { return piece }
    return try await loop.wait { [self] in
      read($0)
    } onCancel: { [self] in
      reader?.resume(throwing: OrielError(.cancelled))
      reader = nil
    }
  }

  private func read(_ continuation: CheckedContinuation<[UInt8]?, any Error>) {
    guard reader == nil else {
      return continuation.resume(throwing: OrielError(.argumentError, "a body has one reader"))
    }
    reader = continuation
    serve()
    if self.reader == nil { return }
    stream.isReading = true
    onWait?(!hasWaited)
    hasWaited = true
  }

  /// Gives the waiting reader what has come.
  func serve() {
    guard let reader else { return }
    do {
      if let piece = try take() {
        self.reader = nil
        reader.resume(returning: piece)
      } else if isDone {
        self.reader = nil
        reader.resume(returning: nil)
      }
    } catch {
      self.reader = nil
      reader.resume(throwing: error)
    }
  }

  /// The next piece of what has come; nil when there is none, or none any more.
  private func take() throws(OrielError) -> [UInt8]? {
    switch state {
    case .done: return nil
    case .failed(let error): throw error
    case .fixed(let left):
      let piece = stream.takeInput(upTo: min(left, Self.piece))
      if piece.isEmpty { return nil }
      count += piece.count
      state = left == piece.count ? .done : .fixed(left - piece.count)
      return piece
    case .chunked(var decoder):
      do {
        let piece = try takeChunk(&decoder)
        state = decoder.isDone ? .done : .chunked(decoder)
        return piece
      } catch {
        refusal = error
        let failure = OrielError(.messageMalformed, error.reason)
        state = .failed(failure)
        throw failure
      }
    }
  }

  private func takeChunk(_ decoder: inout ChunkedDecoder) throws(HTTPRefusal) -> [UInt8]? {
    while stream.inputCount > 0, !decoder.isDone {
      var piece: [UInt8] = []
      let result = stream.withInput(upTo: Self.piece) { bytes in
        Result { () throws(HTTPRefusal) in
          let (used, payload) = try decoder.consume(bytes)
          piece = [UInt8](bytes[payload])
          return used
        }
      }
      stream.skipInput(try result.get())
      allowance -= piece.count
      count += piece.count
      guard allowance >= 0 else { throw HTTPRefusal(413, "the body is too long") }
      if !piece.isEmpty { return piece }
    }
    return nil
  }

  /// Drops what has come of a body that the handler did not read.
  func discard() { while let piece = try? take(), !piece.isEmpty {} }

  /// The peer is gone, or the answer is over.
  func end(_ error: OrielError) {
    if !isDone { state = .failed(error) }
    reader?.resume(throwing: error)
    reader = nil
    onWait = nil
  }
}
