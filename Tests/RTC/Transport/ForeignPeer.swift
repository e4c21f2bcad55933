import Foundation

@testable import OrielRTC

/// Another WebRTC stack in a process of its own, spoken to in JSON lines (see Tests/EndToEnd/Peers).
@RTCActor
final class ForeignPeer {
  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  nonisolated static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  nonisolated static let aiortc = root.appendingPathComponent(".build/peers/bin/python").path
  nonisolated static let python = "/usr/bin/python3"
  nonisolated static let hasAiortc = FileManager.default.isExecutableFile(atPath: aiortc)
  nonisolated static let hasChromium = FileManager.default.isExecutableFile(atPath: "/usr/bin/chromedriver")

  private let process = Process()
  private let input = Pipe()
  private let lines: AsyncStream<Data>
  private var iterator: AsyncStream<Data>.Iterator
  /// All that it has said so far, by key.
  private(set) var said: [[String: Any]] = []
  let connection: PeerConnection

  init(
    _ script: String, python: String, arguments: [String] = [], configuration: PeerConfiguration = .loopback
  ) async throws {
    connection = try PeerConnection(configuration)
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments =
      [Self.root.appendingPathComponent("Tests/EndToEnd/Peers/\(script)").path] + arguments
    process.standardInput = input
    process.standardOutput = output
    lines = Self.lines(of: output.fileHandleForReading)
    iterator = lines.makeAsyncIterator()
    try process.run()
    connection.onLocalCandidate = { [weak self] line, mid, index in
      self?.tell(["candidate": line, "mid": mid ?? "0", "index": index])
    }
    _ = try await hear("ready")
  }

  func tell(_ command: [String: Any]) {
    guard var data = try? JSONSerialization.data(withJSONObject: command) else { return }
    data.append(10)
    try? input.fileHandleForWriting.write(contentsOf: data)
  }

  /// Waits until it says something under `key`, and hands candidates on in the meantime.
  func hear(_ key: String, where isMeant: (Any) -> Bool = { _ in true }) async throws -> [String: Any] {
    while let line = await nextLine() {
      guard let event = try JSONSerialization.jsonObject(with: line) as? [String: Any] else { continue }
      said.append(event)
      if let error = event["error"] { throw Failed(description: "\(error)") }
      if let candidate = event["candidate"] as? String {
        try connection.addRemoteCandidate(
          candidate, mid: event["mid"] as? String, mLine: event["index"] as? Int)
      }
      if let value = event[key], isMeant(value) { return event }
    }
    throw Failed(description: "the peer ended before saying \(key)")
  }

  func hearText(_ key: String, _ text: String) async throws {
    _ = try await hear(key) { $0 as? String == text }
  }

  /// It offers, this side answers.
  func answerItsOffer(_ command: [String: Any]) async throws {
    tell(command.merging(["do": "offer"]) { first, _ in first })
    let offer = try await hear("sdp")
    try connection.acceptOffer(offer["sdp"] as? String ?? "")
    tell(["type": "answer", "sdp": try connection.createAnswer()])
  }

  /// This side offers, it answers.
  func offer(iceRestart: Bool = false) async throws {
    tell(["type": "offer", "sdp": try connection.createOffer(iceRestart: iceRestart)])
    let answer = try await hear("sdp")
    try connection.acceptAnswer(answer["sdp"] as? String ?? "")
  }

  func close() {
    connection.close()
    try? input.fileHandleForWriting.close()
  }

  private func nextLine() async -> Data? {
    var copy = iterator
    let line = await copy.next(isolation: RTCActor.shared)
    iterator = copy
    return line
  }

  private nonisolated static func lines(of handle: FileHandle) -> AsyncStream<Data> {
    AsyncStream { continuation in
      let buffer = LineBuffer()
      handle.readabilityHandler = { handle in
        let more = handle.availableData
        if more.isEmpty {
          handle.readabilityHandler = nil
          continuation.finish()
        } else {
          for line in buffer.take(more) { continuation.yield(line) }
        }
      }
    }
  }
}

/// Confined to the one queue on which a file handle reports.
private final class LineBuffer: @unchecked Sendable {
  private var rest = Data()

  func take(_ more: Data) -> [Data] {
    rest.append(more)
    var lines: [Data] = []
    while let end = rest.firstIndex(of: 10) {
      lines.append(rest[rest.startIndex..<end])
      rest = Data(rest[(end + 1)...])
    }
    return lines
  }
}
