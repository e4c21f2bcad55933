import Foundation

/// The texts under Tests/RTC/Corpus, and small damage to them that is the same in every run.
enum Corpus {
  static func texts(_ folder: String) throws -> [(name: String, text: String)] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Corpus/\(folder)")
    return try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
      .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
  }

  struct Damage: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      // xorshift64*
      state ^= state >> 12
      state ^= state << 25
      state ^= state >> 27
      return state &* 2_685_821_657_736_338_717
    }

    private static let tokens = [
      "a=", "m=video ", ":", " ", "\r\n", "=", "/", ";", "-1", "0", "99999999999999999999", "a=mid:0\r\n",
      "\u{0}",
      "\u{301}", "😀", "a=group:BUNDLE", "a=fmtp:", "a=ssrc:", "a=candidate:", "m=application 0 ", "255",
      "128",
    ].map { Array($0.utf8) }

    /// Changes, drops, doubles or puts in a few bytes, lines or tokens.
    mutating func damage(_ text: String) -> String {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &self) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &self)
        let end = min(bytes.count, at + Int.random(in: 1...40, using: &self))
        switch Int.random(in: 0..<5, using: &self) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &self)
        case 1: bytes.removeSubrange(at..<end)
        case 2: bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: 0...bytes.count, using: &self))
        case 3: bytes.insert(contentsOf: Self.tokens.randomElement(using: &self) ?? [], at: at)
        default: bytes.replaceSubrange(at..<end, with: Self.tokens.randomElement(using: &self) ?? [])
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
