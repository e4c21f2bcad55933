import OrielModel
import Testing

@testable import OrielNet

@Suite("Heads of requests")
struct HeadParserTests {
  /// Scans and reads as a connection does: the head and the bytes behind it, nil when it is not complete.
  static func read(_ bytes: [UInt8], step: Int = .max) throws(HTTPRefusal) -> (head: RequestHead, used: Int)?
  {
    var scanner = HeadScanner()
    var available = 0
    while available < bytes.count {
      available = step < bytes.count - available ? available + step : bytes.count
      let found = bytes[0..<available].withUnsafeBytes { part in
        Result { () throws(HTTPRefusal) in try scanner.end(in: part) }
      }
      guard let count = try found.get() else { continue }
      let head = bytes[0..<count].withUnsafeBytes { part in
        Result { () throws(HTTPRefusal) in try RequestHead(part, maximumFields: 100) }
      }
      return (try head.get(), count)
    }
    return nil
  }

  @Test("A sound head is taken", arguments: Corpus.entries("heads/good"))
  func good(entry: Corpus.Entry) throws {
    let read = try #require(try Self.read(entry.bytes))
    #expect(read.used == entry.bytes.count)
  }

  @Test("What readers could differ over is refused", arguments: Corpus.entries("heads/bad"))
  func bad(entry: Corpus.Entry) {
    #expect(throws: HTTPRefusal.self) {
      if try Self.read(entry.bytes) == nil { Issue.record("not even complete") }
    }
  }

  @Test("The corpus is there")
  func corpus() {
    #expect(Corpus.entries("heads/good").count >= 10)
    #expect(Corpus.entries("heads/bad").count >= 60)
    #expect(Corpus.entries("chunks/bad").count >= 14)
  }

  @Test(
    "A path is decoded and normalised",
    arguments: [
      ("/", "/"), ("/a/b", "/a/b"), ("/a//b/", "/a/b/"), ("/a/./b/../c", "/a/c"), ("/%7Eme/%C3%BC", "/~me/ü"),
      ("/a/..", "/"), ("/a/b/.", "/a/b/"), ("http://h:1/x?y", "/x"), ("http://h", "/"), ("/a+b", "/a+b"),
    ])
  func paths(raw: String, path: String) throws {
    #expect(try RequestTarget(raw, method: "GET").path == path)
  }

  @Test("A query is taken apart")
  func query() throws {
    let target = try RequestTarget("/?a=1&b=x%26y+z&c&=d&a=2", method: "GET")
    #expect(target.query.map(\.name) == ["a", "b", "c", "", "a"])
    #expect(target.query.map(\.value) == ["1", "x&y z", "", "d", "2"])
    #expect(FormURLEncoded.decode([UInt8]("k=%zz".utf8)) == nil)
    let pairs = [(name: "ü &", value: "=+%")]
    let back = FormURLEncoded.decode([UInt8](FormURLEncoded.encode(pairs).utf8))
    #expect(back?.first?.name == "ü &")
    #expect(back?.first?.value == "=+%")
  }

  @Test("Header fields and methods have limits")
  func limits() {
    let many = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 100) + "\r\n"
    #expect(throws: HTTPRefusal(431, "too many header fields")) { try Self.read([UInt8](many.utf8)) }
    let long = String(repeating: "M", count: 33) + " / HTTP/1.1\r\nHost: a\r\n\r\n"
    #expect(throws: HTTPRefusal.self) { try Self.read([UInt8](long.utf8)) }
  }

  @Test("Spoiled heads: never a crash, the same in pieces as whole, and nothing ambiguous is let through")
  func fuzz() throws {
    var mutator = Mutator(seed: 2026)
    let good = Corpus.entries("heads/good").map(\.bytes)
    let bad = Corpus.entries("heads/bad").map(\.bytes)
    var taken = 0
    for round in 0..<3000 {
      let bytes = mutator.mutate(round % 2 == 0 ? good[round / 2 % good.count] : bad[round / 2 % bad.count])
      let whole = Result { () throws(HTTPRefusal) in try Self.read(bytes) }
      let pieces = Result { () throws(HTTPRefusal) in try Self.read(bytes, step: 1 + round % 7) }
      switch (whole, pieces) {
      case (.success(let one), .success(let other)):
        #expect(one?.used == other?.used)
        guard let one else { continue }
        taken += 1
        check(one.head, Array(bytes[0..<one.used]))
      case (.failure(let one), .failure(let other)):
        // Whole, a bare line feed is only met in front of the head's end; piece by piece it is the same.
        #expect(one == other)
      default: Issue.record("whole and in pieces differ: \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(taken > 200)
  }

  /// What must hold of every head that is taken, seen without the parser.
  private func check(_ head: RequestHead, _ bytes: [UInt8]) {
    #expect(!bytes.contains(0))
    for (index, byte) in bytes.enumerated() where byte == 0x0a || byte == 0x0d {
      #expect(byte == 0x0a ? index > 0 && bytes[index - 1] == 0x0d : bytes[index + 1] == 0x0a)
    }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    let lines = text.split(separator: "\r\n")
    #expect(!lines.dropFirst().contains { $0.hasPrefix(" ") || $0.hasPrefix("\t") })
    let lengths = lines.filter { $0.hasPrefix("content-length") }
    let codings = lines.filter { $0.hasPrefix("transfer-encoding") }
    let named = lines.filter { $0.hasPrefix("content-length:") || $0.hasPrefix("transfer-encoding:") }
    #expect(named.count <= 1)
    switch head.bodyLength {
    case .fixed(let count): #expect(lengths.count >= 1 && count > 0)
    case .chunked: #expect(codings.count >= 1)
    case .none: #expect(!named.contains { $0.hasPrefix("transfer-encoding:") })
    }
    #expect(head.target.path == "*" || head.target.path.hasPrefix("/"))
    #expect(!head.target.path.split(separator: "/").contains(".."))
  }
}
