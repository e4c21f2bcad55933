import Foundation
import Testing

/// Inputs kept beside the tests: what parsers must take and what they must refuse.
struct Corpus {
  struct Entry: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  static func entries(_ folder: String) -> [Entry] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus").appending(path: folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.sorted().map { name in
      Entry(name: name, bytes: (try? [UInt8](Data(contentsOf: root.appending(path: name)))) ?? [])
    }
  }
}

/// A generator that gives the same numbers every time (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// Spoils inputs.
struct Mutator {
  /// What parsers stumble over.
  private static let tokens: [[UInt8]] =
    [
      "\r\n", "\n", "\r", " ", "\t", ":", "\0", "%2e", "%00", "../", "Content-Length: 3\r\n", "0x", "+",
      "chunked",
      "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "HTTP/1.1", ";", ",",
    ].map { [UInt8]($0.utf8) } + [[0xff], [0x80], [0xc3]]

  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let position = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, position + Int.random(in: 1...8, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: if position < bytes.count { bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      case 1: bytes.removeSubrange(position..<end)
      case 2: bytes.insert(contentsOf: bytes[position..<end], at: position)
      case 3: bytes.insert(.random(in: 0...255, using: &random), at: position)
      case 4: bytes.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: position)
      default: bytes.removeSubrange(position...)
      }
    }
    return bytes
  }
}
