/// Takes the chunked coding apart (RFC 9112 section 7.1), strictly.
///
/// A size is one to eight hexadecimal digits and nothing else; extensions and trailers are refused, since no
/// client of ours sends them and readers differ over them.
struct ChunkedDecoder {
  private enum State {
    case size(digits: Int, value: Int)
    case sizeFeed(Int)
    case data(Int)
    case dataReturn
    case dataFeed
    case endReturn
    case endFeed
    case done
  }

  private var state = State.size(digits: 0, value: 0)

  var isDone: Bool { if case .done = state { true } else { false } }

  /// Reads on: how many bytes it used, and which of them are payload. It stops after each piece of payload.
  mutating func consume(_ bytes: UnsafeRawBufferPointer) throws(HTTPRefusal) -> (
    used: Int, payload: Range<Int>
  ) {
    var position = 0
    while position < bytes.count, !isDone {
      if case .data(let left) = state {
        let end = position + min(left, bytes.count - position)
        state = left > end - position ? .data(left - (end - position)) : .dataReturn
        return (end, position..<end)
      }
      state = try Self.next(state, bytes[position])
      position += 1
    }
    return (position, position..<position)
  }

  private static func next(_ state: State, _ byte: UInt8) throws(HTTPRefusal) -> State {
    switch (state, byte) {
    case (.size(let digits, let value), 0x0d) where digits > 0: return .sizeFeed(value)
    case (.size(let digits, let value), _):
      guard digits < 8, let digit = HexDigit.value(byte) else {
        throw .malformed("a chunk size is malformed")
      }
      return .size(digits: digits + 1, value: value << 4 | Int(digit))
    case (.sizeFeed(let size), 0x0a): return size > 0 ? .data(size) : .endReturn
    case (.dataReturn, 0x0d): return .dataFeed
    case (.dataFeed, 0x0a): return .size(digits: 0, value: 0)
    case (.endReturn, 0x0d): return .endFeed
    case (.endFeed, 0x0a): return .done
    default: throw .malformed("a chunk is malformed")
    }
  }
}
