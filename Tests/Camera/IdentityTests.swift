import Foundation
import Glibc
import OrielCrypto
import OrielModel
import Testing

@testable import OrielCamera

/// A folder of its own for a test, gone afterwards.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "oriel-camera-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func mode(of name: String) -> mode_t {
    var status = stat()
    return stat(file(name), &status) == 0 ? status.st_mode & 0o777 : 0
  }
}

@Suite struct IdentityTests {
  @Test func aPipeInItsPlaceIsNoWait() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("identity.json"), 0o600) == 0)
    let data = try DataFolder(folder.path)
    #expect { try data.identity() } throws: { ($0 as? OrielError)?.code == .dataFolder }
  }

  @Test func isMadeOnceAndFoundAgain() throws {
    let folder = try TemporaryFolder()
    let first = try DataFolder(folder.path)
    let identity = try first.identity()
    first.unlock()
    let again = try DataFolder(folder.path).identity()
    #expect(again.serial == identity.serial)
    #expect(again.code == identity.code)
    #expect(again.signingKey.publicKey == identity.signingKey.publicKey)
    #expect(again.agreementKey.publicKey == identity.agreementKey.publicKey)
    #expect(identity.serial.value.hasPrefix("O"))
  }

  @Test func isForItsOwnerOnly() throws {
    let folder = try TemporaryFolder()
    let inner = folder.file("made")
    let data = try DataFolder(inner)
    _ = try data.identity()
    #expect(folder.mode(of: "made") == 0o700)
    #expect(folder.mode(of: "made/identity.json") == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: inner).sorted() == ["identity.json", "lock"])
  }

  @Test func aReadableFileIsClosedToOthers() throws {
    let folder = try TemporaryFolder()
    _ = try DataFolder(folder.path).identity()
    chmod(folder.file("identity.json"), 0o644)
    _ = try DataFolder(folder.path).identity()
    #expect(folder.mode(of: "identity.json") == 0o600)
  }

  @Test func aFolderInUseIsRefused() throws {
    let folder = try TemporaryFolder()
    let first = try DataFolder(folder.path)
    #expect(throws: OrielError(.dataFolderInUse, folder.path)) { try DataFolder(folder.path) }
    first.unlock()
    #expect(throws: Never.self) { try DataFolder(folder.path) }
  }

  @Test func aFileInPlaceOfTheFolderIsRefused() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.file("file")))
    let error = #expect(throws: OrielError.self) { try DataFolder(folder.file("file")) }
    #expect(error?.code == .dataFolder)
  }

  @Test func aLinkInPlaceOfTheIdentityIsRefused() throws {
    let folder = try TemporaryFolder()
    try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.file("elsewhere")))
    symlink(folder.file("elsewhere"), folder.file("identity.json"))
    let error = #expect(throws: OrielError.self) { try DataFolder(folder.path).identity() }
    #expect(error?.code == .dataFolder)
  }

  @Test func aLeftOverOfACrashIsReplaced() throws {
    let folder = try TemporaryFolder()
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder.file("identity.json.new")))
    let identity = try DataFolder(folder.path).identity()
    #expect(try DataFolder(folder.path).identity().serial == identity.serial)
  }

  /// A damaged identity is never replaced by a new one: the device's owner would lose it without a word.
  @Test func everyDamageIsToldAndNothingIsOverwritten() throws {
    let folder = try TemporaryFolder()
    _ = try DataFolder(folder.path).identity()
    let path = URL(fileURLWithPath: folder.file("identity.json"))
    let whole = try Data(contentsOf: path)
    var damaged = [Data(), Data("null".utf8), Data(whole.dropLast()), Data(repeating: 0x20, count: 5000)]
    damaged += (0..<64).map { whole.prefix(whole.count * $0 / 64) }
    let text = String(decoding: whole, as: UTF8.self)
    damaged.append(Data(text.replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : 2").utf8))
    damaged.append(Data(text.replacingOccurrences(of: "\"serial\" : \"O", with: "\"serial\" : \"OOO").utf8))
    for content in damaged {
      try content.write(to: path)
      let error = #expect(throws: OrielError.self) { try DataFolder(folder.path).identity() }
      #expect(error?.code == .dataFolder)
      #expect(try Data(contentsOf: path) == content)
    }
  }

  @Test func mutatedFilesNeverCrash() throws {
    let whole = try DeviceIdentity.make().fileContent()
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<3000 {
      var bytes = Array(whole)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let at = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: at)
        default: bytes.insert(bytes[at], at: at)
        }
      }
      do {
        let identity = try DeviceIdentity(fileContent: Data(bytes))
        #expect(identity.serial.value.count == 9)
      } catch {
        #expect((error as? OrielError)?.code == .dataFolder)
      }
    }
  }

  @Test func settingsSurviveAndDamagedOnesAreForgotten() throws {
    let folder = try TemporaryFolder()
    let data = try DataFolder(folder.path)
    #expect(data.settings() == AgentSettings())
    try data.write(AgentSettings(videoLevels: [2: .low]))
    #expect(data.settings().videoLevels == [2: .low])
    try Data("{".utf8).write(to: URL(fileURLWithPath: folder.file("settings.json")))
    #expect(data.settings() == AgentSettings())
  }
}

/// The same numbers every time (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
