import Foundation
import OrielModel
import OrielNet
import Testing

@testable import OrielPlatform

/// The same tests on every store.
@Suite struct CloudStoreTests {
  enum Kind: CaseIterable {
    case files, bucket
  }

  private func with(
    _ kind: Kind, _ body: (any CloudStore, _ spool: (_ bytes: [UInt8]) throws -> String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/oriel-store-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let loop = try EventLoop.start(name: "test")
    do {
      let store: any CloudStore =
        switch kind {
        case .files: try FileCloudStore(folder: folder + "/files")
        case .bucket:
          S3CloudStore(
            location: try await S3Server.shared.bucket(loop, prefix: "oriel/one"),
            credentials: S3Server.credentials, loop: loop)
        }
      try await body(store) { bytes in
        let path = folder + "/spooled"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
      }
    } catch {
      await loop.stop()
      throw error
    }
    await loop.stop()
    try FileManager.default.removeItem(atPath: folder)
  }

  private func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    return (0..<count / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
  }

  @Test(arguments: Kind.allCases)
  func aFileIsKeptReadInPartsAndDeleted(_ kind: Kind) async throws {
    try await with(kind) { store, spool in
      let bytes = bytes(300_000)
      let name = "abc123"
      #expect(try await store.size(of: name) == nil)
      await #expect(throws: OrielError(.recordNotFound)) { try await store.read(name, 0..<1) }
      let path = try spool(bytes)
      try await store.keep(path, as: name)
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(try await store.size(of: name) == 300_000)
      for range in [0..<1, 0..<300_000, 299_999..<300_000, 1_000..<70_001, 65_535..<65_537] as [Range<Int64>]
      {
        #expect(
          try await store.read(name, range) == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
      }
      #expect(try await store.read(name, 5..<5).isEmpty)
      await #expect(throws: OrielError(.recordNotFound)) { try await store.read(name, 299_999..<300_001) }
      await #expect(throws: OrielError(.recordNotFound)) { try await store.read(name, 400_000..<400_001) }
      // Done again after a crash: the spooled file is gone, and the store has it.
      try await store.keep(path, as: name)
      #expect(try await store.read(name, 0..<300_000) == bytes)
      // And where it was not gone yet.
      try await store.keep(try spool(bytes), as: name)
      #expect(try await store.size(of: name) == 300_000)
      try await store.delete(name)
      try await store.delete(name)
      #expect(try await store.size(of: name) == nil)
      await #expect(throws: OrielError.self) { try await store.keep(path, as: name) }
    }
  }

  @Test(arguments: Kind.allCases)
  func aLargeFileIsTheSameAsASmallOne(_ kind: Kind) async throws {
    try await with(kind) { store, spool in
      let bytes = bytes(20 << 20, seed: 2)
      try await store.keep(try spool(bytes), as: "large")
      #expect(try await store.size(of: "large") == Int64(bytes.count))
      let seam = Int(S3CloudStore.part)
      #expect(
        try await store.read("large", Int64(seam - 10)..<Int64(seam + 10))
          == Array(bytes[seam - 10..<seam + 10]))
      #expect(try await store.read("large", 0..<Int64(bytes.count)) == bytes)
      try await store.delete("large")
      #expect(try await store.size(of: "large") == nil)
    }
  }

  @Test(arguments: Kind.allCases)
  func filesDoNotDisturbEachOther(_ kind: Kind) async throws {
    try await with(kind) { store, spool in
      for name in ["aa1", "aa2", "bb1"] { try await store.keep(try spool([UInt8](name.utf8)), as: name) }
      try await store.delete("aa1")
      #expect(try await store.read("aa2", 0..<3) == [UInt8]("aa2".utf8))
      #expect(try await store.read("bb1", 0..<3) == [UInt8]("bb1".utf8))
    }
  }
}
