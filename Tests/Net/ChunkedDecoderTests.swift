import Testing

@testable import OrielNet

@Suite("Chunked bodies")
struct ChunkedDecoderTests {
  /// The payload of as much as there is, and whether the body is complete.
  static func decode(_ bytes: [UInt8], step: Int = .max) throws(HTTPRefusal) -> (
    payload: [UInt8], isDone: Bool
  ) {
    var decoder = ChunkedDecoder()
    var payload: [UInt8] = []
    var position = 0
    while position < bytes.count, !decoder.isDone {
      let end = step < bytes.count - position ? position + step : bytes.count
      let piece = Array(bytes[position..<end])
      let result = piece.withUnsafeBytes { buffer in
        Result { () throws(HTTPRefusal) in try decoder.consume(buffer) }
      }
      let (used, range) = try result.get()
      payload += piece[range]
      position += used
    }
    return (payload, decoder.isDone)
  }

  @Test("Sound bodies are taken", arguments: Corpus.entries("chunks/good"))
  func good(entry: Corpus.Entry) throws {
    #expect(try Self.decode(entry.bytes).isDone)
    #expect(try Self.decode(entry.bytes, step: 1).isDone)
  }

  @Test("Malformed bodies are refused", arguments: Corpus.entries("chunks/bad"))
  func bad(entry: Corpus.Entry) {
    #expect(throws: HTTPRefusal.self) { try Self.decode(entry.bytes) }
  }

  @Test("The payload is what was framed")
  func payload() throws {
    let body = [UInt8]("3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\nGET /".utf8)
    for step in [1, 2, 5, 100] {
      #expect(try Self.decode(body, step: step).payload == [UInt8]("abc0123456789".utf8))
    }
  }

  @Test("Spoiled bodies: never a crash, the same in pieces as whole")
  func fuzz() {
    var mutator = Mutator(seed: 7)
    let good = Corpus.entries("chunks/good").map(\.bytes)
    let bad = Corpus.entries("chunks/bad").map(\.bytes)
    var done = 0
    for round in 0..<4000 {
      let bytes = mutator.mutate(round % 2 == 0 ? good[round / 2 % good.count] : bad[round / 2 % bad.count])
      let whole = Result { () throws(HTTPRefusal) in try Self.decode(bytes) }
      let pieces = Result { () throws(HTTPRefusal) in try Self.decode(bytes, step: 1 + round % 3) }
      switch (whole, pieces) {
      case (.success(let one), .success(let other)):
        #expect(one.payload == other.payload && one.isDone == other.isDone)
        if one.isDone { done += 1 }
      case (.failure(let one), .failure(let other)): #expect(one == other)
      default: Issue.record("whole and in pieces differ")
      }
    }
    #expect(done > 100)
  }
}
